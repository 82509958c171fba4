/** The one error class of Fermix: a closed code with typed details; its words live in the code table. */

import type { ExitClass } from "./codes/row.ts";
import { codes, type Details, type FermixCode } from "./codes.ts";

/** What every surface (terminal, JSON, agent, web) renders of a failure. */
export interface FailureView {
  readonly code: FermixCode;
  readonly message: string;
  readonly fix: string;
  readonly details: unknown;
}

export class FermixError<Code extends FermixCode = FermixCode> extends Error {
  readonly code: Code;
  readonly details: Details<Code>;

  constructor(code: Code, details: Details<Code>, options?: { cause?: unknown }) {
    super(codes[code].says(details as never), options);
    this.name = "FermixError";
    this.code = code;
    this.details = details;
  }

  /** The next action for whoever reads this. */
  get fix(): string {
    return codes[this.code].fix(this.details as never);
  }

  get exit(): ExitClass {
    return codes[this.code].exit;
  }

  view(): FailureView {
    return { code: this.code, message: this.message, fix: this.fix, details: this.details };
  }
}

/** Narrows to a FermixError, of one code when given. */
export function isFermixError<Code extends FermixCode = FermixCode>(
  error: unknown,
  code?: Code,
): error is FermixError<Code> {
  return error instanceof FermixError && (code === undefined || error.code === code);
}

/** Whether a caught value is a system error with this errno name, for example ENOENT. */
export function hasErrno(error: unknown, ...names: readonly string[]): boolean {
  return error instanceof Error && "code" in error && names.includes(String(error.code));
}

/** Marks a switch as exhaustive; reaching it is a bug, not a user's failure. */
export function never(value: never): never {
  throw new Error(`unreachable case: ${JSON.stringify(value)}`);
}
