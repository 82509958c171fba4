/** Gives the requests of one call an abort signal that follows the caller's wish and the session's end. */
import type { CallSignal } from "../rail.ts";

export interface CallCancel {
  readonly signal: AbortSignal;
  /** Lets go of the caller and the session; to be called once the call is over. */
  readonly release: () => void;
}

/** A signal that aborts when the caller gives the call up or `closing` aborts, whichever is first. */
export function linkCancel(caller: CallSignal | undefined, closing: AbortSignal): CallCancel {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  if (caller?.aborted || closing.aborted) abort();
  caller?.addEventListener("abort", abort, { once: true });
  closing.addEventListener("abort", abort, { once: true });
  return {
    signal: controller.signal,
    release: () => {
      caller?.removeEventListener("abort", abort);
      closing.removeEventListener("abort", abort);
    },
  };
}
