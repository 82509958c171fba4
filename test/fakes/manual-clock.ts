/** A clock that stands still until the test moves it; sleepers wake when their time has come. */
import type { Clock } from "../../src/kernel/ports.ts";

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

export class ManualClock implements Clock {
  #time = Date.UTC(2026, 0, 2, 3, 4, 5);
  readonly #sleepers = new Set<Sleeper>();
  /** Every sleep that was asked for, in milliseconds. */
  readonly slept: number[] = [];

  now(): number {
    return this.#time;
  }

  /** How many sleep now. */
  get sleeping(): number {
    return this.#sleepers.size;
  }

  /** Moves time on and lets everything that woke up run. */
  async advance(ms: number): Promise<void> {
    this.#time += ms;
    for (const sleeper of this.#sleepers) if (sleeper.at <= this.#time) sleeper.wake();
    await new Promise((resolve) => setImmediate(resolve));
  }

  after(ms: number, run: () => void): () => void {
    this.slept.push(ms);
    const sleeper: Sleeper = {
      at: this.#time + ms,
      wake: () => {
        this.#sleepers.delete(sleeper);
        run();
      },
    };
    this.#sleepers.add(sleeper);
    return () => this.#sleepers.delete(sleeper);
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    this.slept.push(ms);
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const sleeper: Sleeper = {
        at: this.#time + ms,
        wake: () => {
          this.#sleepers.delete(sleeper);
          resolve();
        },
      };
      this.#sleepers.add(sleeper);
      signal?.addEventListener("abort", () => {
        this.#sleepers.delete(sleeper);
        reject(signal.reason);
      });
    });
  }
}
