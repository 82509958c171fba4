/** Which secrets lie in config.toml as plain text, where anybody who may read the file has them (KCH-2, KCH-3). */
import type { PluginName } from "../kernel/names.ts";
import type { Config } from "./config.ts";
import { configKey, secretPlaces } from "./secret-places.ts";
import { isSentinel } from "./sentinel.ts";

export interface PlainSecret {
  /** Its key in config.toml. */
  readonly path: readonly string[];
  readonly value: string;
  /** What it is, for whoever names its item of the keychain. */
  readonly of:
    | { readonly kind: "place"; readonly item: string }
    | { readonly kind: "plugin"; readonly plugin: PluginName }
    | { readonly kind: "oauth"; readonly provider: string };
}

/** What stands for a value and is none: nothing of it is secret. */
const NO_VALUE = /^\s*(@file|\$\{[^}]*\})?\s*$/;

/** Every one of them: providers, voice and channels, OAuth clients, plugins. */
export function plainSecrets({ secrets, oauth, pluginSecrets }: Config): readonly PlainSecret[] {
  const filled: PlainSecret[] = [];
  for (const { path, item } of secretPlaces) {
    filled.push({ path, value: secrets.get(configKey(path)) ?? "", of: { kind: "place", item } });
  }
  for (const [provider, { clientSecret: value = "" }] of oauth) {
    filled.push({
      path: ["fermix_core", "oauth", provider, "client_secret"],
      value,
      of: { kind: "oauth", provider },
    });
  }
  for (const [plugin, value] of pluginSecrets) {
    filled.push({ path: ["fermix_core", "plugin_secrets", plugin], value, of: { kind: "plugin", plugin } });
  }
  return filled.filter(({ value }) => !NO_VALUE.test(value) && !isSentinel(value));
}
