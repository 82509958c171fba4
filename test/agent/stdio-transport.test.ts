/** The agent's pipe: what takes the lane, what goes to the library, what is refused, and how it ends. */
import { expect, test } from "bun:test";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { MAX_OPEN_CALLS } from "../../src/agent/call-lane.ts";
import { MAX_MESSAGE_BYTES, StdioTransport } from "../../src/agent/stdio-transport.ts";
import { FermixError } from "../../src/kernel/error.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import type { CallOptions, CallSignal, ToolOutcome } from "../../src/rails/rail.ts";
import { FakeClock } from "../fakes/clock.ts";
import { text } from "../fakes/rail-session.ts";
import { FakeStdio } from "../fakes/stdio.ts";

type Call = (name: string, args: JsonObject, options: CallOptions) => Promise<ToolOutcome>;

const WELL_MANNERED = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } };

/** A transport after the handshake, whose library side only records. */
async function greeted(call: Call) {
  const lab = await started(call);
  lab.stdio.say({ jsonrpc: "2.0", id: "hello", method: "initialize", params: WELL_MANNERED });
  await lab.transport.send({ jsonrpc: "2.0", id: "hello", result: {} });
  lab.stdio.written.length = 0;
  lab.library.length = 0;
  return lab;
}

async function started(call: Call = () => Promise.reject(new Error("unexpected call"))) {
  const stdio = new FakeStdio();
  const clock = new FakeClock();
  const transport = new StdioTransport({ stdio, clock }, call);
  const library: JSONRPCMessage[] = [];
  transport.onmessage = (message) => library.push(message);
  await transport.start();
  return { stdio, clock, transport, library };
}

const call = (id: string | number, more: JsonObject = {}): JsonObject => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "notes_look", arguments: { q: "x" }, ...more },
});

const hasId = (id: unknown) => (message: unknown) => (message as { id?: unknown }).id === id;

function errorOf(id: string | number | null, code: number, message: string) {
  return { jsonrpc: "2.0", id, error: { code, message } };
}

test("a call takes the lane and the library never sees it", async () => {
  const seen: unknown[] = [];
  const { stdio, library } = await greeted(async (name, args) => {
    seen.push([name, args]);
    return text("found");
  });
  stdio.say(call(7));
  expect(await stdio.answer(hasId(7))).toEqual({
    jsonrpc: "2.0",
    id: 7,
    result: { content: [{ type: "text", text: "found" }] },
  });
  expect(seen).toEqual([["notes_look", { q: "x" }]]);
  expect(library).toEqual([]);
});

test("a failed call is a result that says what happened and what to run", async () => {
  const error = new FermixError("plugin_disabled", { plugin: "notes", tool: "notes_look" });
  const { stdio } = await greeted(async () => ({ ok: false, error }));
  stdio.say(call(1));
  expect(await stdio.answer(hasId(1))).toEqual({
    jsonrpc: "2.0",
    id: 1,
    result: {
      content: [{ type: "text", text: `${error.message}\nFix: run \`fermix plugins enable notes\`` }],
      isError: true,
      _meta: { "fermix/code": "plugin_disabled" },
    },
  });
});

test("a bug in a rail is an error answer, not a hung agent", async () => {
  const { stdio } = await greeted(() => Promise.reject(new TypeError("boom")));
  stdio.say(call(1));
  expect(await stdio.answer(hasId(1))).toEqual(errorOf(1, -32603, "Fermix hit a bug in notes_look; please report it"));
});

