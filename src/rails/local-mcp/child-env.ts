/** Decides the whole environment of a plugin's process: built from nothing, name by name (spec 4). */
import { delimiter } from "node:path";
import type { PluginSettings } from "../../config/config.ts";
import type { Environment } from "../../config/env.ts";
import { isSecretVariable } from "../../config/secret-places.ts";
import { FermixError } from "../../kernel/error.ts";
import type { PluginName } from "../../kernel/names.ts";
import type { LocalRuntime } from "../../manifest/manifest.ts";

/** What a program needs to find itself, its user, its language and a place for temporary files; PATH is added apart. */
const BASE_NAMES = [
  ...["HOME", "USER", "LOGNAME", "SHELL", "TERM", "TMPDIR", "TZ", "LANG", "LANGUAGE", "LC_ALL", "LC_CTYPE"],
  ...["LC_COLLATE", "LC_MESSAGES", "LC_MONETARY", "LC_NUMERIC", "LC_TIME"],
] as const;

/**
 * Names that load code into a process or switch off its checks, and those that only Fermix and its own runtime read.
 * The manifest's author and whoever edits config.toml choose names; neither may choose these.
 */
const REFUSED_NAMES: ReadonlySet<string> = new Set([
  ...["NODE_OPTIONS", "NODE_TLS_REJECT_UNAUTHORIZED", "BASH_ENV", "GCONV_PATH", "PYTHONSTARTUP"],
  ...["PYTHONINSPECT", "PERL5OPT", "RUBYOPT", "JAVA_TOOL_OPTIONS", "ERL_FLAGS", "ERL_AFLAGS", "ERL_ZFLAGS"],
]);
const REFUSED_PREFIXES = ["FERMIX_", "BUN_", "LD_", "DYLD_", "JSC_", "MIMALLOC_"] as const;

const ENV_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const CONFIG_NAME = /^[A-Z][A-Z0-9_]*$/;
const UNFILLED = "${";

/** The names every child is given when they are set: no credential, no loader option, nothing of Fermix's own. */
export function baseEnv(env: Environment): Record<string, string> {
  const base: Record<string, string> = { PATH: env.path.join(delimiter) };
  for (const name of BASE_NAMES) {
    const value = env.get(name);
    if (value !== undefined) base[name] = value;
  }
  return base;
}

/**
 * The environment of a plugin's process: the base, then what `pass_env` names, then the manifest's `env`, then the
 * UPPER_SNAKE settings, each over the one before. Throws env_refused for a name no plugin may have, and
 * unresolved_value for a value that still holds a placeholder.
 */
export function childEnv(
  env: Environment,
  plugin: PluginName,
  runtime: Pick<LocalRuntime, "env" | "passEnv">,
  settings: PluginSettings,
): Record<string, string> {
  const child = baseEnv(env);
  const set = (name: string, value: string): void => {
    assertName(plugin, name);
    if (value.includes("\0")) throw new FermixError("env_refused", { plugin, variable: name });
    assertFilled(plugin, name, value);
    child[name] = value;
  };
  for (const name of runtime.passEnv) {
    assertName(plugin, name);
    // A plugin that needs such a secret has it set as its own; nothing hands out those of channels and providers (CHN-1).
    if (isSecretVariable(name)) throw new FermixError("env_refused", { plugin, variable: name });
    const value = env.get(name);
    if (value !== undefined) set(name, value);
  }
  for (const [name, value] of Object.entries(runtime.env)) set(name, value);
  for (const [key, value] of settings) if (CONFIG_NAME.test(key)) set(key, String(value));
  return child;
}

/** Throws unresolved_value when a resolved value still holds `${`: it would reach the program as if it were meant. */
export function assertFilled(plugin: PluginName, key: string, value: string): void {
  if (value.includes(UNFILLED)) throw new FermixError("unresolved_value", { plugin, key });
}

function assertName(plugin: PluginName, name: string): void {
  const upper = name.toUpperCase();
  const refused = REFUSED_NAMES.has(upper) || REFUSED_PREFIXES.some((prefix) => upper.startsWith(prefix));
  if (refused || !ENV_NAME.test(name)) throw new FermixError("env_refused", { plugin, variable: name });
}
