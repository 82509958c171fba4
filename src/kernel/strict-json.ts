/** Reads JSON text under the strict rules that signed and hashed documents need (RFC 8259, spec 1.1 and 1.9). */
import { quote } from "./codes/row.ts";
import type { JsonValue } from "./json.ts";
import { formatJsonPath, type JsonPath } from "./json-path.ts";

/** The document's author controls the nesting; every reader of it may recurse this deep and no deeper. */
export const MAX_JSON_DEPTH = 64;
/** The document's author controls the length; counted in UTF-8 bytes. Callers with larger documents say so. */
export const MAX_JSON_BYTES = 8 * 1024 * 1024;

export type StrictJsonReason =
  | "too_large"
  | "invalid_utf8"
  | "byte_order_mark"
  | "empty"
  | "syntax"
  | "trailing_content"
  | "too_deep"
  | "duplicate_key"
  | "unsafe_integer"
  | "number_out_of_range"
  | "lone_surrogate";

/** Why a text is no strict JSON, and where: line and column count from 1, in characters. */
export class StrictJsonError extends Error {
  readonly reason: StrictJsonReason;
  readonly line: number;
  readonly column: number;
  /** The value or key at fault. */
  readonly path: JsonPath;
  /** What is wrong, without the place. */
  readonly says: string;

  constructor(reason: StrictJsonReason, says: string, at: { line: number; column: number; path: JsonPath }) {
    super(`${says} (line ${at.line}, column ${at.column}, at ${formatJsonPath(at.path)})`);
    this.name = "StrictJsonError";
    this.reason = reason;
    this.says = says;
    this.line = at.line;
    this.column = at.column;
    this.path = at.path;
  }
}

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
  new Scan(text, options).document();
  return JSON.parse(text) as JsonValue;
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

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** One walk over the text that accepts exactly the strict grammar; JSON.parse then builds the value. */
class Scan {
  readonly #text: string;
  readonly #maxDepth: number;
  readonly #safeIntegers: boolean;
  readonly #wellFormed: boolean;
  readonly #path: (string | number)[] = [];
  // Sticky expressions skip whole runs natively, which is what makes a scan of a cold process cheap.
  readonly #space = /[ \t\n\r]*/y;
  readonly #plain = /[^"\\\u0000-\u001f]*/y;
  readonly #escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;
  readonly #number = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?/y;
  #at = 0;

  constructor(text: string, options: StrictJsonOptions) {
    this.#text = text;
    this.#maxDepth = options.maxDepth ?? MAX_JSON_DEPTH;
    this.#safeIntegers = options.integers !== "any";
    this.#wellFormed = text.isWellFormed();
  }

