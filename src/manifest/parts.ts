/** The small value schemas that several areas of a manifest share; a message is always the id of a rule. */
import * as v from "valibot";
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import type { Rule } from "./rules.ts";

/** A text that matches. */
export function matching(pattern: RegExp, rule: Rule) {
  return v.pipe(v.string(), v.regex(pattern, rule));
}

/** A text that passes the test. */
export function textThat(test: (text: string) => boolean, rule: Rule) {
  return v.pipe(v.string(), v.check(test, rule));
}

/** One of a few words. */
export function oneOf<const Words extends readonly string[]>(words: Words, rule: Rule) {
  return v.picklist(words, rule);
}

/** Any object; its members are read by whoever asked for it. */
export function objectOr(rule: Rule): v.GenericSchema<JsonObject> {
  return v.custom<JsonObject>(isJsonObject, rule);
}

/** Any list; its members are read by whoever asked for it. */
export function listOr(rule: Rule): v.GenericSchema<readonly JsonValue[]> {
  return v.custom<readonly JsonValue[]>(Array.isArray, rule);
}

/** A whole number within bounds, both included. */
export function wholeNumber(min: number, max: number, rule: Rule) {
  return v.custom<number>(
    (value) => typeof value === "number" && Number.isInteger(value) && value >= min && value <= max,
    rule,
  );
}

export const text = v.string();
export const flag = v.boolean();
/** A text with something to read in it. */
export const nonBlank = textThat((value) => value.trim() !== "", "blank_value");
export const texts = v.array(nonBlank, "not_a_list");
export const jsonObject = objectOr("not_an_object");
export const jsonList = listOr("not_a_list");

const CONTROL = /[\u0000-\u001f\u007f]/;
const DRIVE = /^[A-Za-z]:/;

/** Whether a path written in a manifest stays inside the plugin: relative, with `/`, without `..` (spec 1.3, 1.10). */
export function staysInside(path: string): boolean {
  if (path === "" || CONTROL.test(path) || path.includes("\\") || DRIVE.test(path)) return false;
  const segments = path.split("/");
  const first = segments[0] === "." ? 1 : 0;
  const rest = segments.slice(first);
  return rest.length > 0 && rest.every((segment) => segment !== "" && segment !== "." && segment !== "..");
}

/** Whether a text holds a control character, which no name, header or argument may smuggle in. */
export function hasControl(value: string): boolean {
  return CONTROL.test(value);
}

/** Whether every character is printable ASCII without the space (0x21 to 0x7E). */
export function isVisibleAscii(value: string): boolean {
  return /^[\u0021-\u007e]*$/.test(value);
}
