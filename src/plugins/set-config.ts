/** Sets one declared config value of a plugin; plumbing keys (workspace, access profile) are never declared, so out of reach. */
import { existsSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { setPluginValue } from "../config/edit.ts";
import { FermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { ConfigKey } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { loadPlugin } from "./known.ts";

/** A value becomes one environment variable of a child and one line of config.toml; nobody types more than this. */
const MAX_VALUE_BYTES = 8 * 1024;
/** What an unresolved placeholder of another program's configuration begins with. */
const PLACEHOLDER = "${";
/** A key whose name says that its value is the path of something. */
const PATH_KEY = /_PATH$/;
const CONTROL = /[\u0000-\u001f\u007f]/;

export interface ConfigChange {
  readonly plugin: PluginName;
  readonly key: string;
  readonly value: string | boolean;
}

/**
 * Writes the value under `[fermix_core.plugins.<name>]` (spec 1.4, CLI-5). Throws `unknown_config_key`,
 * `blank_config_value`, `invalid_config_value` and what `loadPlugin` throws, writing nothing.
 */
export async function setPluginConfig(app: App, name: string, key: string, text: string): Promise<ConfigChange> {
  const { plugin } = await loadPlugin(app, name);
  const declared = plugin.manifest.config.find((candidate) => candidate.key === key);
  if (declared === undefined) {
    const keys = plugin.manifest.config.map((candidate) => candidate.key);
    throw new FermixError("unknown_config_key", { plugin: plugin.name, key, declared: keys });
  }
  const value = checkedValue(plugin.name, declared, text);
  await setPluginValue(app.ports, app.home, plugin.name, key, value);
  return { plugin: plugin.name, key, value };
}

/**
 * What is odd about a path that was set, where its key says that it is one; undefined when it leads somewhere. No
 * refusal: the folder may be on a disk that is not in yet.
 */
export function pathDoubt({ env }: App, { key, value }: ConfigChange): string | undefined {
  if (!PATH_KEY.test(key) || typeof value !== "string") return undefined;
  const path = value === "~" || value.startsWith("~/") ? join(env.userHome, value.slice(1)) : value;
  if (!isAbsolute(path)) return `${JSON.stringify(value)} is not a full path, so the plugin may look for it elsewhere`;
  return existsSync(path) ? undefined : `there is nothing to read at ${JSON.stringify(path)} now`;
}

function checkedValue(plugin: PluginName, { key, kind }: ConfigKey, text: string): string | boolean {
  const value = text.trim();
  if (value === "") throw new FermixError("blank_config_value", { plugin, key });
  const reason = kind === "boolean" ? switchProblem(value) : textProblem(value);
  if (reason !== undefined) throw new FermixError("invalid_config_value", { plugin, key, reason });
  return kind === "boolean" ? value === "true" : value;
}

function switchProblem(value: string): string | undefined {
  return value === "true" || value === "false" ? undefined : "is a switch: it takes true or false";
}

function textProblem(value: string): string | undefined {
  if (CONTROL.test(value)) return "must be one line without control characters";
  if (value.includes(PLACEHOLDER)) return `still holds a placeholder (${PLACEHOLDER}…}): give the value itself`;
  return Buffer.byteLength(value) > MAX_VALUE_BYTES ? `must be at most ${MAX_VALUE_BYTES} bytes` : undefined;
}
