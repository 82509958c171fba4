/** Turns what the file system refused into a named failure. */
import { FermixError, hasErrno } from "../kernel/error.ts";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EISDIR: "it is a folder",
  ENOTDIR: "it, or a part of its path, is not a folder",
  ELOOP: "its links go round in a circle",
  ENAMETOOLONG: "its path is too long",
  EBUSY: "the system holds it in place, as it does a mount",
  EEXIST: "something else is in its place",
  ENOTEMPTY: "something else is in its place",
  EIO: "the disk reports an error",
  EFTYPE: "it is not a regular file",
  EFBIG: "it is larger than such a file may be",
};

/** The named failure for a system error at this path: disk_full or home_unusable; any other value comes back as it is. */
export function namedFailure(path: string, cause: unknown): unknown {
  if (hasErrno(cause, "ENOSPC", "EDQUOT")) return new FermixError("disk_full", { path }, { cause });
  const reason = hasErrno(cause, "ENOENT") ? undefined : reasonFor(cause);
  return reason === undefined ? cause : new FermixError("home_unusable", { path, reason }, { cause });
}

/** Why a file or folder could not be had, as a sentence's end; undefined for what is no answer of the file system. */
export function reasonFor(cause: unknown): string | undefined {
  if (hasErrno(cause, "ENOENT")) return "it does not exist";
  return Object.entries(REASONS).find(([errno]) => hasErrno(cause, errno))?.[1];
}
