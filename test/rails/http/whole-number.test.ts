/** Whole numbers in every spelling that JSON has for them. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { rawNumber } from "../../../src/kernel/exact-json.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import { isUnsafeInteger, isWhole } from "../../../src/rails/http/whole-number.ts";

test("a fraction of zeros, or one that the exponent moves away, leaves a whole number", () => {
  const whole = [
    "0",
    "-0",
    "0.00",
    "5",
    "5.0",
    "50e-1",
    "1.5e1",
    "120E-1",
    "0e-5",
    "0.0e9",
    "1e400",
    "1.25e+2",
    "-7.0",
  ];
  const broken = ["0.5", "5.01", "5e-1", "1.25e1", "125E-3", "1e-400", "0.1e0", "-7.5", `5.${"0".repeat(50)}1`];
  expect(whole.filter((text) => !isWhole(text))).toEqual([]);
  expect(broken.filter(isWhole)).toEqual([]);
});

test("every spelling of an integer is whole, and unsafe exactly from 2^53 on", () => {
  const near = fc.bigInt({ min: -9_007_199_254_740_995n, max: 9_007_199_254_740_995n });
  fc.assert(
    fc.property(fc.oneof(near, fc.bigInt()), fc.integer({ min: 0, max: 30 }), (value, shift) => {
      const isUnsafe = value > 9_007_199_254_740_991n || value < -9_007_199_254_740_991n;
      for (const text of [`${value}`, `${value}.000`, `${value * 10n ** BigInt(shift)}e-${shift}`, `${value}.0e0`]) {
        expect(isWhole(text)).toBe(true);
        expect(isUnsafeInteger(rawNumber(text) as JsonValue)).toBe(isUnsafe);
      }
    }),
  );
});

test("a number with a fraction is never unsafe, and a doubled one is judged as it is", () => {
  expect(isUnsafeInteger(rawNumber("9007199254740993.5") as JsonValue)).toBe(false);
  expect([2 ** 53 - 1, 2 ** 53, -(2 ** 53), 0.5, 1e308].map(isUnsafeInteger)).toEqual([false, true, true, false, true]);
  for (const other of ["9007199254740993", null, true, [2 ** 53], { a: 2 ** 53 }]) {
    expect(isUnsafeInteger(other)).toBe(false);
  }
});

test("millions of digits are judged at once", () => {
  const zeros = "0".repeat(2_000_000);
  expect(isWhole(`1.${zeros}`)).toBe(true);
  expect(isWhole(`1.${zeros}1${zeros}`)).toBe(false);
});
