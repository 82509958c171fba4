import { afterEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openLocalSession } from "../../../src/rails/local-mcp/open.ts";
import type { RailSession } from "../../../src/rails/rail.ts";
import { FakeClock } from "../../fakes/clock.ts";
import { call, codeOf, named, railContract, text } from "../contract.ts";
import { environment, LAB, labPlugin, loaded, localRuntime, NO_SETTINGS, tinyServer } from "./laboratory.ts";
import { closeAll, failureOf, open, ports, ready } from "./sessions.ts";

afterEach(closeAll);

railContract("local MCP", async () => {
  const lab = labPlugin(tinyServer());
  const session = openLocalSession(ports, environment(), lab.plugin, NO_SETTINGS);
  return { session, dispose: async () => lab.dispose() };
});

describe("a real server from npm", () => {
  const everything = (): RailSession => {
    const lab = labPlugin("");
    const entry = join(import.meta.dir, "../../../node_modules/@modelcontextprotocol/server-everything/dist/index.js");
    const plugin = loaded(lab.dir, localRuntime({ args: [entry, "stdio"] }));
    return open({ ...lab, plugin });
  };

  test("LOC-1/named LOC-1/supervised: is started, listed as <plugin>_<tool> and called", async () => {
    const session = everything();
    await session.settled();
    expect(session.tools().map(({ name }) => String(name))).toContain("lab_trigger_long_running_operation");
    const outcome = await call(session, "get-sum", { a: 20, b: 22 });
    expect(outcome).toEqual(text("The sum of 20 and 22 is 42."));
    const sum = named(session, "get-sum");
    expect({ readOnly: sum.readOnly, title: sum.title, type: sum.inputSchema["type"] }).toEqual({
      readOnly: true,
      title: "Get Sum Tool",
      type: "object",
    });
  });

  test("its progress reaches the caller", async () => {
    const session = everything();
    await session.settled();
    const seen: unknown[] = [];
    const tool = named(session, "trigger-long-running-operation");
    const outcome = await session.call(
      tool,
      { duration: 0.2, steps: 2 },
      { onProgress: (progress) => seen.push(progress) },
    );
    expect(outcome.ok).toBe(true);
    expect(seen).toEqual([
      { progress: 1, total: 2 },
      { progress: 2, total: 2 },
    ]);
  });
});

describe("a server that dies", () => {
  test("fails the call at once with its exit code and redacted last words, and the next call starts it afresh", async () => {
    const session = await ready(
      `offer("crash", () => { console.error("boom with ghp_0123456789abcdefghij"); process.exitCode = 7; process.exit(); });
       offer("pid", () => text(String(process.pid)));`,
    );
    const first = await call(session, "pid", {});
    const crash = await call(session, "crash", {});
    expect(crash.ok ? undefined : crash.error.view()).toMatchObject({
      code: "server_exited",
      details: {
        plugin: LAB,
        tool: "lab_crash",
        exitCode: 7,
        signal: undefined,
        stderrTail: ["boom with [REDACTED:github]"],
      },
    });
    const second = await call(session, "pid", {});
    expect([first.ok, second.ok]).toEqual([true, true]);
    expect(second).not.toEqual(first);
    expect(session.state()).toEqual({ status: "ready" });
  });

  test("calls that come while it is started afresh share one start", async () => {
    const lab = labPlugin(
      tinyServer(
        `require("node:fs").appendFileSync(process.argv[2] + "/starts", "x"); offer("crash", () => process.exit(1));`,
      ),
    );
    const session = open(lab);
    await session.settled();
    await call(session, "crash", {});
    const answers = await Promise.all(["a", "b", "c"].map((word) => call(session, "echo", { text: word })));
    expect(answers).toEqual(["a", "b", "c"].map(text));
    expect(readFileSync(join(lab.scratch, "starts"), "utf8")).toBe("xx");
  });

  test("before its handshake is tried five times with growing waits, then the session fails with its last words", async () => {
    const clock = new FakeClock();
    const lab = labPlugin(
      `require("node:fs").appendFileSync(process.argv[2] + "/starts", "x"); console.error("no vault"); process.exit(3);`,
    );
    const session = open(lab, { clock });
    const attempts: number[] = [];
    session.onChange(() => {
      const state = session.state();
      if (state.status === "starting") attempts.push(state.attempt);
    });
    expect(await failureOf(session)).toEqual({
      code: "discovery_failed",
      details: {
        plugin: LAB,
        attempts: 5,
        lastError: "its process ended before it listed its tools",
        exitCode: 3,
        signal: undefined,
        stderrTail: ["no vault"],
      },
    });
    expect(readFileSync(join(lab.scratch, "starts"), "utf8")).toBe("xxxxx");
    expect(clock.slept).toEqual([500, 1000, 2000, 4000]);
    expect(attempts).toEqual([2, 3, 4, 5]);
    expect(session.tools()).toEqual([]);
  });

  test("once and then lives: the second attempt makes the session ready", async () => {
    const session = open(
      labPlugin(
        tinyServer(
          `const flag = process.argv[2] + "/started"; const fs = require("node:fs");
           if (!fs.existsSync(flag)) { fs.writeFileSync(flag, ""); process.exit(1); }`,
        ),
      ),
      { clock: new FakeClock() },
    );
    await session.settled();
    expect(session.state()).toEqual({ status: "ready" });
  });

  test("a server that never answers the handshake is given up, attempt by attempt", async () => {
    const session = open(labPlugin("process.stdin.resume();"), { clock: new FakeClock(), limits: { handshakeMs: 50 } });
    const { code, details } = await failureOf(session);
    expect(code).toBe("discovery_failed");
    expect(details).toMatchObject({ attempts: 5, exitCode: undefined, signal: undefined });
  });
});

describe("calls", () => {
  test("arguments of 5 MiB arrive whole and one byte more is refused before the server sees it", async () => {
    const session = await ready(`offer("size", (args) => text(String(JSON.stringify(args).length)));`);
    const limit = 5 * 1024 * 1024;
    const wrapped = '{"text":""}'.length;
    expect(await call(session, "size", { text: "x".repeat(limit - wrapped) })).toEqual(text(String(limit)));
    expect(await call(session, "size", { text: "x".repeat(limit - wrapped + 1) })).toMatchObject({
      ok: false,
      error: {
        code: "arguments_too_large",
        details: { plugin: LAB, tool: "lab_size", bytes: limit + 1, limitBytes: limit },
      },
    });
    // Counted in bytes of UTF-8: 2.5 million euro signs are 7.5 MB.
    expect(codeOf(await call(session, "size", { text: "€".repeat(2_500_000) }))).toBe("arguments_too_large");
  });

  test("a result of eight megabytes arrives", async () => {
    const session = await ready(`offer("big", () => text("y".repeat(8_000_000)));`);
    const outcome = await call(session, "big", {});
    expect(outcome).toEqual(text("y".repeat(8_000_000)));
  });

  test("the server is told of a cancelled call, by the id it was given", async () => {
    const session = await ready(
      `let cancelled = []; let waiting; methods["notifications/cancelled"] = (m) => cancelled.push(m.params.requestId === waiting);
       calls.wait = (_, { id }) => { waiting = id; };
       offer("cancelled", () => text(JSON.stringify(cancelled)));`,
    );
    const cancel = new AbortController();
    const waiting = session.call(named(session, "wait"), {}, { signal: cancel.signal });
    await call(session, "echo", { text: "the server has read the call by now" });
    cancel.abort();
    expect(codeOf(await waiting)).toBe("call_cancelled");
    expect(await call(session, "cancelled", {})).toEqual(text("[true]"));
  });
});
