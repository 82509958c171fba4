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

test("a word that other programs have for it leads to it, where it is known", () => {
  const verbs = ["catalog", "clear", "info", "install", "list", "logout", "reload", "uninstall", "upgrade"];
  const words = ["add", "ADD", "delete", "find", "ls", "remove", "rm", "search", "show", "update"];
  expect(words.map((word) => nearest(word, verbs))).toEqual([
    "install",
    "install",
    "uninstall",
    "catalog",
    "list",
    "uninstall",
    "uninstall",
    "catalog",
    "info",
    "upgrade",
  ]);
  expect(nearest("remove", ["set", "clear", "login"])).toBe("clear");
});

test("another word is not", () => {
  expect(nearest("search", known)).toBeUndefined();
  expect(nearest("x", known)).toBeUndefined();
  expect(nearest("list", [])).toBeUndefined();
});
