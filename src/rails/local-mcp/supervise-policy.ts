/** Decides how long a local server is waited for and how often it is tried; sessions only obey (spec 4 "Discovery"). */

/** Starts in all before a server is given up. */
export const MAX_ATTEMPTS = 5;
/** The wait after the first failed start; it doubles with each one. */
const FIRST_DELAY_MS = 500;
/** Between two looks at the list of a server that keeps saying that it changed. */
export const RELIST_PAUSE_MS = 1_000;

/** The waits and sizes of one session. Servers choose how long they take and how much they write; these are the most. */
export interface SessionLimits {
  /** For `initialize`, and for each page of `tools/list`. */
  readonly handshakeMs: number;
  /** For an answer to a call, counted anew from each progress notification. */
  readonly callMs: number;
  /** Of one line of stdout. */
  readonly lineBytes: number;
  /** Of a call's arguments as JSON (LOC-10). */
  readonly argumentBytes: number;
}

const MIB = 1024 * 1024;

export const SESSION_LIMITS: SessionLimits = {
  handshakeMs: 30_000,
  callMs: 60_000,
  lineBytes: 16 * MIB,
  argumentBytes: 5 * MIB,
};

export type Next = { readonly do: "retry"; readonly afterMs: number } | { readonly do: "give_up" };

/** What follows the `attempt`th failed start, counted from 1. */
export function afterFailedStart(attempt: number): Next {
  return attempt >= MAX_ATTEMPTS ? { do: "give_up" } : { do: "retry", afterMs: FIRST_DELAY_MS * 2 ** (attempt - 1) };
}
