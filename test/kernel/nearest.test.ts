/** A slip of the hand is recognised, another name is not, and what was typed may be of any length. */
import { expect, test } from "bun:test";
import { nearestName } from "../../src/kernel/nearest.ts";

const NAMES = ["gmail", "github", "x", "Notes_look"];

test("about a third of the letters may be wrong, up to the most that is allowed", () => {
  expect(nearestName("gmial", NAMES, 2)).toBe("gmail");
  expect(nearestName("GITHUB", NAMES, 2)).toBe("github");
  expect(nearestName("notes_lok", NAMES, 4)).toBe("Notes_look");
  expect(nearestName("gitxxx", NAMES, 2)).toBeUndefined();
  expect(nearestName("gitxxx", NAMES, 3)).toBeUndefined();
  expect(nearestName("notes_lxxk", NAMES, 1)).toBeUndefined();
});

test("of two the nearer, and of two as near the first", () => {
  expect(nearestName("slac", ["slick", "slack"], 2)).toBe("slack");
  expect(nearestName("slxck", ["slick", "slack"], 2)).toBe("slick");
});

test("one letter is nobody's slip, nothing typed is no name, and no names have none", () => {
  expect(nearestName("y", NAMES, 2)).toBeUndefined();
  expect(nearestName("", NAMES, 2)).toBeUndefined();
  expect(nearestName("gmail", [], 2)).toBeUndefined();
  expect(nearestName("g".repeat(1_000_000), NAMES, 2)).toBeUndefined();
});
