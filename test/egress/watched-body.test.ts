/** The body of an answer: read to its end, broken, given up or out of time, it ends once and says why. */
import { describe, expect, test } from "bun:test";
import { Watch } from "../../src/egress/deadlines.ts";
import { WatchedBody } from "../../src/egress/watched-body.ts";
import { stalledAfter, streamOf } from "../fakes/http.ts";
import { ManualClock } from "../fakes/manual-clock.ts";

const FAULT = new Error("named");

function bodyOf(stream: ReadableStream<Uint8Array>, caller?: AbortSignal) {
  const clock = new ManualClock();
  const watch = new Watch(clock, "api.example.com", caller);
  const ended: string[] = [];
  const body = new WatchedBody(
    stream,
    watch,
    () => ended.push("ended"),
    () => FAULT,
  );
  return { body, watch, clock, ended };
}

describe("a body", () => {
  test("is read to its end, and ends then", async () => {
    const { body, ended } = bodyOf(streamOf(["ab", "c"]));
    const reader = body.getReader();
    const parts = [await reader.read(), await reader.read()].map(({ value }) => Buffer.from(value ?? []).toString());
    expect([parts, ended]).toEqual([["ab", "c"], []]);
    expect([(await reader.read()).done, ended]).toEqual([true, ["ended"]]);
  });

  test("has one reader", () => {
    const { body } = bodyOf(streamOf(["a"]));
    expect(body.locked).toBe(false);
    body.getReader();
    expect(body.locked).toBe(true);
    expect(() => body.getReader()).toThrow(TypeError);
  });

  test("that breaks says so at every read that follows", async () => {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("reset")) });
    const { body, ended } = bodyOf(broken);
    const reader = body.getReader();
    for (const _ of [1, 2]) await expect(reader.read()).rejects.toBe(FAULT);
    expect(ended).toEqual(["ended"]);
  });

  test("that stalls ends with the reason of the stop, and its stream is cancelled", async () => {
    let cancelled: unknown;
    const stream = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => undefined),
      cancel: (reason) => {
        cancelled = reason;
      },
    });
    const stop = new AbortController();
    const { body, ended } = bodyOf(stream, stop.signal);
    const read = body.getReader().read();
    const enough = new Error("enough");
    stop.abort(enough);
    await expect(read).rejects.toBe(enough);
    expect([ended, cancelled]).toEqual([["ended"], enough]);
  });

  test("that takes too long ends with the phase that ran out", async () => {
    const { body, watch, clock } = bodyOf(stalledAfter(["one"]));
    watch.arm("total", 5_000);
    const reader = body.getReader();
    await reader.read();
    const late = reader.read();
    late.catch(() => undefined);
    await clock.advance(5_000);
    await expect(late).rejects.toMatchObject({ code: "network_timeout", details: { phase: "total", afterMs: 5_000 } });
  });

  test("that nobody wants ends when it is cancelled", async () => {
    const { body, ended } = bodyOf(streamOf(["a"]));
    await body.cancel();
    expect(ended).toEqual(["ended"]);
  });
});

describe("a watch", () => {
  test("that was stopped before it began tells whoever asks at once", async () => {
    const watch = new Watch(new ManualClock(), "api.example.com", AbortSignal.abort("gone"));
    const told: unknown[] = [];
    watch.onStop((reason) => told.push(reason));
    expect(told).toEqual(["gone"]);
    await expect(watch.race(new Promise(() => undefined))).rejects.toBe("gone");
  });

  test("that is over hears its caller no more", () => {
    const stop = new AbortController();
    const watch = new Watch(new ManualClock(), "api.example.com", stop.signal);
    const told: unknown[] = [];
    watch.onStop((reason) => told.push(reason));
    watch.end();
    stop.abort();
    expect([told, watch.stopped]).toEqual([[], undefined]);
  });
});
