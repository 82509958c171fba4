import { afterEach, describe, expect, test } from "bun:test";
import { MAX_MESSAGE_DEPTH } from "../../../src/kernel/json-depth.ts";
import { StdioTransport } from "../../../src/rails/local-mcp/stdio-transport.ts";
import { SESSION_LIMITS } from "../../../src/rails/local-mcp/supervise-policy.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { FakeChild } from "../../fakes/processes.ts";
import { call, codeOf, text } from "../contract.ts";
import { LAB, railTool } from "./laboratory.ts";
import { closeAll, ready } from "./sessions.ts";

const ECHO = railTool("echo");

afterEach(closeAll);

describe("a server that misbehaves on stdout", () => {
  test.each([
    [
      "noise before the handshake",
      `write("Debugger listening\\n\\n{\\"level\\":\\"info\\"}\\n\\u001b[32mready\\u001b[0m\\n");`,
    ],
    [
      "noise between answers",
      `const plain = send; calls.echo = (a) => { write("log line\\n"); return text(a.text); };`,
    ],
    ["half a line and the answer on one line", `calls.echo = (a) => { write("loading... "); return text(a.text); };`],
    ["a megabyte without a newline", `calls.echo = (a) => { write("x{".repeat(524288)); return text(a.text); };`],
    [
      "CRLF line ends and a byte order mark",
      `const lf = process.stdout.write.bind(process.stdout); process.stdout.write = (t) => lf("\\ufeff" + t.replace(/\\n$/, "\\r\\n"));`,
    ],
    [
      "colours around the answer",
      `const raw = process.stdout.write.bind(process.stdout); process.stdout.write = (t) => raw("\\u001b[2m" + t.trimEnd() + "\\u001b[0m\\n");`,
    ],
  ])("%s: the call succeeds", async (_name, more) => {
    const session = await ready(more);
    expect(await call(session, "echo", { text: "through" })).toEqual(text("through"));
  });

  test("an endless line ends the process as stdout_flood, at the limit and not before", async () => {
    const session = await ready(
      `offer("line", ({ bytes }) => { write("x".repeat(bytes)); });
       offer("late", ({ bytes }) => { write("y".repeat(bytes) + "\\n"); return text("fine"); });`,
      { limits: { lineBytes: 20_000 } },
    );
    expect(await call(session, "late", { bytes: 20_000 })).toEqual(text("fine"));
    const outcome = await call(session, "line", { bytes: 20_001 });
    expect(outcome).toMatchObject({ ok: false, error: { details: { plugin: LAB, limitBytes: 20_000 } } });
    expect(codeOf(outcome)).toBe("stdout_flood");
    expect(await call(session, "echo", { text: "again" })).toEqual(text("again"));
  });

  test("an answer that is no tool result is named", async () => {
    const session = await ready(
      `offer("odd", () => ({ content: "not a list" }));
       offer("bare", () => 7);
       offer("typeless", () => ({ content: [{ text: "x" }] }));
       offer("rpc", (_, { id }) => { send({ id, error: { code: -32602, message: "no such note" } }); });`,
    );
    expect(codeOf(await call(session, "odd", {}))).toBe("result_invalid");
    expect(codeOf(await call(session, "bare", {}))).toBe("result_invalid");
    expect(codeOf(await call(session, "typeless", {}))).toBe("result_invalid");
    expect(await call(session, "rpc", {})).toMatchObject({
      ok: false,
      error: { code: "tool_refused", details: { plugin: LAB, tool: "lab_rpc", rpcCode: -32602, says: "no such note" } },
    });
  });

  test.each(["1", "12345678901234567890"])(
    "a result without a bottom (%s in it) fails its call, not this process",
    async (leaf) => {
      const session = await ready(
        `offer("deep", ({ levels }, { id }) => { write('{"jsonrpc":"2.0","id":"' + id + '","result":{"structuredContent":{"a":' + "[".repeat(levels) + ${leaf} + "]".repeat(levels) + "}}}\\n"); });
       offer("note", () => { write('{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":' + "[".repeat(2e5) + ${leaf} + "]".repeat(2e5) + "}}\\n"); return text("told"); });`,
      );
      expect(await call(session, "deep", { levels: MAX_MESSAGE_DEPTH - 2 })).toMatchObject({ ok: true });
      for (const levels of [MAX_MESSAGE_DEPTH - 1, 200_000]) {
        expect(await call(session, "deep", { levels })).toMatchObject({
          ok: false,
          error: { code: "result_invalid", details: { reason: "it nests more than 500 levels deep" } },
        });
      }
      expect(await call(session, "note", {})).toEqual(text("told"));
    },
  );

  test("numbers keep their digits", async () => {
    const session = await ready(
      `offer("ids", (_, { id }) => { write('{"jsonrpc":"2.0","id":"' + id + '","result":{"content":[],"structuredContent":{"id":12345678901234567890}}}\\n'); });`,
    );
    const outcome = await call(session, "ids", {});
    expect(JSON.stringify(outcome)).toContain('{"id":12345678901234567890}');
  });
});

describe("what the transport counts and refuses", () => {
  function setUp(): { child: FakeChild; transport: StdioTransport; seen: unknown[] } {
    const child = new FakeChild();
    const transport = new StdioTransport(new ManualClock(), child, SESSION_LIMITS);
    const seen: unknown[] = [];
    transport.onmessage = (message) => seen.push(message);
    return { child, transport, seen };
  }

  test("noisy lines are counted, and messages that are not calls' reach the SDK with plain numbers", () => {
    const { child, transport, seen } = setUp();
    child.say(
      'noise\n\n{"jsonrpc":"2.0","id":1,"result":{"n":12345678901234567890}}\nmore {"jsonrpc":"2.0","id":2,"result":{}}\n',
    );
    expect(transport.noisyLines).toBe(2);
    expect(seen).toEqual([
      { jsonrpc: "2.0", id: 1, result: { n: 12345678901234567000 } },
      { jsonrpc: "2.0", id: 2, result: {} },
    ]);
  });

  test("words before anybody listens are kept, and a server that has ended cannot be started", async () => {
    const { child, transport } = setUp();
    let closed = 0;
    transport.onclose = () => {
      closed += 1;
    };
    child.complain("no license\n");
    child.exit({ exitCode: 4, signal: undefined });
    await transport.ended;
    expect(closed).toBe(1);
    expect([transport.alive, transport.exit, transport.stderr.lines()]).toEqual([
      false,
      { exitCode: 4, signal: undefined },
      ["no license"],
    ]);
    expect(await transport.start().catch((error: Error) => error.message)).toBe("the process has ended");
  });

  test("a server that reads no more is ended, which fails the calls that wait", async () => {
    const { child, transport } = setUp();
    child.onWrite = () => {
      throw new Error("EPIPE");
    };
    const outcome = await transport.lane.call(ECHO, {}, {});
    expect(codeOf(outcome)).toBe("server_exited");
    expect(child.events).toEqual(["stop"]);
  });
});
