/** Takes the part of an answer that a template asks for: a path into it, and the fields that stay (spec 3.5). */
import { rawDigits } from "../../kernel/exact-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../kernel/json.ts";
import type { RequestTemplate } from "../../manifest/manifest.ts";

const FLATTEN = "[*]";

/** What the rule leaves of the body; all of it without a rule. Never throws: what is not there is null. */
export function extract(body: JsonValue, rule: RequestTemplate["extract"]): JsonValue {
  if (rule === undefined) return body;
  return keepFields(rule.path === undefined ? body : valueAt(body, rule.path), rule.fields);
}

/**
 * The value at a path of the manifest's grammar (`a.b[*].c`): a key of an object, of every element of a list, else
 * null; `[*]` flattens one level of a list and makes an empty list of anything else.
 */
export function valueAt(body: JsonValue, path: string): JsonValue {
  let value = body;
  for (const segment of path.split(".")) {
    const flatten = segment.endsWith(FLATTEN);
    const key = flatten ? segment.slice(0, -FLATTEN.length) : segment;
    if (key !== "") value = Array.isArray(value) ? value.map((item) => memberOf(item, key)) : memberOf(value, key);
    if (flatten) value = Array.isArray(value) ? value.flat(1) : [];
  }
  return value;
}

/** Only these keys of an object, or of every object in a list; other values as they are. No fields means all. */
export function keepFields(value: JsonValue, fields: readonly string[]): JsonValue {
  if (fields.length === 0) return value;
  if (Array.isArray(value)) return value.map((item) => (Array.isArray(item) ? item : keepFields(item, fields)));
  if (!isRecord(value)) return value;
  return Object.fromEntries(fields.filter((key) => Object.hasOwn(value, key)).map((key) => [key, value[key]]));
}

/** A JSON object; a number that keeps its digits looks like one and is none. */
export function isRecord(value: JsonValue | undefined): value is JsonObject {
  return isJsonObject(value) && rawDigits(value) === undefined;
}

/** What an object holds under this key; null for everything else. */
export function memberOf(value: JsonValue, key: string): JsonValue {
  return isRecord(value) && Object.hasOwn(value, key) ? (value[key] ?? null) : null;
}
