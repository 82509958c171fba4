/** One row of `fermix doctor`: what was looked at, how it is, and what to do about it (DOC-1, spec 7.3). */
import { type FermixError, isFermixError } from "../../kernel/error.ts";

export type Level = "ok" | "warn" | "fail";

export interface Check {
  readonly name: string;
  readonly level: Level;
  readonly detail: string;
  /** "" when there is nothing to do. */
  readonly fix: string;
  /** Where a secret comes from, for a row about one. */
  readonly source?: "environment" | "config" | "keychain";
}

/** Nothing to do. */
export function ok(name: string, detail: string): Check {
  return { name, level: "ok", detail, fix: "" };
}

/** Something works less well than it could, or will not work much longer. */
export function warn(name: string, detail: string, fix: string): Check {
  return { name, level: "warn", detail, fix };
}

/** Something that was asked for does not work. */
export function fail(name: string, detail: string, fix: string): Check {
  return { name, level: "fail", detail, fix };
}

/** A named failure as a row, so that one broken thing does not hide the others. */
export function failure(name: string, error: FermixError): Check {
  return fail(name, error.message, error.fix);
}

/** The result, or the named failure that a row will show; a bug is thrown on. */
export async function attempt<T>(work: () => T | Promise<T>): Promise<T | FermixError> {
  try {
    return await work();
  } catch (error) {
    if (isFermixError(error)) return error;
    throw error;
  }
}
