/** Writes into config.toml that a secret is in the keychain, or that there is none; never a secret itself. */
import type { Home } from "../files/home.ts";
import type { PluginName } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { edit, removedAt, setAt } from "./edit.ts";
import { type PlainSecret, plainSecrets } from "./plain-secrets.ts";
import { configKey, type SecretPlace } from "./secret-places.ts";
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

/** Says that the secret of a provider, of voice or of a channel is in the keychain. Throws as enableInConfig. */
export async function setPlaceSentinel(ports: Clock, home: Home, { path }: SecretPlace): Promise<void> {
  await edit(ports, home, () => [setAt(path, KEYRING_SENTINEL)], { touch: true });
}

/**
 * Says which client a provider knows this Fermix by. Its secret is in the keychain (KCH-7), or stays in the file as it is
 * when there is no keychain to move it to. Throws as enableInConfig.
 */
export async function setOauthClient(
  ports: Clock,
  home: Home,
  provider: string,
  { id, secret }: { readonly id: string; readonly secret: "in_keychain" | "as_it_is" },
): Promise<void> {
  const at = [...OAUTH, provider];
  const client = setAt([...at, "client_id"], id);
  const changes = secret === "as_it_is" ? [client] : [client, setAt([...at, "client_secret"], KEYRING_SENTINEL)];
  await edit(ports, home, () => changes, { touch: true });
}

/**
 * Puts the sentinel in place of each value that is still what it was, all in one write; returns those that somebody
 * changed meanwhile, which are left. Throws as enableInConfig.
 */
export async function replaceBySentinel(
  ports: Clock,
  home: Home,
  secrets: readonly PlainSecret[],
): Promise<readonly PlainSecret[]> {
  let changed: readonly PlainSecret[] = [];
  await edit(ports, home, (config) => {
    const now = new Map(plainSecrets(config).map(({ path, value }) => [configKey(path), value]));
    const isSame = ({ path, value }: PlainSecret) => now.get(configKey(path)) === value;
    changed = secrets.filter((secret) => !isSame(secret));
    return secrets.filter(isSame).map(({ path }) => setAt(path, KEYRING_SENTINEL));
  });
  return changed;
}
