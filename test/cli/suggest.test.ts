/** Did you mean: near misses are offered, far ones are not. */
import { expect, test } from "bun:test";
import { nearest } from "../../src/cli/suggest.ts";

const known = ["installed", "install", "list", "gc", "doctor"];

test("a slip of the hand, a wrong case and a beginning are recognised", () => {
  expect(nearest("instal", known)).toBe("install");
  expect(nearest("INSTALL", known)).toBe("install");
  expect(nearest("lits", known)).toBe("list");
  expect(nearest("gd", known)).toBe("gc");
  expect(nearest("lis", known)).toBe("list");
  expect(nearest("doc", known)).toBe("doctor");
  expect(nearest("dcotor", known)).toBe("doctor");
});

test("another word is not", () => {
  expect(nearest("search", known)).toBeUndefined();
  expect(nearest("x", known)).toBeUndefined();
  expect(nearest("list", [])).toBeUndefined();
});
