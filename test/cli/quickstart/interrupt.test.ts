/** Tests of cli/quickstart/interrupt.ts: Ctrl-C ends a run in order, a second one at once. */
import { expect, test } from "bun:test";
import { interruptible, orAborted } from "../../../src/cli/quickstart/interrupt.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";

test("Ctrl-C aborts the signal; the next one is the process's own again", async () => {
  const terminal = new FakeTerminal({ tty: true });
  const ended = await interruptible(terminal, async (signal) => {
    expect([terminal.interrupt(), signal.aborted]).toEqual([true, true]);
    return terminal.interrupt();
  });
  expect([ended, terminal.said]).toEqual([false, "\r  \r"]);
});

test("a pipe is told nothing about it", async () => {
  const terminal = new FakeTerminal();
  await interruptible(terminal, async () => terminal.interrupt());
  expect(terminal.said).toBe("");
});

test("after the work, done or failed, nobody listens any more", async () => {
  const terminal = new FakeTerminal({ tty: true });
  expect(await interruptible(terminal, async () => 7)).toBe(7);
  expect(terminal.interrupt()).toBe(false);
  const failed = interruptible(terminal, () => Promise.reject(new Error("no")));
  await expect(failed).rejects.toThrow("no");
  expect(terminal.interrupt()).toBe(false);
});

test("what is awaited is given up when the signal is aborted, also when it was before", async () => {
  const controller = new AbortController();
  expect(await orAborted(controller.signal, Promise.resolve(1))).toBe(1);
  const reason = new Error("enough");
  const pending = orAborted(controller.signal, new Promise(() => undefined)).catch((error: unknown) => error);
  controller.abort(reason);
  expect(await pending).toBe(reason);
  expect(await orAborted(controller.signal, new Promise(() => undefined)).catch((error: unknown) => error)).toBe(
    reason,
  );
});
