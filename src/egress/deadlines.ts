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

const nothing = (): void => undefined;

/**
 * Over one request to `host`: stopped when a phase runs out, or with the caller's own reason. It has no AbortSignal of
 * its own, because making and linking several for each request costs more than all else that Fermix does for one.
 */
export class Watch {
  readonly #clock: Clock;
  readonly #host: string;
  readonly #caller: AbortSignal | undefined;
  readonly #told = new Set<(reason: unknown) => void>();
  #stopped: { readonly reason: unknown } | undefined;

  constructor(clock: Clock, host: string, caller: AbortSignal | undefined) {
    this.#clock = clock;
    this.#host = host;
    this.#caller = caller;
    if (caller?.aborted) this.#stopped = { reason: caller.reason };
    else caller?.addEventListener("abort", this.#passOn, { once: true });
  }

  /** Why it was stopped; undefined while it was not. */
  get stopped(): { readonly reason: unknown } | undefined {
    return this.#stopped;
  }

  /** Starts a phase of the whole request; what it returns ends the phase in time. */
  arm(phase: Phase, afterMs: number | undefined): () => void {
    return this.timer(phase, afterMs, (reason) => this.#stop(reason));
  }

  /** Starts a phase that ends something smaller; what it returns ends the phase in time. */
  timer(phase: Phase, afterMs: number | undefined, onTimeout: (reason: FermixError) => void): () => void {
    if (afterMs === undefined) return nothing;
    const host = this.#host;
    return this.#clock.after(afterMs, () => onTimeout(new FermixError("network_timeout", { host, phase, afterMs })));
  }

  /** Tells once when it is stopped, at once when it is already; what it returns ends that. */
  onStop(tell: (reason: unknown) => void): () => void {
    if (this.#stopped !== undefined) {
      tell(this.#stopped.reason);
      return nothing;
    }
    this.#told.add(tell);
    return () => this.#told.delete(tell);
  }

  /** The work, or the reason of the stop, whichever is first. */
  race<T>(work: Promise<T>): Promise<T> {
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const end = this.onStop(reject);
    work.then(
      (value) => {
        end();
        resolve(value);
      },
      (cause: unknown) => {
        end();
        reject(cause);
      },
    );
    return promise;
  }

  /** The request is over: the caller's signal and everybody else is let go. */
  end(): void {
    this.#caller?.removeEventListener("abort", this.#passOn);
    this.#told.clear();
  }

  #passOn = (): void => this.#stop(this.#caller?.reason);

  #stop(reason: unknown): void {
    if (this.#stopped !== undefined) return;
    this.#stopped = { reason };
    for (const tell of this.#told) tell(reason);
    this.#told.clear();
  }
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
