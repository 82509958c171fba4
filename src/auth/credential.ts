/** A secret that cannot be printed: it leaves this file only inside a header value, and it can mask itself in text. */
import { inspect } from "node:util";

const MASK = "[REDACTED]";

export class Credential {
  readonly #secret: string;

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

  /** The text with every occurrence masked. */
  maskIn(text: string): string {
    return text.replaceAll(this.#secret, MASK);
  }

  toString(): string {
    return MASK;
  }

  toJSON(): string {
    return MASK;
  }

  [inspect.custom](): string {
    return MASK;
  }
}
