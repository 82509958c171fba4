/** Bounds how long a request may take, phase by phase, with the clock port (DECISIONS 16). */
import { FermixError } from "../kernel/error.ts";
import type { Clock } from "../kernel/ports.ts";

export interface Deadlines {
  /** Finding the addresses of the host. */
  readonly connectMs: number;
  /** From the start of the request to the head of the answer. */
  readonly firstByteMs: number;
  /** From the start to the last byte, waiting for a slot included; undefined when the caller has a rule of its own. */
  readonly totalMs: number | undefined;
}

export const DEFAULT_DEADLINES: Deadlines = { connectMs: 10_000, firstByteMs: 30_000, totalMs: 60_000 };

export interface Watch {
  /** Aborts with network_timeout when a phase runs out, or with the caller's own reason. */
  readonly signal: AbortSignal;
  /** Starts a phase; the returned function ends it in time. */
  arm(phase: "connect" | "first_byte" | "total", afterMs: number | undefined): () => void;
  /** The work, or the signal's reason, whichever is first. */
  race<T>(work: Promise<T>): Promise<T>;
}

/** A watch over one request to `host`. */
export function watchRequest(clock: Clock, host: string, callerSignal: AbortSignal | undefined): Watch {
  const timeout = new AbortController();
  const signal = callerSignal === undefined ? timeout.signal : AbortSignal.any([timeout.signal, callerSignal]);
  return {
    signal,
    arm(phase, afterMs) {
      if (afterMs === undefined) return () => undefined;
      const off = new AbortController();
      clock.sleep(afterMs, off.signal).then(
        () => timeout.abort(new FermixError("network_timeout", { host, phase, afterMs })),
        () => undefined,
      );
      return () => off.abort();
    },
    race: (work) => raceAbort(work, signal),
  };
}

/** The work's outcome, or the signal's reason when it aborts first; the work itself goes on unseen. */
export function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const leave = (): void => reject(signal.reason);
  if (signal.aborted) leave();
  else signal.addEventListener("abort", leave, { once: true });
  work.then(resolve, reject).finally(() => signal.removeEventListener("abort", leave));
  return promise;
}