test("every digit of an argument reaches the tool", async () => {
  let given = "";
  const { stdio } = await greeted(async (_name, args) => {
    given = JSON.stringify(args);
    return text("ok");
  });
  const args = '{"id":12345678901234567890,"price":1.10}';
  stdio.say(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"n","arguments":${args}}}`);
  await stdio.answer(hasId(1));
  expect(given).toBe(args);
});

test("arguments may be absent or null, and anything else but an object is refused", async () => {
  const { stdio } = await greeted(async (_name, args) => text(JSON.stringify(args)));
  const refused = errorOf(3, -32602, "Invalid params: tools/call takes a name and an object of arguments");
  stdio.say({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "n" } });
  stdio.say(call(2, { arguments: null }));
  stdio.say(call(3, { arguments: ["x"] }));
  stdio.say({ jsonrpc: "2.0", id: 4, method: "tools/call" });
  expect(await stdio.answer(hasId(1))).toMatchObject({ result: { content: [{ text: "{}" }] } });
  expect(await stdio.answer(hasId(2))).toMatchObject({ result: { content: [{ text: "{}" }] } });
  expect(await stdio.answer(hasId(3))).toEqual(refused);
  expect(await stdio.answer(hasId(4))).toEqual({ ...refused, id: 4 });
});

test("params absent, null, empty and of nulls are one thing to the library (CASE-70)", async () => {
  const { stdio, library } = await greeted(async () => text(""));
  stdio.say({ jsonrpc: "2.0", id: 1, method: "tools/list" });
  stdio.say({ jsonrpc: "2.0", id: 2, method: "tools/list", params: null });
  stdio.say({ jsonrpc: "2.0", id: 3, method: "tools/list", params: {} });
  stdio.say({ jsonrpc: "2.0", id: 4, method: "tools/list", params: { cursor: null, _meta: null } });
  expect(library).toEqual([
    { jsonrpc: "2.0", id: 1, method: "tools/list" },
    { jsonrpc: "2.0", id: 2, method: "tools/list" },
    { jsonrpc: "2.0", id: 3, method: "tools/list", params: {} },
    { jsonrpc: "2.0", id: 4, method: "tools/list", params: {} },
  ]);
  expect(stdio.written).toEqual([]);
});

test("before a well-formed initialize only initialize and ping pass", async () => {
  const { stdio, library } = await started();
  stdio.say(call(1));
  stdio.say({ jsonrpc: "2.0", id: 4, method: "initialize", params: {} });
  stdio.say({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  stdio.say({ jsonrpc: "2.0", id: 3, method: "ping" });
  expect(stdio.written).toEqual([
    errorOf(1, -32600, "Invalid request: send initialize first"),
    errorOf(4, -32602, "Invalid params: protocolVersion is missing or malformed"),
    errorOf(2, -32600, "Invalid request: send initialize first"),
  ]);
  expect(library).toEqual([{ jsonrpc: "2.0", id: 3, method: "ping" }]);
});

test("what is no message of MCP is refused with the reason, and the next line is read", async () => {
  const { stdio } = await greeted(async () => text(""));
  const lines = ["{", "[]", "3", '{"id":1,"method":"ping"}', '{"jsonrpc":"2.0","id":1,"method":4}'];
  const more = [
    '{"jsonrpc":"2.0","id":1.5,"method":"ping"}',
    '{"jsonrpc":"2.0","id":9,"method":"x","params":[1]}',
    "",
    " \r",
  ];
  for (const line of [...lines, ...more]) stdio.say(line);
  stdio.say({ jsonrpc: "2.0", id: 8, result: {} });
  stdio.say({ jsonrpc: "2.0", id: 5, method: "ping", params: { _meta: { progressToken: {} } } });
  expect(stdio.written).toEqual([
    errorOf(null, -32700, "Parse error: the line is not JSON"),
    errorOf(null, -32600, "Invalid request: send one message a line, not a batch"),
    errorOf(null, -32600, "Invalid request: a message is a JSON object"),
    errorOf(1, -32600, 'Invalid request: jsonrpc must be "2.0"'),
    errorOf(1, -32600, "Invalid request: method must be a string"),
    errorOf(null, -32600, "Invalid request: id must be a string or a safe integer"),
    errorOf(9, -32602, "Invalid params: params must be an object"),
    errorOf(5, -32602, "Invalid params: _meta is malformed"),
  ]);
});

test("a message may nest 500 levels deep and not one more, whatever else is in it", async () => {
  const { stdio } = await greeted(async () => text("ok"));
  // The message, its params and the arguments are three levels themselves.
  const nested = (levels: number, leaf: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"lab_echo","arguments":{"a":${"[".repeat(levels)}${leaf}${"]".repeat(levels)}}}}`;
  stdio.say(nested(497, "1"));
  expect(await stdio.answer(hasId(1))).toMatchObject({ result: { content: [{ text: "ok" }] } });
  for (const line of [nested(498, "1"), nested(200_000, "12345678901234567890")]) {
    stdio.say(line);
    expect(stdio.written.at(-1)).toEqual(errorOf(1, -32600, "Invalid request: it nests more than 500 levels deep"));
  }
});

