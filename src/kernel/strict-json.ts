/** Reads JSON text under the strict rules that signed and hashed documents need (RFC 8259, spec 1.1 and 1.9). */
import type { JsonValue } from "./json.ts";
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

/** Two plain steps, each linear: first the escapes inside strings, then all but brackets and the colons after keys. */
const ESCAPES = /\\./g;
const NO_SKELETON = /"[^"]*"|[^{}[\]:"]+/g;
/** Digits or exponents that may not survive in a number, and halves of surrogate pairs written as escapes. */
const NEEDS_A_SCAN = /[0-9]{16}|[0-9][eE]\+?[0-9]{3}|\\u[dD][89a-fA-F]/;

/**
 * The value of a text that is plainly sound, undefined when only a scan can tell. JSON.parse keeps one of two equal
 * keys, so the value then prints fewer keys than the text has. A scan costs ten times this in a process that has just
 * started, which is what `fermix plugins list` is.
 */
function parsePlain(text: string, { maxDepth }: ScanRules): JsonValue | undefined {
  if (text.length > MAX_PLAIN_LENGTH || NEEDS_A_SCAN.test(text) || !text.isWellFormed()) return undefined;
  let value: JsonValue;
  try {
    value = JSON.parse(text) as JsonValue;
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    return undefined;
  }
  const skeleton = skeletonOf(text);
  if (depthOf(skeleton) > maxDepth) return undefined;
  return skeleton === skeletonOf(JSON.stringify(value)) ? value : undefined;
}

function skeletonOf(json: string): string {
  const plain = json.includes("\\") ? json.replace(ESCAPES, "") : json;
  return plain.replace(NO_SKELETON, "");
}

function depthOf(skeleton: string): number {
  let depth = 0;
  let deepest = 0;
  for (let at = 0; at < skeleton.length; at += 1) {
    const mark = skeleton[at];
    if (mark === "{" || mark === "[") {
      depth += 1;
      if (depth > deepest) deepest = depth;
    } else if (mark !== ":") depth -= 1;
  }
  return deepest;
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
