/** Bounds how long a request may take, phase by phase, with the clock port (DECISIONS 16). */
import { FermixError } from "../kernel/error.ts";
import type { Clock } from "../kernel/ports.ts";

export interface Deadlines {
  /** Finding the addresses of the host, and then having a connection to one of them. */
  readonly connectMs: number;
  /** From the first dialling to the head of the answer. */
  readonly firstByteMs: number;
  /** From the start to the last byte, waiting for a slot included; undefined when the caller has a rule of its own. */
  readonly totalMs: number | undefined;
}

export const DEFAULT_DEADLINES: Deadlines = { connectMs: 10_000, firstByteMs: 30_000, totalMs: 60_000 };

type Phase = "connect" | "first_byte" | "total";

interface Timed {
  /** Aborts with network_timeout when a phase runs out, or with the reason of whoever is above. */
  readonly signal: AbortSignal;
  /** Starts a phase; the returned function ends it in time. */
  arm(phase: Phase, afterMs: number | undefined): () => void;
}

export interface Watch extends Timed {
  /** The work, or the signal's reason, whichever is first. */
  race<T>(work: Promise<T>): Promise<T>;
  /** One try within the request: its own phases end only it, the request's end it too. */
  attempt(): Timed;
  /** The request is over: the caller's signal is let go. */
  end(): void;
}

/** A watch over one request to `host`. */
export function watchRequest(clock: Clock, host: string, callerSignal: AbortSignal | undefined): Watch {
  const whole = new AbortController();
  const end = follow(callerSignal, whole);
  return {
    ...timed(clock, host, whole),
    race: (work) => raceAbort(work, whole.signal),
    attempt() {
      const part = new AbortController();
      follow(whole.signal, part);
      return timed(clock, host, part);
    },
    end,
  };
}

function timed(clock: Clock, host: string, controller: AbortController): Timed {
  return {
    signal: controller.signal,
    arm(phase, afterMs) {
      if (afterMs === undefined) return () => undefined;
      const off = new AbortController();
      clock.sleep(afterMs, off.signal).then(
        () => controller.abort(new FermixError("network_timeout", { host, phase, afterMs })),
        () => undefined,
      );
      return () => off.abort();
    },
  };
}

/** Aborts the lower one with the upper one's reason; returns what ends that. */
function follow(upper: AbortSignal | undefined, lower: AbortController): () => void {
  if (upper === undefined) return () => undefined;
  const pass = (): void => lower.abort(upper.reason);
  if (upper.aborted) pass();
  else upper.addEventListener("abort", pass, { once: true });
  return () => upper.removeEventListener("abort", pass);
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
