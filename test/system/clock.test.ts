/** The real clock sleeps and can be woken. */
import { expect, test } from "bun:test";
import { systemClock } from "../../src/system/clock.ts";

test("a sleep ends by itself", async () => {
  await systemClock().sleep(1);
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
