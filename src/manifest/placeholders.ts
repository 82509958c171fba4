/** Finds `{name}` placeholders in request templates (spec 1.6); the http rail fills in what this finds. */
import { isJsonObject, type JsonValue } from "../kernel/json.ts";

const PLACEHOLDER = /\{([a-zA-Z_][a-zA-Z0-9_]*)\}/g;

/** The names in the text, in order, repeats included. */
export function placeholdersIn(text: string): readonly string[] {
  return text.includes("{") ? Array.from(text.matchAll(PLACEHOLDER), (match) => match[1] ?? "") : [];
}

/** Calls `visit` for every text value of a template with its path, keys excluded; templates are at most 64 deep. */
export function eachText(
  value: JsonValue | undefined,
  path: readonly (string | number)[],
  visit: (text: string, path: readonly (string | number)[]) => void,
): void {
  if (typeof value === "string") visit(value, path);
  else if (Array.isArray(value)) for (const [index, item] of value.entries()) eachText(item, [...path, index], visit);
  else if (isJsonObject(value)) for (const key of Object.keys(value)) eachText(value[key], [...path, key], visit);
}
