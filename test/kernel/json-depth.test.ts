import { describe, expect, test } from "bun:test";
import type { JsonValue } from "../../src/kernel/json.ts";
import { cutToDepth, nestsDeeper } from "../../src/kernel/json-depth.ts";

/** A value of exactly this many levels, objects and lists by turns. */
function nested(levels: number): JsonValue {
  let value: JsonValue = 1;
  for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value] : { a: value, b: null };
  return value;
}

describe("nesting", () => {
  test("is counted in objects and lists, to the limit and one past it", () => {
    expect([0, 1, 2, 7].map((levels) => nestsDeeper(nested(levels), levels))).toEqual([false, false, false, false]);
    expect([1, 2, 7].map((levels) => nestsDeeper(nested(levels), levels - 1))).toEqual([true, true, true]);
    expect(nestsDeeper([null, "text", {}], 2)).toBe(false);
  });

  test("of two hundred thousand levels is seen without running out of stack", () => {
    expect(nestsDeeper(JSON.parse("[".repeat(200_000) + "]".repeat(200_000)), 500)).toBe(true);
  });

  test("within the limit is left as it is, past it only what lies deeper is emptied", () => {
    const value = nested(4);
    expect(cutToDepth(value, 4)).toBe(value);
    const mixed: JsonValue = { a: [1, { b: 2 }, [3]], c: "d" };
    expect(cutToDepth(mixed, 2)).toEqual({ a: [1, {}, []], c: "d" });
    expect(cutToDepth<JsonValue>([[1]], 1)).toEqual([[]]);
  });
});
