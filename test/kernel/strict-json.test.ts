/** Strict JSON: what a signed document may not contain is refused with its reason and its place. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  MAX_JSON_DEPTH,
  parseJsonBytes,
  parseStrictJson,
  type StrictJsonOptions,
} from "../../src/kernel/strict-json.ts";
import { StrictJsonError } from "../../src/kernel/strict-json-error.ts";

/** The refusal's reason, path and place, or the value. */
function outcome(source: string | Uint8Array, options: StrictJsonOptions = {}): unknown {
  try {
    return { value: typeof source === "string" ? parseStrictJson(source, options) : parseJsonBytes(source, options) };
  } catch (error) {
    if (!(error instanceof StrictJsonError)) throw error;
    return `${error.reason} ${error.line}:${error.column} ${JSON.stringify(error.path)}`;
  }
}

const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

describe("refuses, with the place", () => {
  const cases: readonly [string, string, string][] = [
    ["a duplicate key", '{"a":1,"a":2}', 'duplicate_key 1:8 ["a"]'],
    ["a duplicate key deep inside", '{"x":[{},\n {"a":1, "a":2}]}', 'duplicate_key 2:10 ["x",1,"a"]'],
    ["keys that are equal once unescaped", '{"a":1,"\\u0061":2}', 'duplicate_key 1:8 ["a"]'],
    ["two __proto__ keys", '{"__proto__":1,"__proto__":2}', 'duplicate_key 1:16 ["__proto__"]'],
    ["a duplicate key of integer form", '{"1":1,"0":2,"1":3}', 'duplicate_key 1:14 ["1"]'],
    ["a duplicate key with space before one colon", '{"a" :1,"a":2}', 'duplicate_key 1:9 ["a"]'],
    ["a duplicate key beside a text that looks like one", '{"a":"\\":","a":2}', 'duplicate_key 1:12 ["a"]'],
    ["a duplicate key beside a hash of digits", '{"a":"1234567890123456","a":"1e999"}', 'duplicate_key 1:25 ["a"]'],
    ["a byte order mark", "\ufeff{}", "byte_order_mark 1:1 []"],
    ["nothing", "", "empty 1:1 []"],
    ["only space", " \n ", "empty 2:2 []"],
    ["trailing garbage", "{} x", "trailing_content 1:4 []"],
    ["a second value", "1 2", "trailing_content 1:3 []"],
    ["a trailing comma", '{"a":1,}', "syntax 1:8 []"],
    ["a trailing comma in a list", "[1,]", "syntax 1:4 [1]"],
    ["a missing comma", '{"a":1 "b":2}', "syntax 1:8 []"],
    ["a missing colon", '{"a" 1}', 'syntax 1:6 ["a"]'],
    ["single quotes", "{'a':1}", "syntax 1:2 []"],
    ["a comment", "{} // note", "trailing_content 1:4 []"],
    ["an open string", '{"a":"b', 'syntax 1:8 ["a"]'],
    ["a raw newline in a string", '{"a":"b\n"}', 'syntax 1:8 ["a"]'],
    ["an unknown escape", '["\\x41"]', "syntax 1:3 [0]"],
    ["a leading zero", "[01]", "syntax 1:3 []"],
    ["a plus sign", "[+1]", "syntax 1:2 [0]"],
    ["NaN", "[NaN]", "syntax 1:2 [0]"],
    ["Infinity", "[Infinity]", "syntax 1:2 [0]"],
    ["a word that only starts right", "[truth]", "syntax 1:2 [0]"],
    ["an object that never ends", '{"a":{', 'syntax 1:7 ["a"]'],
    ["an integer one past 2^53 - 1", "[9007199254740992]", "unsafe_integer 1:2 [0]"],
    ["a negative integer one past", "[-9007199254740992]", "unsafe_integer 1:2 [0]"],
    ["an unsafe integer alone", "9007199254740993", "unsafe_integer 1:1 []"],
    ["an unsafe integer after a colon", '{"a":90071992547409930}', 'unsafe_integer 1:6 ["a"]'],
    ["a long number beyond the double range", "[0, -1.5E+309]", "number_out_of_range 1:5 [1]"],
    ["a number beyond the double range", "[1e999]", "number_out_of_range 1:2 [0]"],
    ["half a surrogate pair, escaped", '{"a":"\\ud800"}', 'lone_surrogate 1:6 ["a"]'],
    ["half a surrogate pair in a key", '{"\\udc00":1}', "lone_surrogate 1:2 []"],
    ["half a surrogate pair, raw", '["\ud800"]', "lone_surrogate 1:2 [0]"],
    [
      "one level too many",
      nested(MAX_JSON_DEPTH + 1),
      `too_deep 1:65 ${JSON.stringify(Array(MAX_JSON_DEPTH).fill(0))}`,
    ],
  ];
  for (const [what, text, expected] of cases) test(what, () => expect(outcome(text)).toBe(expected));

  test("bytes that are no UTF-8", () => {
    expect(outcome(Uint8Array.of(0x22, 0xff, 0x22))).toBe("invalid_utf8 1:1 []");
  });

  test("a byte order mark in bytes", () => {
    expect(outcome(Uint8Array.of(0xef, 0xbb, 0xbf, 0x31))).toBe("byte_order_mark 1:1 []");
  });

  test("a nesting that would exhaust any stack, at once", () => {
    expect(outcome(nested(100_000))).toStartWith("too_deep");
    expect(outcome("[".repeat(1_000_000))).toStartWith("too_deep");
    expect(outcome('{"a":'.repeat(1_000_000))).toStartWith("too_deep");
  });
});

