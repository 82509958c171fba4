/** Canonical JSON: one text per value, as RFC 8785 and the ecosystem's fixtures pin it (spec 1.9). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { CanonicalJsonError, canonicalJson } from "../../src/kernel/canonical-json.ts";
import type { JsonValue } from "../../src/kernel/json.ts";
import { parseStrictJson } from "../../src/kernel/strict-json.ts";

function reasonFor(value: JsonValue): string | undefined {
  try {
    canonicalJson(value);
    return undefined;
  } catch (error) {
    if (!(error instanceof CanonicalJsonError)) throw error;
    return error.reason;
  }
}

describe("writes", () => {
  const cases: readonly [string, string, string][] = [
    [
      "the numbers of RFC 8785",
      "[333333333.33333329, 1E30, 4.50, 2e-3, 1e-27]",
      "[333333333.3333333,1e+30,4.5,0.002,1e-27]",
    ],
    ["minus zero as zero", "[-0, -0.0]", "[0,0]"],
    [
      "keys by UTF-16 code units",
      '{"\\u20ac":1,"\\r":2,"\\ufb33":3,"1":4,"\\ud83d\\ude00":5,"\\u0080":6,"\\u00f6":7}',
      '{"\\r":2,"1":4,"\u0080":6,"ö":7,"€":1,"😀":5,"\ufb33":3}',
    ],
    [
      "short escapes, lower-case hex for other controls",
      '["\\u000F\\b\\t\\n\\f\\r\\"\\\\\\/\\u001b"]',
      '["\\u000f\\b\\t\\n\\f\\r\\"\\\\/\\u001b"]',
    ],
    [
      "DEL and what is not ASCII as it is, without normalising",
      '["\\u007f\\u00e9e\\u0301\\u2028"]',
      '["\u007f\u00e9e\u0301\u2028"]',
    ],
    ["nested objects sorted, lists in order", '{"b":[{"d":1,"c":null},2],"a":{}}', '{"a":{},"b":[{"c":null,"d":1},2]}'],
    ["a key named __proto__", '{"z":1,"__proto__":{"b":1,"a":2}}', '{"__proto__":{"a":2,"b":1},"z":1}'],
    ["the largest safe integers", "[9007199254740991,-9007199254740991]", "[9007199254740991,-9007199254740991]"],
    ["a bare value", '"x"', '"x"'],
  ];
  for (const [what, text, expected] of cases) {
    test(what, () => expect(canonicalJson(parseStrictJson(text))).toBe(expected));
  }
});

test("refuses what has no single text", () => {
  expect(reasonFor([Number.NaN])).toBe("not_finite");
  expect(reasonFor({ a: Number.NEGATIVE_INFINITY })).toBe("not_finite");
  expect(reasonFor({ a: { b: 9007199254740992 } })).toBe("unsafe_integer");
  expect(reasonFor([-9007199254740992])).toBe("unsafe_integer");
  expect(reasonFor(["\ud800"])).toBe("lone_surrogate");
  expect(reasonFor({ "\udc00": 1 })).toBe("lone_surrogate");
});

test("is the same for every order of keys and every layout", () => {
  const sound = fc.jsonValue({ maxDepth: 5 }).filter((value) => reasonFor(value as JsonValue) === undefined);
  fc.assert(
    fc.property(sound, fc.infiniteStream(fc.nat()), (value, picks) => {
      const canonical = canonicalJson(value as JsonValue);
      const shuffled = shuffle(value as JsonValue, picks);
      expect(canonicalJson(shuffled)).toBe(canonical);
      expect(canonicalJson(parseStrictJson(JSON.stringify(shuffled, null, 3)))).toBe(canonical);
      expect(canonicalJson(parseStrictJson(canonical))).toBe(canonical);
    }),
  );
});

/** The value with the keys of every object in another order. */
function shuffle(value: JsonValue, picks: Iterator<number>): JsonValue {
  if (Array.isArray(value)) return value.map((item) => shuffle(item, picks));
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value).map(([key, member]) => ({
    key,
    member: shuffle(member ?? null, picks),
    rank: Number(picks.next().value),
  }));
  return Object.fromEntries(members.sort((a, b) => a.rank - b.rank).map(({ key, member }) => [key, member]));
}
