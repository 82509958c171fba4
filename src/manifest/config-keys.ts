/** Reads `config`: the plain settings an operator gives a plugin (spec 1.4). */

import * as v from "valibot";
import type { JsonValue } from "../kernel/json.ts";
import type { ConfigKey } from "./manifest.ts";
import { flag, jsonList, jsonObject, matching, nonBlank, oneOf } from "./parts.ts";
import { below, ROOT } from "./place.ts";
import type { Reading } from "./reading.ts";

const fields = {
  key: matching(/^[A-Z][A-Z0-9_]*$/, "invalid_config_key"),
  prompt: nonBlank,
  required: v.optional(flag, false),
  kind: v.optional(oneOf(["text", "boolean"], "invalid_config_kind"), "text"),
};
const KEYS: ReadonlySet<string> = new Set(Object.keys(fields));
/** Fermix and Bun read these themselves, so a child is never given one (LOC-6). */
const RESERVED_VARIABLE = /^(?:BUN|FERMIX)_/;

/** Whether a variable of this name never reaches a child. */
export function isReservedVariable(name: string): boolean {
  return RESERVED_VARIABLE.test(name);
}

/** The sound entries, in document order. Unknown keys of an entry are tolerated as warnings: newer fields exist. */
export function readConfigKeys(reading: Reading, raw: JsonValue | undefined): readonly ConfigKey[] {
  const { problems } = reading;
  const list = raw === undefined ? [] : (problems.value(raw, below(ROOT, "config"), jsonList) ?? []);
  const seen = new Set<string>();
  const entries: ConfigKey[] = [];
  for (const [index, item] of list.entries()) {
    const path = below(below(ROOT, "config"), index);
    const object = problems.value(item, path, jsonObject);
    if (object === undefined) continue;
    problems.closed(object, path, KEYS, "warn");
    const { key, prompt, required, kind } = problems.fields(object, path, fields);
    if (key !== undefined) {
      if (seen.has(key)) problems.add(below(path, "key"), "duplicate_config_key");
      if (isReservedVariable(key)) problems.add(below(path, "key"), "reserved_variable");
      seen.add(key);
    }
    if (key === undefined || prompt === undefined || required === undefined || kind === undefined) continue;
    entries.push({ key, prompt, required, kind });
  }
  return entries;
}