describe("accepts", () => {
  test("the largest safe integers", () => {
    expect(outcome("[9007199254740991,-9007199254740991]")).toEqual({ value: [9007199254740991, -9007199254740991] });
  });

  test("numbers with an exponent or a fraction as doubles, also large ones", () => {
    expect(outcome("[1E30,4.50,2e-3,1e-27,333333333.33333329]")).toEqual({
      value: [1e30, 4.5, 0.002, 1e-27, 333333333.3333333],
    });
  });

  test("unsafe integers when asked to", () => {
    expect(outcome("9007199254740993", { integers: "any" })).toEqual({ value: 9007199254740992 });
  });

  test("the deepest allowed nesting", () => {
    expect(outcome(nested(MAX_JSON_DEPTH))).toHaveProperty("value");
    expect(outcome("[[1]]", { maxDepth: 2 })).toEqual({ value: [[1]] });
    expect(outcome("[[[1]]]", { maxDepth: 2 })).toStartWith("too_deep");
  });

  test("exactly the byte bound, counted in UTF-8", () => {
    expect(outcome('"é"', { maxBytes: 4 })).toEqual({ value: "é" });
    expect(outcome('"éé"', { maxBytes: 5 })).toBe("too_large 1:1 []");
    expect(outcome(new TextEncoder().encode('"é"'), { maxBytes: 4 })).toEqual({ value: "é" });
    expect(outcome(new TextEncoder().encode('"é" '), { maxBytes: 4 })).toBe("too_large 1:1 []");
  });

  test("escaped pairs, DEL and every kind of space", () => {
    expect(outcome('\t\r\n {"\\ud83d\\ude00":"\u007f"} ')).toEqual({ value: { "😀": "\u007f" } });
  });

  test("prototype names as plain keys", () => {
    const value = parseStrictJson('{"__proto__":{"x":1},"constructor":2}');
    expect(Object.keys(value ?? {})).toEqual(["__proto__", "constructor"]);
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  test("strings of megabytes, plain and full of escapes", () => {
    const long = `["${"x".repeat(2_000_000)}","${"\\n".repeat(1_000_000)}"]`;
    expect(parseStrictJson(long)).toEqual(["x".repeat(2_000_000), "\n".repeat(1_000_000)]);
  });
});

describe("agrees with JSON.parse", () => {
  test("on every JSON value, however it is laid out", () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.constantFrom(undefined, 1, "\t"), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        const reason = (outcome(text) as { value?: unknown }).value === undefined ? outcome(text) : undefined;
        // Only what JSON itself allows and strict JSON does not may be refused.
        if (typeof reason === "string") expect(reason).toMatch(/^(lone_surrogate|unsafe_integer)/);
        else expect(parseStrictJson(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test("on what is no JSON: both refuse, or a strict rule says why", () => {
    const token = fc.constantFrom(
      "{",
      "}",
      "[",
      "]",
      ",",
      ":",
      '"a"',
      '"b"',
      "1",
      "-0",
      "1.5e3",
      "null",
      "true",
      " ",
      '"\\u00e9"',
    );
    fc.assert(
      fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
        const text = tokens.join("");
        const strict = outcome(text);
        let plain: unknown;
        try {
          plain = { value: JSON.parse(text) as unknown };
        } catch {
          plain = undefined;
        }
        if (typeof strict !== "string") expect(plain).toEqual(strict);
        else if (plain !== undefined) expect(strict).toMatch(/^(duplicate_key|number_out_of_range)/);
      }),
      { numRuns: 2000 },
    );
  });

  test("a key written twice is found wherever it is", () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(keys, fc.nat(), fc.jsonValue({ maxDepth: 2 }), (names, pick, inner) => {
        const twice = names[pick % names.length] ?? "";
        const members = [...names, twice].map((key) => `${JSON.stringify(key)}: ${JSON.stringify(inner)}`);
        expect(outcome(`[{${members.join(", ")}}]`)).toMatch(/^(duplicate_key|lone_surrogate|unsafe_integer)/);
      }),
    );
  });
});
