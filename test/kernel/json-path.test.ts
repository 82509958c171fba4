/** Places in a document as people read them. */
import { expect, test } from "bun:test";
import { formatJsonPath } from "../../src/kernel/json-path.ts";

test("keys and indexes read like code, odd keys are quoted", () => {
  expect(formatJsonPath([])).toBe("$");
  expect(formatJsonPath(["tools", 2, "request", "url"])).toBe("tools[2].request.url");
  expect(formatJsonPath([0, "a"])).toBe("[0].a");
  expect(formatJsonPath(["headers", "X-Api-Version"])).toBe("headers.X-Api-Version");
  expect(formatJsonPath(["", "a b", "c.d", "\u001b[31m"])).toBe('[""]["a b"]["c.d"]["\\u001b[31m"]');
});