test("a message may have 16 MiB and not one byte more (LOC-10)", async () => {
  const { stdio } = await greeted(async (_name, args) => text(String(String(args["q"]).length)));
  const frame = JSON.stringify(call(1, { arguments: { q: "" } })).length;
  const room = MAX_MESSAGE_BYTES - frame;
  stdio.say(call(1, { arguments: { q: "x".repeat(room) } }));
  expect(await stdio.answer(hasId(1))).toMatchObject({ result: { content: [{ text: String(room) }] } });
  stdio.say(call(2, { arguments: { q: "x".repeat(room + 1) } }));
  expect(stdio.written.at(-1)).toEqual(
    errorOf(null, -32600, `Invalid request: a message may have ${MAX_MESSAGE_BYTES} bytes at most`),
  );
});

test("cancelling aborts the call upstream and nothing is answered; the id is free again", async () => {
  const signals: CallSignal[] = [];
  const answers: PromiseWithResolvers<ToolOutcome>[] = [];
  const { stdio, library } = await greeted((_name, _args, { signal }) => {
    if (signal !== undefined) signals.push(signal);
    answers.push(Promise.withResolvers());
    return answers.at(-1)?.promise ?? Promise.reject(new Error("none"));
  });
  stdio.say(call(1));
  stdio.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
  stdio.say(call(1));
  answers[0]?.resolve(text("too late"));
  answers[1]?.resolve(text("second"));
  expect(await stdio.answer(hasId(1))).toMatchObject({ result: { content: [{ text: "second" }] } });
  expect(stdio.written.length).toBe(1);
  expect(library).toEqual([]);
});

test("a request of the library that was cancelled holds up nothing and frees its id; initialize can't be cancelled", async () => {
  const { stdio, library, transport, clock } = await greeted(async () => text(""));
  const cancel = (requestId: string | number) => ({
    jsonrpc: "2.0" as const,
    method: "notifications/cancelled" as const,
    params: { requestId },
  });
  const list = { jsonrpc: "2.0" as const, id: 1, method: "tools/list" };
  const hello = { jsonrpc: "2.0" as const, id: 2, method: "initialize", params: WELL_MANNERED };
  for (const message of [list, cancel(1), list, cancel(1), hello, cancel(2)]) stdio.say(message);
  expect(library).toEqual([list, cancel(1), list, cancel(1), hello]);
  await transport.send({ jsonrpc: "2.0", id: 2, result: {} });
  expect(stdio.written).toEqual([{ jsonrpc: "2.0", id: 2, result: {} }]);
  stdio.end();
  await transport.ended;
  expect(clock.slept).toEqual([]);
});

test("an id that is in use is refused", async () => {
  const { stdio } = await greeted(() => Promise.withResolvers<ToolOutcome>().promise);
  const refused = (id: number) => errorOf(id, -32600, "Invalid request: this id is in use by an open request");
  stdio.say(call(1));
  stdio.say(call(1));
  stdio.say({ jsonrpc: "2.0", id: 2, method: "tools/list" });
  stdio.say(call(2));
  expect(stdio.written).toEqual([refused(1), refused(2)]);
});

test("progress is told under the client's own token while the call is open, and not after", async () => {
  let tell: CallOptions["onProgress"];
  const done = Promise.withResolvers<ToolOutcome>();
  const { stdio } = await greeted((_name, _args, options) => {
    tell = options.onProgress;
    return done.promise;
  });
  stdio.say(call(1, { _meta: { progressToken: "mine" } }));
  tell?.({ progress: 1, total: 2, message: "half" });
  done.resolve(text("done"));
  await stdio.answer(hasId(1));
  tell?.({ progress: 2 });
  expect(stdio.written).toEqual([
    {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progress: 1, total: 2, message: "half", progressToken: "mine" },
    },
    { jsonrpc: "2.0", id: 1, result: { content: [{ type: "text", text: "done" }] } },
  ]);
});

