/** The real clock sleeps and can be woken, and runs what is due unless it was called off. */
import { expect, test } from "bun:test";
import { systemClock } from "../../src/system/clock.ts";

test("a sleep ends by itself", async () => {
  await systemClock().sleep(1);
});

test("what is due runs, and what was called off does not", async () => {
  const ran: string[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  systemClock().after(1, () => ran.push("called off"))();
  systemClock().after(2, () => ran.push("due"));
  systemClock().after(3, resolve);
  await promise;
  expect(ran).toEqual(["due"]);
});

test("an aborted sleep rejects with the signal's reason, before or during", async () => {
  const reason = new Error("enough");
  const { sleep } = systemClock();
  await expect(sleep(60_000, AbortSignal.abort(reason))).rejects.toBe(reason);
  const stop = new AbortController();
  const sleeping = sleep(60_000, stop.signal);
  stop.abort(reason);
  await expect(sleeping).rejects.toBe(reason);
});
