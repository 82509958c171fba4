/** How each class of outcome ends the process (issue "CLI frame"): documented in every --help. */
import type { ExitClass } from "../kernel/codes/row.ts";

export const EXIT_OK = 0;

const STATUS: Readonly<Record<ExitClass, number>> = {
  failed: 1,
  usage: 2,
  no_daemon: 3,
  needs_connecting: 4,
  refused: 5,
};

/** The process status for an outcome; 0 when there is no failure. */
export function exitStatus(outcome: ExitClass | undefined): number {
  return outcome === undefined ? EXIT_OK : STATUS[outcome];
}

/** Status and meaning, in order, as --help prints them. */
export const EXIT_CODES: readonly (readonly [status: string, meaning: string])[] = [
  [String(EXIT_OK), "done"],
  [String(STATUS.failed), "failed"],
  [String(STATUS.usage), "the command line is wrong"],
  [String(STATUS.no_daemon), "no daemon is running"],
  [String(STATUS.needs_connecting), "a credential, workspace or setting is needed first"],
  [String(STATUS.refused), "refused by verification or policy"],
];
