/** Bodies: types kept, absent arguments leave no trace, texts filled in. */
import { expect, test } from "bun:test";
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import { renderBody } from "../../../src/rails/http/render-body.ts";
import { args } from "./templates.ts";

function body(template: JsonValue, given: Readonly<Record<string, JsonValue>> = {}): JsonValue {
  return renderBody(template, args(given));
}

test("a leaf that is one placeholder becomes the argument with its own type", () => {
  const given = { s: "5", n: 5, b: false, z: null, l: [1, "x"], o: { a: {} }, e: "", el: [], eo: {} };
  const template = Object.fromEntries(Object.keys(given).map((key) => [key, `{${key}}`]));
  expect(body(template, given)).toEqual(given);
  expect(body("{o}", given)).toEqual({ a: {} });
});

test("an absent argument takes its member or item, and what that leaves empty, with it", () => {
  expect(body({ text: "{text}", reply: { to: "{to}" } }, { text: "hi" })).toEqual({ text: "hi" });
  expect(body({ parents: ["{parent}"], name: "{name}" }, { name: "n" })).toEqual({ name: "n" });
  expect(body({ a: ["{x}", "{y}", "z"], b: [{ c: [["{x}"]] }] }, { y: 1 })).toEqual({ a: [1, "z"] });
});

test("what the author wrote empty stays", () => {
  expect(body({ a: {}, b: [], c: [{}, []], d: null, e: "" })).toEqual({ a: {}, b: [], c: [{}, []], d: null, e: "" });
});

test("a body of which nothing is left is an empty object", () => {
  expect(body({ a: "{a}", b: { c: ["{c}"] } })).toEqual({});
  expect(body(["{a}"])).toEqual({});
  expect(body("{a}")).toEqual({});
});

test("text around placeholders is filled in, and absent or null leaves nothing there", () => {
  const given = { a: "x", n: 5, l: ["p", 1], o: { k: true }, z: null };
  expect(body(["{a}-{n}", "({l})", "{o}{a}", "[{z}{gone}]"], given)).toEqual(["x-5", "(p,1)", '{"k":true}x', "[]"]);
});

test("a filled-in value is never looked into for placeholders, and keys hold none", () => {
  expect(body({ "{a}": "{a}", m: "<{a}>" }, { a: "{b}", b: "secret" })).toEqual({ "{a}": "{b}", m: "<{b}>" });
  expect(body(["$&{a}$1"], { a: "$&$`$'" })).toEqual(["$&$&$`$'$1"]);
});

test("braces that are no placeholder are text", () => {
  expect(body({ query: "query { viewer { login } }", t: "{1}{}{a-b}" })).toEqual({
    query: "query { viewer { login } }",
    t: "{1}{}{a-b}",
  });
});

test("numbers keep their digits, and members called like a prototype's are members", () => {
  const template = JSON.parse('{"__proto__":"{n}","constructor":["{n}"]}') as JsonValue;
  const written = JSON.stringify(body(template, { n: parseKeepingDigits("12345678901234567890") as JsonValue }));
  expect(written).toBe('{"__proto__":12345678901234567890,"constructor":[12345678901234567890]}');
  expect(body(["n={n}"], { n: parseKeepingDigits("1.10") as JsonValue })).toEqual(["n=1.10"]);
});
