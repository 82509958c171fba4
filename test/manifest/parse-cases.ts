/** Runs one changed sample through the parser and gives what a table row compares: the broken rules with their paths. */

import { isFermixError } from "../../src/kernel/error.ts";
import type { JsonObject, JsonValue } from "../../src/kernel/json.ts";
import { type ParseOptions, parseManifest } from "../../src/manifest/parse.ts";
import { withChange } from "./samples.ts";

/** `path rule` of every problem, [] when the manifest loads. */
export function problemsOf(source: JsonValue | string | Uint8Array, options: ParseOptions = {}): readonly string[] {
  const text = typeof source === "string" || source instanceof Uint8Array ? source : JSON.stringify(source);
  try {
    parseManifest(text, options);
    return [];
  } catch (error) {
    if (!isFermixError(error, "manifest_invalid")) throw error;
    return error.details.problems.map(({ path, rule }) => `${path} ${rule}`);
  }
}

/** What to change (`undefined` removes), and the problems it must give: [] when it must load. */
export type Row = readonly [what: string, path: string, value: JsonValue | undefined, problems: readonly string[]];

export function problemsOfRow(sample: () => JsonObject, [, path, value]: Row): readonly string[] {
  return problemsOf(withChange(sample(), path, value));
}

export const long = (length: number, char = "a") => char.repeat(length);
