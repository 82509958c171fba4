/** Decides whether one argument is of the type its parameter declares, and gives it in the form requests are made of. */
import { mayLoseDigits, parseKeepingDigits, rawDigits, rawNumber } from "../../kernel/exact-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../kernel/json.ts";
import { MAX_MESSAGE_DEPTH, nestsDeeper } from "../../kernel/json-depth.ts";
import { isUnsafeInteger, isWhole } from "./whole-number.ts";

/** Gives the argument as this type, undefined when it is of another one. */
type Reader = (value: JsonValue) => JsonValue | undefined;

const readers: Readonly<Record<string, Reader>> = {
  string: (value) => (typeof value === "string" ? value : undefined),
  integer: (value) => (isInteger(value) ? withoutFraction(value) : digitsFrom(value)),
  number: (value) => (isNumber(value) ? value : digitsFrom(value)),
  boolean: (value) => (typeof value === "boolean" ? value : undefined),
  array: (value) => decoded(value, Array.isArray),
  object: (value) => decoded(value, isPlainObject),
};

const WORDS: Readonly<Record<string, string>> = {
  string: "text",
  integer: "a whole number",
  number: "a number",
  boolean: "true or false",
  array: "a list",
  object: "an object",
};

/** A raw number is an object to JavaScript and a number to everyone else. */
export function isPlainObject(value: unknown): value is JsonObject {
  return isJsonObject(value) && rawDigits(value) === undefined;
}

/**
 * The argument read as the declared type (spec 1.5: no type means unchecked, text for a list or an object is decoded
 * as JSON, nothing else is converted), or why it is not of that type. A list of types is what JSON Schema means by it:
 * any of them.
 */
export function readTyped(
  value: JsonValue,
  type: JsonValue | undefined,
): { readonly value: JsonValue } | { readonly problem: string } {
  if (type === undefined) return { value };
  const types = Array.isArray(type) ? type : [type];
  // Where text is welcome it is never taken for the list or number that it may look like.
  if (typeof value === "string" && types.includes("string")) return { value };
  for (const name of types) {
    if (name === "null" && value === null && types.length > 1) return { value };
    const read = readerOf(name)?.(value);
    if (read !== undefined) return { value: read };
  }
  const wanted = types.filter((name) => name !== "null").map((name) => wordFor(name));
  if (wanted.length === 0 || wanted.includes(undefined)) {
    return { problem: "its type in the tool's parameters is not one that Fermix knows" };
  }
  return { problem: `it must be ${wanted.join(" or ")}, not ${kindOf(value)}` };
}

function readerOf(name: unknown): Reader | undefined {
  return typeof name === "string" && Object.hasOwn(readers, name) ? readers[name] : undefined;
}

function wordFor(name: unknown): string | undefined {
  return readerOf(name) === undefined ? undefined : WORDS[String(name)];
}

function kindOf(value: JsonValue): string {
  if (value === null) return "null (leave it out instead)";
  if (Array.isArray(value)) return "a list";
  if (isNumber(value)) return "a number";
  if (typeof value === "string") return "text";
  return typeof value === "boolean" ? "true or false" : "an object";
}

function isNumber(value: JsonValue): boolean {
  return typeof value === "number" || rawDigits(value) !== undefined;
}

function isInteger(value: JsonValue): boolean {
  if (typeof value === "number") return Number.isInteger(value);
  const digits = rawDigits(value);
  return digits !== undefined && isWhole(digits);
}

/** `5.0` is the whole number 5, and a path or a form wants it written so; one too large to count is refused later. */
function withoutFraction(value: JsonValue): JsonValue {
  return isUnsafeInteger(value) ? value : Number(rawDigits(value) ?? value);
}

const INTEGER_TEXT = /^-?[1-9]\d*$/;

/**
 * A whole number that is refused as a number is to be sent as text (DECISIONS 17), so that text is taken here, with
 * its digits kept. Text of a smaller number stays text: nothing else is converted.
 */
function digitsFrom(value: JsonValue): JsonValue | undefined {
  if (typeof value !== "string" || !INTEGER_TEXT.test(value) || Number.isSafeInteger(Number(value))) return undefined;
  return rawNumber(value) as JsonValue;
}

/** Models write lists and objects as text of JSON; it counts when it is one of the wanted kind. */
function decoded(value: JsonValue, isWanted: (value: unknown) => boolean): JsonValue | undefined {
  if (isWanted(value)) return value;
  if (typeof value !== "string") return undefined;
  const inside = parsed(value);
  return isWanted(inside) ? inside : undefined;
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text) as JsonValue;
    if (nestsDeeper(value, MAX_MESSAGE_DEPTH)) return undefined;
    return mayLoseDigits(text) ? (parseKeepingDigits(text) as JsonValue) : value;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
