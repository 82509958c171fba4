/** Turns what the file system refused into a named failure. */
import { FermixError, hasErrno } from "../kernel/error.ts";

const REASONS: Readonly<Record<string, string>> = {
  EACCES: "permission denied",
  EPERM: "permission denied",
  EROFS: "the file system is read-only",
  EISDIR: "it is a folder",
  ENOTDIR: "a part of its path is not a folder",
  ELOOP: "its links go round in a circle",
  ENAMETOOLONG: "its path is too long",
  EIO: "the disk reports an error",
};

/** The named failure for a system error at this path: disk_full or home_unusable; any other value comes back as it is. */
export function namedFailure(path: string, cause: unknown): unknown {
  if (hasErrno(cause, "ENOSPC", "EDQUOT")) return new FermixError("disk_full", { path }, { cause });
  for (const [errno, reason] of Object.entries(REASONS)) {
    if (hasErrno(cause, errno)) return new FermixError("home_unusable", { path, reason }, { cause });
  }
  return cause;
}
