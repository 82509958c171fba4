/** Tells whole numbers that a double cannot count from all others, whatever way JSON spells them. */
import { rawDigits } from "../../kernel/exact-json.ts";
import type { JsonValue } from "../../kernel/json.ts";

const NUMBER = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Whether a JSON number's text is a whole number: `5`, `5.0` and `50e-1` are, `5.5` is not. */
export function isWhole(text: string): boolean {
  const [, integral = "", fraction = "", exponent = "0"] = NUMBER.exec(text) ?? [];
  const digits = integral + fraction;
  const significant = withoutTrailingZeros(digits);
  return significant === 0 || fraction.length - Number(exponent) <= digits.length - significant;
}

/** A loop, because a pattern for zeros at the end takes quadratic time on a model's megabyte of them. */
function withoutTrailingZeros(digits: string): number {
  let length = digits.length;
  while (length > 0 && digits.charCodeAt(length - 1) === 48) length -= 1;
  return length;
}

/** Whether the value is a whole number beyond 2^53 - 1, which most of the programs it passes through would change. */
export function isUnsafeInteger(value: JsonValue | undefined): boolean {
  if (typeof value === "number") return Number.isInteger(value) && !Number.isSafeInteger(value);
  if (typeof value !== "object") return false;
  const digits = rawDigits(value);
  return digits !== undefined && !Number.isSafeInteger(Number(digits)) && isWhole(digits);
}
