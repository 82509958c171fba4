/** Walks a JSON text token by token and says exactly where it breaks a strict rule (RFC 8259, spec 1.1 and 1.9). */
import { quote } from "./codes/row.ts";
import { StrictJsonError, type StrictJsonReason } from "./strict-json-error.ts";

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

export interface ScanRules {
  readonly maxDepth: number;
  readonly safeIntegers: boolean;
}

/** One walk over a text that accepts exactly the strict grammar; `document()` raises StrictJsonError at the first fault. */
export class StrictJsonScan {
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

  constructor(text: string, { maxDepth, safeIntegers }: ScanRules) {
    this.#text = text;
    this.#maxDepth = maxDepth;
    this.#safeIntegers = safeIntegers;
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
