/** Finds `{name}` placeholders in request templates (spec 1.6); the http rail fills in what this finds. */
import { isJsonObject, type JsonValue } from "../kernel/json.ts";
import { below, type Place } from "./place.ts";

const PLACEHOLDER = /\{[a-zA-Z_][a-zA-Z0-9_]*\}/g;

/** The names in the text, in order, repeats included. */
export function placeholdersIn(text: string): readonly string[] {
  return text.match(PLACEHOLDER)?.map((found) => found.slice(1, -1)) ?? [];
}

/** Calls `visit` for every text value with a brace in it, keys excluded; templates are at most 64 deep. */
export function eachBracedText(
  value: JsonValue | undefined,
  place: Place,
  visit: (text: string, place: Place) => void,
): void {
  if (typeof value === "string") {
    if (value.includes("{")) visit(value, place);
  } else if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) eachBracedText(item, below(place, index), visit);
  } else if (isJsonObject(value)) {
    for (const key of Object.keys(value)) eachBracedText(value[key], below(place, key), visit);
  }
}
