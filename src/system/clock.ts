/** The real clock. */
import type { Clock } from "../kernel/ports.ts";

/** Wall-clock time; a sleep that is aborted rejects with the signal's reason and leaves no timer behind. */
export function systemClock(): Clock {
  return {
    now: () => Date.now(),
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        if (signal?.aborted) {
          reject(signal.reason);
          return;
        }
        const stop = (): void => {
          clearTimeout(timer);
          reject(signal?.reason);
        };
        const timer = setTimeout(() => {
          signal?.removeEventListener("abort", stop);
          resolve();
        }, ms);
        signal?.addEventListener("abort", stop, { once: true });
      }),
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  };
}
