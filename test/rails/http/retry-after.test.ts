/** How long to wait, as providers say it: seconds, dates of three forms, reset headers; absurd values are bounded. */
import { describe, expect, test } from "bun:test";
import { retryAfterSeconds } from "../../../src/rails/http/retry-after.ts";
import { NOW } from "./answers.ts";

function wait(headers: Readonly<Record<string, string>>): number | undefined {
  return retryAfterSeconds(new Headers(headers), NOW);
}

const MONTH = 31 * 86_400;

describe("HTTP-10/rate-limit Retry-After", () => {
  test.each([
    ["30", 30],
    ["0", 0],
    [" 7 ", 7],
    ["1.2", 2],
    ["Mon, 30 Nov 2026 12:01:30 GMT", 90],
    ["Monday, 30-Nov-26 12:01:30 GMT", 90],
    ["Mon Nov 30 12:01:30 2026", 90],
    ["Mon, 30 Nov 2026 13:01:30 +0100", 90],
    ["Mon, 30 Nov 2026 11:00:00 GMT", 0],
    [String(MONTH), MONTH],
    [String(MONTH + 1), MONTH],
    ["999999999999999", MONTH],
    ["Fri, 31 Dec 9999 23:59:59 GMT", MONTH],
  ])("%p is %p seconds", (value, seconds) => {
    expect(wait({ "retry-after": value })).toBe(seconds);
  });

  test.each(["", "-5", "1e9", "soon", "NaN", "5, 10", "1234567890123456", "Mon, no date 12:00:00 at all"])(
    "%p says nothing",
    (value) => {
      expect(wait({ "retry-after": value })).toBeUndefined();
    },
  );

  test("no header says nothing", () => {
    expect(wait({})).toBeUndefined();
  });
});

describe("reset headers in the place of Retry-After", () => {
  const inTwoMinutes = String(NOW / 1000 + 120);

  test("X names the moment in Unix time", () => {
    expect(wait({ "x-rate-limit-reset": inTwoMinutes, "x-rate-limit-remaining": "0" })).toBe(120);
  });

  test("GitHub's moment counts only when nothing of the budget is left: a secondary limit has another", () => {
    expect(wait({ "x-ratelimit-reset": inTwoMinutes, "x-ratelimit-remaining": "0" })).toBe(120);
    expect(wait({ "x-ratelimit-reset": inTwoMinutes, "x-ratelimit-remaining": "14" })).toBeUndefined();
  });

  test("Discord counts seconds with a fraction", () => {
    expect(wait({ "x-ratelimit-reset-after": "64.57", "x-ratelimit-reset": inTwoMinutes })).toBe(65);
  });

  test("a small number is seconds", () => {
    expect(wait({ "ratelimit-reset": "45" })).toBe(45);
  });

  test("Retry-After comes first; one that cannot be read leaves the word to the next", () => {
    expect(wait({ "retry-after": "5", "x-rate-limit-reset": inTwoMinutes })).toBe(5);
    expect(wait({ "retry-after": "soon", "x-rate-limit-reset": inTwoMinutes })).toBe(120);
  });

  test("a moment that is past is now, one beyond a month is a month", () => {
    expect(wait({ "x-rate-limit-reset": "1000000000" })).toBe(0);
    expect(wait({ "x-rate-limit-reset": "999999999999999" })).toBe(MONTH);
  });
});
