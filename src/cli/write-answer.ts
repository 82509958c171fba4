/** Writes an answer to stdout so that nothing of it is lost unseen: all of it arrives, or the command fails. */
import { writeSync } from "node:fs";
import { reasonFor } from "../files/fs-failure.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";

const STDOUT = 1;
/** How soon a pipe that others made non-blocking is tried again while its reader is slow. */
const RETRY_MS = 1;

/**
 * The text and a final newline, before the process goes on. A reader that went away (`| head`) has what it wanted and
 * ends the answer quietly. Throws output_failed for any other end, such as a full disk behind `>`.
 */
export function writeAnswer(text: string): void {
  let rest: Uint8Array = Buffer.from(`${text}\n`);
  while (rest.byteLength > 0) {
    try {
      rest = rest.subarray(writeSync(STDOUT, rest));
    } catch (cause) {
      if (hasErrno(cause, "EPIPE")) return;
      if (!hasErrno(cause, "EAGAIN")) throw outputFailed(cause);
      Bun.sleepSync(RETRY_MS);
    }
  }
}

function outputFailed(cause: unknown): FermixError {
  const full = hasErrno(cause, "ENOSPC", "EDQUOT") ? "there is no space left" : undefined;
  const reason = full ?? reasonFor(cause) ?? (cause instanceof Error ? cause.message : String(cause));
  return new FermixError("output_failed", { reason }, { cause });
}
