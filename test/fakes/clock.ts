/** A clock that only moves when it is asked to sleep, or by hand. */
import type { Clock } from "../../src/kernel/ports.ts";

export class FakeClock implements Clock {
  private time: number;
  /** Every sleep that was asked for, in milliseconds. */
  readonly slept: number[] = [];
  /** Called before each sleep ends, for tests in which something happens meanwhile. */
  onSleep: (ms: number) => void = () => {};

  constructor(start = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    this.time = start;
  }

  now(): number {
    return this.time;
  }

  advance(ms: number): void {
    this.time += ms;
  }

  /** Comes true as a sleep would, for all the time in between has passed then. */
  after(ms: number, run: () => void): () => void {
    let wanted = true;
    void this.sleep(ms).then(() => {
      if (wanted) run();
    });
    return () => {
      wanted = false;
    };
  }

  async sleep(ms: number, signal?: AbortSignal): Promise<void> {
    signal?.throwIfAborted();
    this.slept.push(ms);
    this.time += ms;
    this.onSleep(ms);
    await Promise.resolve();
    signal?.throwIfAborted();
  }
}
