/** Params of what the MCP library answers: what is refused, in a few words of ours. */
import { expect, test } from "bun:test";
import { paramsProblem } from "../../src/agent/library-params.ts";

const HELLO = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };

test.each([
  ["initialize", undefined, "initialize needs params"],
  ["initialize", {}, "protocolVersion is missing or malformed"],
  ["initialize", { ...HELLO, protocolVersion: 7 }, "protocolVersion is missing or malformed"],
  ["initialize", { ...HELLO, clientInfo: { name: "t" } }, "clientInfo is missing or malformed"],
  [
    "initialize",
    { ...HELLO, capabilities: { experimental: { ["x".repeat(5_000)]: 1 } } },
    "capabilities is missing or malformed",
  ],
  ["tools/list", { cursor: 7 }, "cursor is missing or malformed"],
  ["initialize", HELLO, undefined],
  ["initialize", { ...HELLO, later: true }, undefined],
  ["tools/list", undefined, undefined],
  ["tools/list", { cursor: "a" }, undefined],
  ["ping", { anything: 1 }, undefined],
  ["unknown/method", { anything: 1 }, undefined],
])("%s is judged before the library sees it: %#", (method, params, problem) => {
  expect(paramsProblem({ jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }) })).toBe(problem);
});
