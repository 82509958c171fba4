/** Which texts are placeholders, and how texts with placeholders in them are filled. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { fillPlaceholders, onlyPlaceholder, placeholdersIn } from "../../src/manifest/placeholders.ts";

test("a name is letters, digits and _ in one pair of braces, and starts with no digit", () => {
  expect(placeholdersIn("{a}{_b1}/{A_9} {a}")).toEqual(["a", "_b1", "A_9", "a"]);
  expect(placeholdersIn("{1a} {} {a-b} {a b} {ä} { a } {a {")).toEqual([]);
  expect(placeholdersIn("{{a}}")).toEqual(["a"]);
});

test("only a text that is one placeholder and nothing else stands for the argument itself", () => {
  expect(onlyPlaceholder("{page_id}")).toBe("page_id");
  for (const text of ["", "{}", "{a}{b}", " {a}", "{a}\n", "{{a}}", "a", "{1}"]) {
    expect(onlyPlaceholder(text)).toBeUndefined();
  }
});

test("each placeholder is filled and every other piece goes through the literal rule once", () => {
  const seen: string[] = [];
  const literal = (text: string) => {
    seen.push(text);
    return text.toUpperCase();
  };
  expect(fillPlaceholders("x{a}y{b}", (name) => `<${name}>`, literal)).toBe("X<a>Y<b>");
  expect(seen).toEqual(["x", "y", ""]);
});

test("what is filled in is never looked at again", () => {
  const value = fc.oneof(fc.string(), fc.constantFrom("{a}", "{b}", "$&", "$1", "$$"));
  fc.assert(
    fc.property(value, value, (a, b) => {
      const values: Readonly<Record<string, string>> = { a, b };
      expect(fillPlaceholders("-{a}-{b}-{a}-", (name) => values[name] ?? "")).toBe(`-${a}-${b}-${a}-`);
    }),
  );
});
