/** How untrusted text is quoted in a message. */
import { expect, test } from "bun:test";
import { quote } from "../../src/kernel/codes/row.ts";

test("what steers a terminal is escaped, and a long text is cut", () => {
  expect(quote('a"\n\u001b[2J\u202e')).toBe('"a\\"\\n\\u001b[2J\\u202e"');
  expect(quote("x".repeat(200))).toBe(`"${"x".repeat(200)}"`);
  expect(quote("x".repeat(201))).toBe(`"${"x".repeat(200)}…"`);
});

test("a credential at the place where a text is cut leaves no half of itself", () => {
  expect(quote(`${"x ".repeat(93)}xoxb-0123456789abcdefABCDEF`)).toBe(`"${"x ".repeat(93)}[REDACTED:slac…"`);
});
