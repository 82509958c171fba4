/** Keeps a plugin's key out of the way of another secret that the ecosystem names alike (DECISIONS 25). */
import { keychainItem, readKeychain } from "../auth/keychain-item.ts";
import { type KeyedPlugin, keyItemNames } from "../auth/plugin-key.ts";
import { storeSecret } from "../auth/store-secret.ts";
import { isSentinel } from "../config/sentinel.ts";
import type { KeychainChangeOptions } from "../kernel/ports.ts";
import type { App } from "./app.ts";
import type { LoadReport } from "./load.ts";

/**
 * Before the item of this name is stored over: a plugin whose key an ecosystem's home keeps there gets it as an item of
 * its own. Throws what the keychain has wrong.
 */
export async function freeSharedItem(
  { ports }: Pick<App, "ports">,
  report: LoadReport,
  name: string,
  options: KeychainChangeOptions,
): Promise<void> {
  const { profile } = report.config;
  for (const plugin of readersOf(report, name)) {
    const [own, shared] = keyItemNames(plugin).map((item) => keychainItem(profile, item));
    if (own === undefined || shared === undefined) continue;
    if ((await readKeychain(ports.keychain, [own])) !== undefined) continue;
    const key = await readKeychain(ports.keychain, [shared]);
    if (key !== undefined) await storeSecret(ports.keychain, own, key, options);
  }
}

/** The plugins whose key may be in this item, by the bare name of the ecosystem's homes. */
function readersOf({ plugins, config }: LoadReport, item: string): readonly KeyedPlugin[] {
  return plugins.flatMap(({ name, manifest: { auth } }) =>
    auth.type === "api_key" && auth.keyName === item && isSentinel(config.pluginSecrets.get(name))
      ? [{ name, auth }]
      : [],
  );
}
