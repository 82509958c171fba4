/** What every rail's session must do, whatever stands behind it: one suite, run for each rail. */
import { afterEach, describe, expect, test } from "bun:test";
import type { RailSession, RailTool, ToolOutcome } from "../../src/rails/rail.ts";

/**
 * A session whose upstream lists at least three tools: `echo` answers its argument `text` as one text block, `fail`
 * answers a result with `isError`, `wait` answers only when it is cancelled, or never.
 */
export interface ContractSubject {
  readonly session: RailSession;
  /** Frees what the test set up beside the session. */
  readonly dispose: () => Promise<void>;
}

/** Runs the suite for one rail. */
export function railContract(rail: string, open: () => Promise<ContractSubject>): void {
  describe(`the ${rail} rail keeps the contract of a session`, () => {
    let subject: ContractSubject | undefined;
    afterEach(async () => {
      await subject?.session.close();
      await subject?.dispose();
      subject = undefined;
    });

    const ready = async (): Promise<RailSession> => {
      subject = await open();
      await subject.session.settled();
      expect(subject.session.state()).toEqual({ status: "ready" });
      return subject.session;
    };

    test("it starts without tools, tells of the change, and lists its tools sorted and namespaced", async () => {
      subject = await open();
      const { session } = subject;
      expect(session.state().status).toBe("starting");
      expect(session.tools()).toEqual([]);
      let changes = 0;
      session.onChange(() => {
        changes += 1;
      });
      await session.settled();
      expect(changes).toBeGreaterThan(0);
      const names = session.tools().map(({ name }) => String(name));
      expect(names).toEqual([...names].sort());
      expect(names.every((name) => name.startsWith(`${session.plugin}_`))).toBe(true);
      expect(session.tools().every(({ inputSchema }) => inputSchema["type"] === "object")).toBe(true);
    });

    test("a call is answered with the upstream's result", async () => {
      const session = await ready();
      expect(await call(session, "echo", { text: "héllo 𝄞" })).toEqual(text("héllo 𝄞"));
    });

    test("calls that run at once each get their own answer", async () => {
      const session = await ready();
      const words = Array.from({ length: 20 }, (_, at) => `word ${at}`);
      expect(await Promise.all(words.map((word) => call(session, "echo", { text: word })))).toEqual(words.map(text));
    });

    test("a result that says isError is a result: its message reaches the agent", async () => {
      const session = await ready();
      const outcome = await call(session, "fail", {});
      expect(outcome).toMatchObject({ ok: true, result: { isError: true } });
    });

    test("a call cancelled before or during its run ends as call_cancelled, and the session goes on", async () => {
      const session = await ready();
      const before = await session.call(named(session, "echo"), { text: "x" }, { signal: AbortSignal.abort() });
      expect(codeOf(before)).toBe("call_cancelled");
      const cancel = new AbortController();
      const during = session.call(named(session, "wait"), {}, { signal: cancel.signal });
      cancel.abort();
      expect(codeOf(await during)).toBe("call_cancelled");
      expect(await call(session, "echo", { text: "still here" })).toEqual(text("still here"));
    });

    test("a closed session has no tools, answers calls with session_closed, and may be closed again", async () => {
      const session = await ready();
      const echo = named(session, "echo");
      await session.close();
      await session.close();
      expect(session.state()).toEqual({ status: "closed" });
      expect(session.tools()).toEqual([]);
      expect(codeOf(await session.call(echo, { text: "x" }, {}))).toBe("session_closed");
    });

    test("closing fails the calls that wait, as what it is and not as a crash", async () => {
      const session = await ready();
      const waiting = session.call(named(session, "wait"), {}, {});
      await session.close();
      expect(codeOf(await waiting)).toBe("session_closed");
    });
  });
}

/** The session's tool with this upstream name. */
export function named(session: RailSession, upstreamName: string): RailTool {
  const tool = session.tools().find((candidate) => candidate.upstreamName === upstreamName);
  if (tool === undefined) throw new Error(`${session.plugin} lists no ${upstreamName}`);
  return tool;
}

/** Calls the tool with this upstream name. */
export function call(session: RailSession, upstreamName: string, args: RailTool["inputSchema"]): Promise<ToolOutcome> {
  return session.call(named(session, upstreamName), args, {});
}

/** The outcome of a tool that answers one text. */
export function text(words: string): ToolOutcome {
  return { ok: true, result: { content: [{ type: "text", text: words }] } };
}

/** The code of a failed outcome. */
export function codeOf(outcome: ToolOutcome): string {
  return outcome.ok ? `ok: ${JSON.stringify(outcome.result)}` : outcome.error.code;
}
