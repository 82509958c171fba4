import { describe, expect, test } from "bun:test";
import { FermixError } from "../../../src/kernel/error.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import { CallLane } from "../../../src/rails/local-mcp/call-lane.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { codeOf } from "../contract.ts";
import { LAB, railTool } from "./laboratory.ts";

const TOOL = railTool('the "slow" one', "lab_slow");
const RESULT = { content: [{ type: "text", text: "done" }] };

function setUp(): { clock: ManualClock; lane: CallLane; sent: JsonObject[] } {
  const clock = new ManualClock();
  const sent: JsonObject[] = [];
  const lane = new CallLane(clock, { callMs: 60_000, argumentBytes: 100 }, (line) => {
    expect(line.endsWith("\n")).toBe(true);
    sent.push(JSON.parse(line));
  });
  return { clock, lane, sent };
}

function progress(token: string, more: JsonObject = {}): JsonObject {
  return { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress: 1, ...more } };
}

describe("the lane for calls", () => {
  test("sends tools/call with an id of its own, which is the progress token too", () => {
    const { lane, sent } = setUp();
    void lane.call(TOOL, { a: [1, null, "é"] }, {});
    void lane.call(TOOL, {}, {});
    const request = (id: string, args: JsonObject): JsonObject => ({
      jsonrpc: "2.0",
      id,
      method: "tools/call",
      params: { name: 'the "slow" one', arguments: args, _meta: { progressToken: id } },
    });
    expect(sent).toEqual([request("f1", { a: [1, null, "é"] }), request("f2", {})]);
  });

  test("takes the answers to its own calls and leaves the SDK's", async () => {
    const { lane } = setUp();
    const call = lane.call(TOOL, {}, {});
    expect(lane.take({ jsonrpc: "2.0", id: 1, result: {} })).toBe(false);
    expect(lane.take({ jsonrpc: "2.0", id: "f1", method: "ping" })).toBe(false);
    expect(lane.take({ jsonrpc: "2.0", method: "notifications/tools/list_changed" })).toBe(false);
    expect(lane.take(progress(7 as never))).toBe(false);
    expect(lane.take({ jsonrpc: "2.0", id: "f1", result: RESULT })).toBe(true);
    expect(await call).toEqual({ ok: true, result: RESULT });
    expect(lane.take({ jsonrpc: "2.0", id: "f1", result: RESULT })).toBe(true);
  });

  test("a silent call times out at its deadline and not before, and the server is told", async () => {
    const { clock, lane, sent } = setUp();
    let settled = false;
    const call = lane.call(TOOL, {}, {}).finally(() => {
      settled = true;
    });
    await clock.advance(59_999);
    expect(settled).toBe(false);
    await clock.advance(1);
    const outcome = await call;
    expect(codeOf(outcome)).toBe("call_timed_out");
    expect(outcome).toMatchObject({ error: { details: { plugin: LAB, tool: "lab_slow", afterMs: 60_000 } } });
    expect(sent[1]).toEqual({
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: "f1", reason: "call_timed_out" },
    });
  });

  test("progress prolongs the call: 90 seconds with a sign of life every ten pass", async () => {
    const { clock, lane, sent } = setUp();
    const seen: unknown[] = [];
    const call = lane.call(TOOL, {}, { onProgress: (now) => seen.push(now) });
    for (let at = 1; at <= 9; at += 1) {
      await clock.advance(10_000);
      expect(lane.take(progress("f1", { progress: at, total: 9, message: "going" }))).toBe(true);
    }
    lane.take({ jsonrpc: "2.0", id: "f1", result: RESULT });
    expect(await call).toEqual({ ok: true, result: RESULT });
    expect(seen).toHaveLength(9);
    expect(seen[8]).toEqual({ progress: 9, total: 9, message: "going" });
    expect(sent).toHaveLength(1);
  });

  test("progress of one call does not prolong another", async () => {
    const { clock, lane } = setUp();
    const [silent, lively] = [lane.call(TOOL, {}, {}), lane.call(TOOL, {}, {})];
    await clock.advance(30_000);
    lane.take(progress("f2"));
    await clock.advance(30_000);
    expect(codeOf(await silent)).toBe("call_timed_out");
    await clock.advance(29_999);
    lane.take({ jsonrpc: "2.0", id: "f2", result: RESULT });
    expect((await lively).ok).toBe(true);
  });

  test("one timer serves any number of calls, and none is left when the lane ends", async () => {
    const { clock, lane } = setUp();
    for (let count = 0; count < 50; count += 1) {
      const call = lane.call(TOOL, {}, {});
      lane.take({ jsonrpc: "2.0", id: `f${count + 1}`, result: RESULT });
      await call;
    }
    expect(clock.sleeping).toBe(1);
    lane.end(() => new FermixError("session_closed", { plugin: LAB, tool: "x" }));
    expect(clock.sleeping).toBe(0);
  });

  test("a cancelled call is cancelled on both sides, once", async () => {
    const { lane, sent } = setUp();
    const cancel = new AbortController();
    const call = lane.call(TOOL, {}, { signal: cancel.signal });
    cancel.abort();
    expect(codeOf(await call)).toBe("call_cancelled");
    expect(sent.map(({ method }) => method)).toEqual(["tools/call", "notifications/cancelled"]);
    expect(lane.take({ jsonrpc: "2.0", id: "f1", result: RESULT })).toBe(true);
  });

  test("a call cancelled beforehand is not sent, and one answered is not cancelled later", async () => {
    const { lane, sent } = setUp();
    expect(codeOf(await lane.call(TOOL, {}, { signal: AbortSignal.abort() }))).toBe("call_cancelled");
    const cancel = new AbortController();
    const call = lane.call(TOOL, {}, { signal: cancel.signal });
    lane.take({ jsonrpc: "2.0", id: "f1", result: RESULT });
    cancel.abort();
    expect((await call).ok).toBe(true);
    expect(sent).toHaveLength(1);
  });

  test("when the server ends, all calls end with the first reason, later ones too", async () => {
    const { lane, sent } = setUp();
    const calls = [lane.call(TOOL, {}, {}), lane.call(TOOL, {}, {})];
    lane.end(({ name }) => new FermixError("stdout_flood", { plugin: name, limitBytes: 1 }));
    lane.end(({ name }) => new FermixError("session_closed", { plugin: LAB, tool: name }));
    expect((await Promise.all(calls)).map(codeOf)).toEqual(["stdout_flood", "stdout_flood"]);
    expect(codeOf(await lane.call(TOOL, {}, {}))).toBe("stdout_flood");
    expect(sent).toHaveLength(2);
  });

  test("arguments of exactly the limit are sent and one byte more is refused", async () => {
    const { lane, sent } = setUp();
    void lane.call(TOOL, { a: "x".repeat(100 - '{"a":""}'.length) }, {});
    const outcome = await lane.call(TOOL, { a: "x".repeat(101 - '{"a":""}'.length) }, {});
    expect(outcome).toMatchObject({ error: { details: { bytes: 101, limitBytes: 100 } } });
    expect(codeOf(outcome)).toBe("arguments_too_large");
    expect(sent).toHaveLength(1);
  });

  test.each<[string, JsonObject, string]>([
    ["an error without words", { error: {} }, "tool_refused"],
    ["neither result nor error", {}, "result_invalid"],
    ["a list as result", { result: [] }, "result_invalid"],
    ["content that is no list", { result: { content: {} } }, "result_invalid"],
    ["a block that is no object", { result: { content: ["x"] } }, "result_invalid"],
    ["isError that is no boolean", { result: { content: [], isError: "no" } }, "result_invalid"],
    ["structured content that is no object", { result: { content: [], structuredContent: [] } }, "result_invalid"],
  ])("%s is a failure", async (_name, answer, code) => {
    const { lane } = setUp();
    const call = lane.call(TOOL, {}, {});
    lane.take({ jsonrpc: "2.0", id: "f1", ...answer });
    expect(codeOf(await call)).toBe(code);
  });

  test("a result without content gets an empty one, and whatever else it carries stays", async () => {
    const { lane } = setUp();
    const call = lane.call(TOOL, {}, {});
    lane.take({ jsonrpc: "2.0", id: "f1", result: { structuredContent: { a: 1 }, _meta: { b: 2 } } });
    expect(await call).toEqual({ ok: true, result: { structuredContent: { a: 1 }, _meta: { b: 2 }, content: [] } });
  });
});
