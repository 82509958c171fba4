/** Writes into config.toml that a secret is in the keychain, or that there is none; never a secret itself. */
import type { Home } from "../files/home.ts";
import type { PluginName } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { edit, removedAt, setAt } from "./edit.ts";
import { KEYRING_SENTINEL } from "./sentinel.ts";

type Clock = Pick<Ports, "clock">;

const SECRETS = ["fermix_core", "plugin_secrets"] as const;
const OAUTH = ["fermix_core", "oauth"] as const;

/**
 * Says that the plugin's key is in the keychain (KCH-6); the file's time moves even when it says so already, because what
 * is in the keychain may have changed. Throws as enableInConfig.
 */
export async function setPluginSecret(ports: Clock, home: Home, name: PluginName): Promise<void> {
  await edit(ports, home, () => [setAt([...SECRETS, name], KEYRING_SENTINEL)], { touch: true });
}

/** Says that the plugin has no key. Throws as enableInConfig. */
export async function removePluginSecret(ports: Clock, home: Home, name: PluginName): Promise<void> {
  await edit(ports, home, (config) => (config.pluginSecrets.has(name) ? [removedAt([...SECRETS, name])] : []), {
    touch: true,
  });
}

/** Says which client a provider knows this Fermix by; its secret is in the keychain (KCH-7). Throws as enableInConfig. */
export async function setOauthClient(ports: Clock, home: Home, provider: string, id: string): Promise<void> {
  const at = [...OAUTH, provider];
  await edit(ports, home, () => [setAt([...at, "client_id"], id), setAt([...at, "client_secret"], KEYRING_SENTINEL)], {
    touch: true,
  });
}
