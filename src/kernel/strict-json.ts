/** Reads JSON text under the strict rules that signed and hashed documents need (RFC 8259, spec 1.1 and 1.9). */
import { isJsonObject, type JsonObject, type JsonValue } from "./json.ts";
import { StrictJsonError, type StrictJsonReason } from "./strict-json-error.ts";
import { type ScanRules, StrictJsonScan } from "./strict-json-scan.ts";

/** The document's author controls the nesting; every reader of it may recurse this deep and no deeper. */
export const MAX_JSON_DEPTH = 64;
/** The document's author controls the length; counted in UTF-8 bytes. Callers with larger documents say so. */
const MAX_JSON_BYTES = 8 * 1024 * 1024;

export interface StrictJsonOptions {
  readonly maxBytes?: number;
  readonly maxDepth?: number;
  /** `safe` (the default) refuses integers beyond 2^53 - 1, whose digits a number cannot keep. */
  readonly integers?: "safe" | "any";
}

/**
 * The value of a JSON text. Refuses, as StrictJsonError: duplicate keys (compared after unescaping), lone surrogates,
 * unsafe integers, numbers beyond double range, a byte order mark, anything after the value, and the two bounds.
 */
export function parseStrictJson(text: string, options: StrictJsonOptions = {}): JsonValue {
  const maxBytes = options.maxBytes ?? MAX_JSON_BYTES;
  const refuse = (reason: StrictJsonReason, says: string): never => {
    throw new StrictJsonError(reason, says, { line: 1, column: 1, path: [] });
  };
  if (text.length > maxBytes || (text.length * 3 > maxBytes && Buffer.byteLength(text) > maxBytes)) {
    refuse("too_large", `is longer than ${maxBytes} bytes`);
  }
  if (text.charCodeAt(0) === 0xfeff) refuse("byte_order_mark", "starts with a byte order mark");
  const rules = { maxDepth: options.maxDepth ?? MAX_JSON_DEPTH, safeIntegers: options.integers !== "any" };
  const value = parsePlain(text, rules);
  if (value !== undefined) return value;
  new StrictJsonScan(text, rules).document();
  return JSON.parse(text) as JsonValue;
}

/** JSON.parse alone does not bound nesting, so longer texts are scanned first, which stops at the first fault. */
const MAX_PLAIN_LENGTH = 256 * 1024;

/** A number whose digits or exponent may not survive, or half of a surrogate pair written as an escape. */
const NEEDS_A_SCAN = /[\s:[,-][0-9](?:[0-9]{15}|[0-9.]*[eE]\+?[0-9]{3})|\\u[dD][89a-fA-F]/;
/** Inside one of these something precedes every number, as NEEDS_A_SCAN expects; a text that is only a number is scanned. */
const OBJECT_OR_LIST = /^\s*[{[]/;

/** A key, as the text of a document has it; a text that only looks like one makes a count too high, never too low. */
const KEY_END = '":';
const SPACED_KEY_END = /"[ \t\n\r]+:/;

/**
 * The value of a text that is plainly sound, undefined when only a scan can tell. JSON.parse keeps one of two equal
 * keys, so the value then has fewer keys than the text. A scan costs ten times this in a process that has just
 * started, which is what `fermix plugins list` is.
 */
function parsePlain(text: string, { maxDepth }: ScanRules): JsonValue | undefined {
  if (text.length > MAX_PLAIN_LENGTH || !text.isWellFormed()) return undefined;
  if (!OBJECT_OR_LIST.test(text) || NEEDS_A_SCAN.test(text)) return undefined;
  let value: JsonObject | JsonValue[];
  try {
    value = JSON.parse(text) as JsonObject | JsonValue[];
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
  return keysIn(value, maxDepth) === keyEndsIn(text) && !SPACED_KEY_END.test(text) ? value : undefined;
}

/**
 * How many keys all objects in an object or list have together; NaN when it is nested deeper than allowed. Written for
 * a start, where this runs uncompiled: nothing is allocated, and no call is made for a plain value.
 */
function keysIn(value: JsonObject | readonly JsonValue[], depth: number): number {
  if (depth === 0) return Number.NaN;
  let keys = 0;
  if (isJsonObject(value)) {
    for (const key in value) {
      const member = value[key];
      keys += 1;
      if (typeof member === "object" && member !== null) keys += keysIn(member, depth - 1);
    }
    return keys;
  }
  for (let at = 0; at < value.length; at += 1) {
    const item = value[at];
    if (typeof item === "object" && item !== null) keys += keysIn(item, depth - 1);
  }
  return keys;
}

function keyEndsIn(text: string): number {
  let count = 0;
  for (let at = text.indexOf(KEY_END); at !== -1; at = text.indexOf(KEY_END, at + KEY_END.length)) count += 1;
  return count;
}

/** Like `parseStrictJson`, from bytes that must be UTF-8 (`invalid_utf8` otherwise). */
export function parseJsonBytes(bytes: Uint8Array, options: StrictJsonOptions = {}): JsonValue {
  const maxBytes = options.maxBytes ?? MAX_JSON_BYTES;
  const start = { line: 1, column: 1, path: [] };
  if (bytes.byteLength > maxBytes) throw new StrictJsonError("too_large", `is longer than ${maxBytes} bytes`, start);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new StrictJsonError("invalid_utf8", "is not UTF-8 text", start);
  }
  return parseStrictJson(text, options);
}
