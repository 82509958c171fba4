/** Says where a plugin's API key is looked for first: environment, file, config.toml or keychain (DECISIONS 25, 26). */
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/env.ts";
import { isSentinel } from "../config/sentinel.ts";
import { pluginKeyVariable } from "../config/variables.ts";
import type { PluginName } from "../kernel/names.ts";

export type KeySource = "environment" | "file" | "config" | "keychain";

/** The source that goes before the others; undefined when nothing names one. Whether it holds a key it does not say. */
export function keySource(env: Pick<Environment, "get">, config: Config, name: PluginName): KeySource | undefined {
  const variable = pluginKeyVariable(name);
  if ((env.get(variable) ?? "").trim() !== "") return "environment";
  if ((env.get(`${variable}_FILE`) ?? "") !== "") return "file";
  const configured = config.pluginSecrets.get(name);
  if (configured === undefined) return undefined;
  return isSentinel(configured) ? "keychain" : "config";
}
