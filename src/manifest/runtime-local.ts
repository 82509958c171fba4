/** Reads the `runtime` of a local server: which program is started, with what (spec 1.7). */

import * as v from "valibot";
import type { JsonObject } from "../kernel/json.ts";
import { isReservedVariable } from "./config-keys.ts";
import type { ConfigKey, LocalRuntime } from "./manifest.ts";
import { flag, hasControl, jsonObject, matching, oneOf, staysInside, textThat } from "./parts.ts";
import { below, type Place, ROOT } from "./place.ts";
import { eachBracedText } from "./placeholders.ts";
import { type Reading, refuseBeforeApi3, wantForPublishing } from "./reading.ts";

const AT = below(ROOT, "runtime");
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/;
const variable = matching(VARIABLE, "invalid_runtime");
const argument = textThat((value) => !value.includes("\u0000"), "invalid_runtime");

const fields = {
  kind: oneOf(["node", "python", "binary", "escript"], "invalid_runtime"),
  command: textThat(isBareCommand, "invalid_runtime"),
  args: v.optional(v.array(argument, "not_a_list"), []),
  vendored: v.optional(flag, false),
  min_version: v.optional(matching(/\d/, "invalid_runtime")),
  env: v.optional(jsonObject, {}),
  pass_env: v.optional(v.array(variable, "not_a_list"), []),
  cwd: v.optional(textThat((path) => path === "." || staysInside(path), "runtime_escapes_plugin_dir")),
  tool_name_mode: v.optional(v.literal("prefix", "invalid_runtime")),
  requires_setting: v.optional(matching(/^[A-Z][A-Z0-9_]*$/, "undeclared_setting")),
};
const KEYS: ReadonlySet<string> = new Set(Object.keys(fields));

/**
 * The runtime; undefined when a rule was broken. Keys outside the set are warnings, because published plugins already
 * use ones the ecosystem's own grammar does not list.
 */
export function readLocalRuntime(
  reading: Reading,
  raw: JsonObject,
  config: readonly ConfigKey[],
): LocalRuntime | undefined {
  const { problems } = reading;
  problems.closed(raw, AT, KEYS, "warn");
  refuseBeforeApi3(reading, raw, AT, ["tool_name_mode"]);
  wantForPublishing(
    reading,
    Object.hasOwn(raw, "vendored"),
    below(AT, "vendored"),
    "say whether the program is vendored",
  );
  const read = problems.fields(raw, AT, fields);
  const env = readEnv(reading, read.env, below(AT, "env"));
  for (const [index, name] of (read.pass_env ?? []).entries()) {
    if (isReservedVariable(name)) problems.add(below(below(AT, "pass_env"), index), "reserved_variable");
  }
  const setting = read.requires_setting;
  if (setting !== undefined && !config.some(({ key, kind }) => key === setting && kind === "boolean")) {
    problems.add(below(AT, "requires_setting"), "undeclared_setting");
  }
  eachBracedText(raw, AT, (value, path) => {
    if (value.includes("${")) problems.add(path, "unsubstituted_placeholder");
  });
  const { kind, command, args, vendored, pass_env } = read;
  if (kind === undefined || command === undefined || args === undefined) return undefined;
  if (vendored === undefined || env === undefined || pass_env === undefined) return undefined;
  return {
    kind,
    command,
    args,
    vendored,
    minVersion: read.min_version,
    env,
    passEnv: pass_env,
    cwd: read.cwd,
    requiresSetting: setting,
  };
}

function readEnv(
  { problems }: Reading,
  raw: JsonObject | undefined,
  path: Place,
): Readonly<Record<string, string>> | undefined {
  if (raw === undefined) return undefined;
  const env: [string, string][] = [];
  for (const name of Object.keys(raw)) {
    const at = below(path, name);
    if (!VARIABLE.test(name)) problems.add(at, "invalid_runtime", "a variable is letters, digits and _");
    if (isReservedVariable(name)) problems.add(at, "reserved_variable");
    const value = problems.value(raw[name], at, argument);
    if (value !== undefined) env.push([name, value]);
  }
  return Object.fromEntries(env);
}

/** A program is found on PATH or in the plugin's own `bin`, so a manifest may name it but not say where it is. */
function isBareCommand(command: string): boolean {
  return command !== "" && command !== "." && command !== ".." && !/[\s/\\]/.test(command) && !hasControl(command);
}
