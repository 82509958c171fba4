/** Finds and fills `{name}` placeholders in texts of request templates (spec 1.6). */
import { isJsonObject, type JsonValue } from "../kernel/json.ts";
import { below, type Place } from "./place.ts";

const PLACEHOLDER = /\{[a-zA-Z_][a-zA-Z0-9_]*\}/g;
const ONLY_PLACEHOLDER = /^\{[a-zA-Z_][a-zA-Z0-9_]*\}$/;

/** The names in the text, in order, repeats included. */
export function placeholdersIn(text: string): readonly string[] {
  return text.match(PLACEHOLDER)?.map((found) => found.slice(1, -1)) ?? [];
}

/** The name when the text is one placeholder and nothing else, which then stands for the argument itself (spec 1.6). */
export function onlyPlaceholder(text: string): string | undefined {
  return ONLY_PLACEHOLDER.test(text) ? text.slice(1, -1) : undefined;
}

/** The text with each placeholder replaced by what `fill` gives for its name, and what is around them by `literal`. */
export function fillPlaceholders(
  text: string,
  fill: (name: string) => string,
  literal: (text: string) => string = (words) => words,
): string {
  let filled = "";
  let from = 0;
  for (const { 0: found, index } of text.matchAll(PLACEHOLDER)) {
    filled += literal(text.slice(from, index)) + fill(found.slice(1, -1));
    from = index + found.length;
  }
  return filled + literal(text.slice(from));
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
