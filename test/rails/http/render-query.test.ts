/** Queries as they are written, to the character. */
import { describe, expect, test } from "bun:test";
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import { renderQuery } from "../../../src/rails/http/render-query.ts";
import { expectRefusal } from "../../expect.ts";
import { args, template } from "./templates.ts";

type Style = "repeat" | "comma" | "bracket";

function query(
  written: Readonly<Record<string, JsonValue>>,
  given: Readonly<Record<string, JsonValue>>,
  rules: { queryStyle?: Style; queryEmpty?: "omit" | "send" } = {},
): string {
  return renderQuery(template({ query: written, ...rules }), args(given));
}

test("a key that is one placeholder is sent as its argument, or left out when it is absent or null", () => {
  const written = { q: "{q}", limit: "{limit}", deep: "{deep}", on: "{on}", since: "{since}", none: "{none}" };
  const given = { q: "a b+c/d&e=f", limit: 10, deep: { a: [1] }, on: false, none: null };
  expect(query(written, given)).toBe("q=a%20b%2Bc%2Fd%26e%3Df&limit=10&deep=%7B%22a%22%3A%5B1%5D%7D&on=false");
  expect(query(written, {})).toBe("");
});

test("an empty text was given, so it is sent", () => {
  expect(query({ q: "{q}" }, { q: "" })).toBe("q=");
});

test("text around placeholders stays, and an absent argument leaves nothing", () => {
  const written = { q: "repo:{owner}/{repo} is:{kind}", fields: "a,b" };
  expect(query(written, { owner: "o&x", repo: "r" })).toBe("q=repo%3Ao%26x%2Fr%20is%3A&fields=a%2Cb");
  expect(query({ q: "in:{labels}" }, { labels: ["a,b", "c"] })).toBe("q=in%3Aa%2Cb,c");
  expect(query({ q: "x{n}" }, { n: null })).toBe("q=x");
});

test("what is no text in the template is sent as its JSON", () => {
  expect(query({ a: true, b: 5, c: 0.5 }, {})).toBe("a=true&b=5&c=0.5");
});

test("keys are encoded, and dots and dashes in them are not", () => {
  expect(query({ "user.fields": "x", "filter[a]": "y", "a b": "z" }, {})).toBe("user.fields=x&filter%5Ba%5D=y&a%20b=z");
});

test("numbers keep their digits", () => {
  expect(query({ n: "{n}" }, { n: parseKeepingDigits("9007199254740993") as JsonValue })).toBe("n=9007199254740993");
  expect(query({ n: "{n}" }, { n: parseKeepingDigits("[1.10,2]") as JsonValue })).toBe("n=1.10&n=2");
});

describe("CASE-64: a list is spelt as the template says", () => {
  const tags = ["a b", "c,d", 5, true, { x: 1 }];
  const cases: readonly (readonly [Style, string])[] = [
    ["repeat", "tag=a%20b&tag=c%2Cd&tag=5&tag=true&tag=%7B%22x%22%3A1%7D&n=1"],
    ["comma", "tag=a%20b,c%2Cd,5,true,%7B%22x%22%3A1%7D&n=1"],
    ["bracket", "tag%5B%5D=a%20b&tag%5B%5D=c%2Cd&tag%5B%5D=5&tag%5B%5D=true&tag%5B%5D=%7B%22x%22%3A1%7D&n=1"],
  ];
  for (const [queryStyle, text] of cases) {
    test(queryStyle, () => {
      expect(query({ tag: "{tag}", n: "{n}" }, { tag: tags, n: 1 }, { queryStyle })).toBe(text);
    });
  }
});

describe("CASE-66: an empty list or object is left out unless the template sends it", () => {
  for (const queryStyle of ["repeat", "comma", "bracket"] as const) {
    test(`left out by ${queryStyle}`, () => {
      expect(query({ tag: "{tag}", f: "{f}" }, { tag: [], f: {} }, { queryStyle })).toBe("");
    });
  }
  test("sent with nothing in it", () => {
    const sent = (queryStyle: Style) =>
      query({ tag: "{tag}", f: "{f}" }, { tag: [], f: {} }, { queryStyle, queryEmpty: "send" });
    expect(sent("repeat")).toBe("tag=&f=%7B%7D");
    expect(sent("comma")).toBe("tag=&f=%7B%7D");
    expect(sent("bracket")).toBe("tag%5B%5D=&f=%7B%7D");
  });
  test("a raw number is no empty object", () => {
    expect(query({ n: "{n}" }, { n: parseKeepingDigits("1.0") as JsonValue })).toBe("n=1.0");
  });
});

test("half of a character cannot be sent, and says whose it is", async () => {
  const reason = "it holds half of a character (a lone surrogate), which an address cannot carry";
  for (const written of ["{q}", "x {q}"]) {
    await expectRefusal(() => query({ q: written }, { q: "\udc00" }), "argument_invalid", { argument: "q", reason });
  }
});
