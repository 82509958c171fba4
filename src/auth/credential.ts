/** A secret that cannot be printed: it leaves this file only inside a header value, and it can mask itself in text. */
import { maskPattern } from "./mask-pattern.ts";

const MASK = "[REDACTED]";
/** Read by console.log and util.inspect; the symbol itself, because node:util would slow every start. */
const INSPECT = Symbol.for("nodejs.util.inspect.custom");
/** What is shorter is no secret, and masking it would eat the text. */
const MIN_MASKED_LENGTH = 4;

export class Credential {
  readonly #secret: string;
  #pattern: RegExp | undefined;

  constructor(secret: string) {
    this.#secret = secret;
  }

  /** `<scheme> <secret>`, the value of the header that the manifest names (spec 1.2). */
  headerValue(scheme: "Bearer" | "Bot"): string {
    return `${scheme} ${this.#secret}`;
  }

  /** Whether both hold the same secret. */
  equals(other: Credential): boolean {
    return this.#secret === other.#secret;
  }

  /**
   * The text with every occurrence masked: the secret itself, with its special characters percent-encoded or escaped
   * as in JSON, and in base64 or base64url at any alignment (DECISIONS 33). One shorter than 4 characters is left alone.
   */
  maskIn(text: string): string {
    if (this.#secret.length < MIN_MASKED_LENGTH) return text;
    this.#pattern ??= maskPattern(this.#secret);
    return text.replace(this.#pattern, MASK);
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [INSPECT](): string {
    return MASK;
  }
}

/** Anything but visible ASCII and spaces: most of it no header may hold, the rest would be sent as other bytes. */
const UNSENDABLE = /[^\x20-\x7e]/;

/** Why this secret cannot be the value of a header, as the end of a sentence; undefined when it can (DECISIONS 27). */
export function unsendable(secret: string): string | undefined {
  if (/[\r\n]/.test(secret)) return "it holds a line break";
  return UNSENDABLE.test(secret) ? "it holds a character that no header may carry" : undefined;
}