  document(): void {
    this.#skipSpace();
    if (this.#at === this.#text.length) this.#refuse("empty", "holds no JSON value");
    this.#value(0);
    this.#skipSpace();
    if (this.#at < this.#text.length) this.#refuse("trailing_content", "goes on after its JSON value");
  }

  #value(depth: number): void {
    switch (this.#text[this.#at]) {
      case "{":
        this.#object(depth + 1);
        return;
      case "[":
        this.#array(depth + 1);
        return;
      case '"':
        this.#string();
        return;
      case "t":
        this.#word("true");
        return;
      case "f":
        this.#word("false");
        return;
      case "n":
        this.#word("null");
        return;
      default:
        this.#numeral();
    }
  }

  #object(depth: number): void {
    this.#enter(depth);
    if (this.#closes("}")) return;
    const seen = new Set<string>();
    do {
      this.#skipSpace();
      const start = this.#at;
      if (this.#text.charCodeAt(start) !== QUOTE) this.#refuse("syntax", "should have a key in double quotes here");
      const key = this.#string();
      this.#path.push(key);
      if (seen.has(key)) this.#refuse("duplicate_key", `has the key ${quote(key)} twice in one object`, start);
      seen.add(key);
      this.#skipSpace();
      this.#expect(":");
      this.#skipSpace();
      this.#value(depth);
      this.#path.pop();
    } while (this.#continues("}"));
  }

  #array(depth: number): void {
    this.#enter(depth);
    if (this.#closes("]")) return;
    let index = 0;
    do {
      this.#skipSpace();
      this.#path.push(index);
      this.#value(depth);
      this.#path.pop();
      index += 1;
    } while (this.#continues("]"));
  }

  #enter(depth: number): void {
    if (depth > this.#maxDepth) this.#refuse("too_deep", `is nested more than ${this.#maxDepth} levels deep`);
    this.#at += 1;
    this.#skipSpace();
  }

  #closes(end: string): boolean {
    if (this.#text[this.#at] !== end) return false;
    this.#at += 1;
    return true;
  }

  #continues(end: string): boolean {
    this.#skipSpace();
    if (this.#closes(end)) return false;
    const found = this.#text[this.#at];
    if (found !== ",") this.#refuse("syntax", `should have \`,\` or \`${end}\` here`);
    this.#at += 1;
    return true;
  }

  /** Steps over a string and gives its value. */
  #string(): string {
    const start = this.#at;
    let escaped = false;
    this.#at += 1;
    for (;;) {
      this.#at = this.#run(this.#plain) ?? this.#at;
      const code = this.#text.charCodeAt(this.#at);
      if (code === QUOTE) break;
      if (code !== BACKSLASH) {
        const says = Number.isNaN(code) ? "ends inside a string" : "has a control character inside a string";
        this.#refuse("syntax", says);
      }
      escaped = true;
      const next = this.#run(this.#escape);
      if (next === undefined) this.#refuse("syntax", "has an unknown escape inside a string");
      else this.#at = next;
    }
    this.#at += 1;
    if (!escaped && this.#wellFormed) return this.#text.slice(start + 1, this.#at - 1);
    const value = JSON.parse(this.#text.slice(start, this.#at)) as string;
    if (!value.isWellFormed()) this.#refuse("lone_surrogate", "has half of a surrogate pair in a string", start);
    return value;
  }

  #numeral(): void {
    const start = this.#at;
    this.#number.lastIndex = start;
    const match = this.#number.exec(this.#text);
    if (match === null) {
      this.#refuse("syntax", start === this.#text.length ? "ends too early" : "should have a value here");
      return;
    }
    this.#at = this.#number.lastIndex;
    const [digits, fraction, exponent] = match;
    const number = Number(digits);
    if (!Number.isFinite(number)) this.#refuse("number_out_of_range", "has a number beyond the double range", start);
    const whole = fraction === undefined && exponent === undefined;
    if (whole && this.#safeIntegers && !Number.isSafeInteger(number)) {
      this.#refuse("unsafe_integer", "has an integer beyond 2^53 - 1, whose digits would be lost", start);
    }
  }

  #word(word: string): void {
    if (!this.#text.startsWith(word, this.#at)) this.#refuse("syntax", "should have a value here");
    this.#at += word.length;
  }

  #expect(char: string): void {
    if (this.#text[this.#at] !== char) this.#refuse("syntax", `should have \`${char}\` here`);
    this.#at += 1;
  }

  #skipSpace(): void {
    this.#at = this.#run(this.#space) ?? this.#at;
  }

  /** Where a sticky expression that starts here ends, undefined when it does not match. */
  #run(expression: RegExp): number | undefined {
    expression.lastIndex = this.#at;
    return expression.test(this.#text) ? expression.lastIndex : undefined;
  }

  #refuse(reason: StrictJsonReason, says: string, offset: number = this.#at): never {
    const before = this.#text.slice(0, offset);
    const line = before.split("\n").length;
    const column = offset - before.lastIndexOf("\n");
    throw new StrictJsonError(reason, says, { line, column, path: [...this.#path] });
  }
}
