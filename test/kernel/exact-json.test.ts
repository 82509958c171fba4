/** Numbers that a double cannot hold pass through Fermix unchanged. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { mayLoseDigits, parseKeepingDigits, withPlainNumbers } from "../../src/kernel/exact-json.ts";

const EXACT = '{"id":12345678901234567890,"price":1.10,"list":[-9007199254740993,1e400],"name":"1.10","__proto__":1}';

test("every digit survives a parse and a print", () => {
  expect(JSON.stringify(parseKeepingDigits(EXACT))).toBe(EXACT);
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