test("a thousand calls may be open, and the next is told to wait", async () => {
  const { stdio } = await greeted(() => Promise.withResolvers<ToolOutcome>().promise);
  for (let id = 0; id <= MAX_OPEN_CALLS; id += 1) stdio.say(call(id));
  expect(stdio.written).toEqual([
    errorOf(MAX_OPEN_CALLS, -32603, `Too many calls are open (${MAX_OPEN_CALLS}); wait for answers first`),
  ]);
});

test("a client that does not read its answers is not read from until it does", async () => {
  const { stdio } = await greeted(async () => text("x".repeat(3 * 1024 * 1024)));
  stdio.stalled = Promise.withResolvers();
  stdio.say(call(1));
  await stdio.answer(hasId(1));
  expect(stdio.paused).toBe(false);
  stdio.say(call(2));
  await stdio.answer(hasId(2));
  expect(stdio.paused).toBe(true);
  stdio.stalled.resolve();
  await stdio.stalled.promise;
  await Promise.resolve();
  expect(stdio.paused).toBe(false);
});

test("a client that does not read is kept no backlog of progress, and is told of it again once it reads", async () => {
  const report = Promise.withResolvers<NonNullable<CallOptions["onProgress"]>>();
  const { stdio } = await greeted((name, _args, { onProgress }) => {
    if (name === "big") return Promise.resolve(text("x".repeat(5 * 1024 * 1024)));
    if (onProgress !== undefined) report.resolve(onProgress);
    return Promise.withResolvers<ToolOutcome>().promise;
  });
  stdio.say(call(1, { _meta: { progressToken: "t" } }));
  const progress = await report.promise;
  stdio.stalled = Promise.withResolvers();
  stdio.say(call(2, { name: "big" }));
  await stdio.answer(hasId(2));
  const before = stdio.written.length;
  progress({ progress: 1 });
  expect(stdio.written).toHaveLength(before);
  stdio.stalled.resolve();
  await stdio.stalled.promise;
  await Promise.resolve();
  progress({ progress: 2 });
  expect(stdio.written.slice(before)).toEqual([
    { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 2, progressToken: "t" } },
  ]);
});

test("at EOF what is on its way is still answered, then every call is given up", async () => {
  const quick = Promise.withResolvers<ToolOutcome>();
  const signals: (CallSignal | undefined)[] = [];
  const { stdio, clock, transport } = await greeted((name, _args, { signal }) => {
    signals.push(signal);
    return name === "quick" ? quick.promise : Promise.withResolvers<ToolOutcome>().promise;
  });
  clock.onSleep = () => quick.resolve(text("just in time"));
  stdio.say(call(1, { name: "quick" }));
  stdio.say(call(2, { name: "slow" }));
  stdio.end();
  await transport.ended;
  expect(stdio.written.map((message) => (message as { id: unknown }).id)).toEqual([1]);
  expect(signals[1]?.aborted).toBe(true);
  expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBe(1_000);
});

test("a last line that EOF ends is answered like any other", async () => {
  const { stdio, transport } = await greeted(async () => text("answer"));
  stdio.bytes(JSON.stringify(call(1)));
  stdio.end();
  await transport.ended;
  expect(stdio.written).toMatchObject([{ id: 1, result: { content: [{ text: "answer" }] } }]);
});

test("EOF with nothing open ends at once, and so does a pipe that nobody reads", async () => {
  const idle = await greeted(async () => text(""));
  idle.stdio.end();
  await idle.transport.ended;
  expect(idle.clock.slept).toEqual([]);
  const broken = await greeted(() => Promise.withResolvers<ToolOutcome>().promise);
  broken.stdio.say(call(1));
  broken.stdio.breakPipe();
  await broken.transport.ended;
  broken.stdio.say(call(2));
  expect(broken.stdio.written).toEqual([]);
});
