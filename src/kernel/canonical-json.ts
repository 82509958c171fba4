/** The one canonical text of a JSON value (RFC 8785), for hashing; values that have no single text are refused. */
import canonicalize from "canonicalize";
import type { JsonValue } from "./json.ts";

/** Why a value has no canonical text. */
export class CanonicalJsonError extends Error {
  readonly reason: "unsafe_integer" | "not_finite" | "lone_surrogate" | "not_json";

  constructor(reason: CanonicalJsonError["reason"]) {
    super(`no canonical JSON: ${reason}`);
    this.name = "CanonicalJsonError";
    this.reason = reason;
  }
}

/** From here on ECMAScript writes integers with an exponent, so no digits are claimed that were never there. */
const FIRST_EXPONENT = 1e21;

/**
 * The RFC 8785 text of the value. Raises CanonicalJsonError for NaN and infinities, halves of surrogate pairs, and
 * integers beyond 2^53 - 1 that would be written out in full: two such integers can share one double, so their hash
 * would not tell them apart (spec 1.9). Members that are undefined are left out, as JSON does.
 */
export function canonicalJson(value: JsonValue): string {
  assertCanonical(value);
  const text = canonicalize(value);
  if (text === undefined) throw new CanonicalJsonError("not_json");
  return text;
}

function assertCanonical(root: JsonValue): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const value = pending.pop();
    if (typeof value === "string") assertWellFormed(value);
    else if (typeof value === "number") assertExact(value);
    else if (Array.isArray(value)) pending.push(...value);
    else if (typeof value === "object" && value !== null) {
      for (const [key, member] of Object.entries(value)) {
        assertWellFormed(key);
        pending.push(member);
      }
    } else if (typeof value === "bigint" || typeof value === "function") throw new CanonicalJsonError("not_json");
  }
}

function assertWellFormed(text: string): void {
  if (!text.isWellFormed()) throw new CanonicalJsonError("lone_surrogate");
}

function assertExact(number: number): void {
  if (!Number.isFinite(number)) throw new CanonicalJsonError("not_finite");
  if (Number.isInteger(number) && !Number.isSafeInteger(number) && Math.abs(number) < FIRST_EXPONENT) {
    throw new CanonicalJsonError("unsafe_integer");
  }
}
