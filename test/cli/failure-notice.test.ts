/** Tests of cli/failure-notice.ts: what happened is a sentence, and what helps stands behind it. */
import { expect, test } from "bun:test";
import { failureNotice } from "../../src/cli/failure-notice.ts";

test("a failure and its fix are two sentences, whether or not the first one was ended", () => {
  const fix = "`fermix x`";
  expect(failureNotice({ message: "It failed.", fix })).toBe("It failed. Fix: `fermix x`");
  expect(failureNotice({ message: "it has no token", fix })).toBe("it has no token. Fix: `fermix x`");
  expect(failureNotice({ message: "It breaks a rule:\n  a", fix })).toBe("It breaks a rule:\n  a\nFix: `fermix x`");
});
