/** Numbers that a double cannot hold pass through Fermix unchanged. */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import {
  mayLoseDigits,
  parseKeepingDigits,
  rawDigits,
  rawNumber,
  withPlainNumbers,
} from "../../src/kernel/exact-json.ts";

const EXACT = '{"id":12345678901234567890,"price":1.10,"list":[-9007199254740993,1e400],"name":"1.10","__proto__":1}';

test("every digit survives a parse and a print", () => {
  expect(JSON.stringify(parseKeepingDigits(EXACT))).toBe(EXACT);
});

/** What the language itself gives, one slow call for each value. */
function bySource(text: string): unknown {
  const json = JSON as unknown as {
    parse(text: string, reviver: (key: string, value: unknown, context: { source?: string }) => unknown): unknown;
  };
  return json.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? rawNumber(source) : value,
  );
}

describe("the values are those of the language's own parser that is told the source", () => {
  const number = fc.oneof(
    fc.stringMatching(/^-?(?:0|[1-9]\d{0,25})(?:\.\d{1,25})?(?:[eE][+-]?\d{1,3})?$/),
    fc.constantFrom(
      "-0",
      "0",
      "0.0",
      "1e300",
      "-1e300",
      "2e300",
      "5e+300",
      "1.5e301",
      "1e400",
      "-1e-400",
      "1E5",
      "0e0",
    ),
    fc.constantFrom("9007199254740991", "9007199254740992", "9007199254740993", "999999999999999", "1e21", "1e+21"),
  );
  const string = fc.oneof(
    fc.string({ unit: "binary" }).map((text) => JSON.stringify(text)),
    fc
      .array(fc.constantFrom("\\\\", '\\"', "\\u0022", "12345678901234567890", "1e300", "a", " "), { maxLength: 6 })
      .map((parts) => `"${parts.join("")}"`),
    fc.constantFrom('"__proto__"', '"1"', '"constructor"', '""'),
  );
  const space = fc.constantFrom("", " ", "\n\t");
  const { json } = fc.letrec<{ json: string }>((tie) => ({
    json: fc.oneof(
      { depthSize: "small", withCrossShrink: true },
      number,
      string,
      fc.constantFrom("true", "false", "null"),
      fc
        .tuple(space, fc.array(tie("json"), { maxLength: 4 }))
        .map(([gap, items]) => `[${gap}${items.join(`${gap},`)}${gap}]`),
      fc
        .tuple(space, fc.array(fc.tuple(string, tie("json")), { maxLength: 4 }))
        .map(
          ([gap, members]) => `{${gap}${members.map(([key, value]) => `${key}${gap}:${value}`).join(`,${gap}`)}${gap}}`,
        ),
    ),
  }));

  test("for any JSON", () => {
    fc.assert(
      fc.property(json, (text) => {
        const value = parseKeepingDigits(text);
        expect(JSON.stringify(value)).toBe(JSON.stringify(bySource(text)));
        expect(value).toEqual(bySource(text));
      }),
      { numRuns: 3000 },
    );
  });

  test("and what is no JSON is a SyntaxError", () => {
    for (const text of ["", "[1", "01", "1.", '"', '{"a":12345678901234567890', "12345678901234567890 1", "[1e300,]"]) {
      expect(() => parseKeepingDigits(text)).toThrow(SyntaxError);
    }
  });
});

test("a flood of spellings is not kept, which would block the process for seconds, and every value still is", () => {
  const kept = Array.from({ length: 50_000 }, () => "1.10");
  const others = [
    "1.10",
    "1E45",
    "1e20",
    "-0.50",
    "12345678901234567890",
    "0.12345678901234567",
    "1e999",
    "-1e-999",
    "1e+300",
  ];
  const value = parseKeepingDigits(`[${[...kept, ...others].join(",")}]`);
  const printed = [
    "1.1",
    "1e+45",
    "1e20",
    "-0.5",
    "12345678901234567890",
    "0.12345678901234567",
    "1e999",
    "-1e-999",
    "1e+300",
  ];
  expect(JSON.stringify(value)).toBe(`[${[...kept, ...printed].join(",")}]`);
});

test("depth is no matter", () => {
  const text = `${"[".repeat(100_000)}1.10${"]".repeat(100_000)}`;
  let value = parseKeepingDigits(text);
  while (Array.isArray(value)) value = value[0];
  expect(rawDigits(value)).toBe("1.10");
});

test("plain numbers replace raw ones for judging, and nothing is copied when there are none", () => {
  expect(withPlainNumbers(parseKeepingDigits('{"a":[12345678901234567890],"b":{"c":"x"}}'))).toEqual({
    a: [12345678901234567000],
    b: { c: "x" },
  });
  const untouched = parseKeepingDigits('{"a":[1,{"b":null}],"c":"12345678901234567890"}');
  expect(withPlainNumbers(untouched)).toBe(untouched);
});

test("a text that JSON.parse changes in value is always noticed", () => {
  for (const number of ["9007199254740993", "12345678901234567890", "0.12345678901234567891", "1e400", "-1E+99"]) {
    expect(mayLoseDigits(`{"n":${number}}`)).toBe(true);
  }
  fc.assert(
    fc.property(fc.bigInt(), (value) => {
      const text = String(value);
      if (!mayLoseDigits(text)) expect(BigInt(Number(text))).toBe(value);
    }),
  );
});
