/** Forgets a plugin's API key: the keychain's item first, then what config.toml says of it; nothing is revoked (AUTH-4, AUTH-10). */
import { keychainItem } from "../auth/keychain-item.ts";
import { keyItemNames } from "../auth/plugin-key.ts";
import { withSecretLock } from "../auth/secret-lock.ts";
import { removeSecrets } from "../auth/store-secret.ts";
import { removePluginSecret } from "../config/edit-secrets.ts";
import { configKey, secretPlaces } from "../config/secret-places.ts";
import { isSentinel } from "../config/sentinel.ts";
import { pluginKeyVariable } from "../config/variables.ts";
import { isFermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { KeychainItem, WritableKeychain } from "../kernel/ports.ts";
import type { App } from "./app.ts";
import { findKeyedPlugin } from "./keyed-plugin.ts";
import type { LoadReport } from "./load.ts";

export interface KeyCleared {
  readonly plugin: PluginName;
  /** Whether there was a key to forget. */
  readonly cleared: boolean;
  /** An item of the ecosystem's that stays because config.toml refers to it elsewhere, and where. */
  readonly kept: { readonly item: string; readonly by: string } | undefined;
  /** The variable that still gives the plugin a key. */
  readonly stillGivenBy: string | undefined;
  /** Where the service's own page for its keys is, when the manifest names one. */
  readonly helpUrl: string | undefined;
}

/**
 * Forgets the key; one that is not there is no failure. Throws, with nothing changed, what findKeyedPlugin and the keychain
 * throw; config.toml keeps its reference while the keychain keeps the key.
 */
export async function clearPluginKey(app: App, typed: string, options: { unlock?: boolean } = {}): Promise<KeyCleared> {
  const { plugin, report } = await findKeyedPlugin(app, typed, "clear");
  const { ports, home, env } = app;
  const { config } = report;
  const [own, ...bare] = keyItemNames(plugin);
  const referring = bare.flatMap((item) => {
    const by = referenceTo(report, item, plugin.name);
    return by === undefined ? [] : [{ item, by }];
  });
  const free = bare.filter((item) => !referring.some((kept) => kept.item === item));
  const configured = config.pluginSecrets.get(plugin.name);
  const item = (name: string) => keychainItem(config.profile, name);
  const removed = await withSecretLock(ports, home, async () => {
    const there = await removeItems(ports.keychain, [item(own), ...free.map(item)], isSentinel(configured), options);
    await removePluginSecret(ports, home, plugin.name);
    return there;
  });
  const variable = pluginKeyVariable(plugin.name);
  return {
    plugin: plugin.name,
    cleared: removed || configured !== undefined,
    kept: referring[0],
    stillGivenBy: [variable, `${variable}_FILE`].find((one) => (env.get(one) ?? "").trim() !== ""),
    helpUrl: plugin.auth.helpUrl,
  };
}

/** Where nothing says that the keychain has a key, a machine without a keychain need not stand in the way. */
async function removeItems(
  keychain: WritableKeychain,
  items: readonly [KeychainItem, ...KeychainItem[]],
  referred: boolean,
  options: { unlock?: boolean },
): Promise<boolean> {
  try {
    return await removeSecrets(keychain, items, options);
  } catch (error) {
    if (referred || !isFermixError(error, "keychain_unavailable")) throw error;
    return false;
  }
}

/** The key of config.toml, besides this plugin's own, whose secret is in the item of this name. */
function referenceTo({ config, plugins }: LoadReport, item: string, name: PluginName): string | undefined {
  const place = secretPlaces.find(
    ({ path, item: one }) => one === item && isSentinel(config.secrets.get(configKey(path))),
  );
  if (place !== undefined) return configKey(place.path);
  const other = plugins.find(
    (plugin) =>
      plugin.name !== name &&
      plugin.manifest.auth.type === "api_key" &&
      plugin.manifest.auth.keyName === item &&
      isSentinel(config.pluginSecrets.get(plugin.name)),
  );
  return other === undefined ? undefined : `fermix_core.plugin_secrets.${other.name}`;
}
