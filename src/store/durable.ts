/** Moves and links that survive a power cut: the rename, then a flush of the folders it changed. */
import { rename, rm, symlink } from "node:fs/promises";
import { dirname } from "node:path";
import { flushFolder } from "../files/atomic-write.ts";
import { namedFailure } from "../files/fs-failure.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";

/**
 * Renames within the store. Throws plugins_dir_spans_filesystems (there is no copy to fall back to, spec 2.8),
 * home_unusable, disk_full.
 */
export async function moveDurably(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
    await flushFolder(dirname(to));
    if (dirname(from) !== dirname(to)) await flushFolder(dirname(from));
  } catch (cause) {
    if (hasErrno(cause, "EXDEV")) throw new FermixError("plugins_dir_spans_filesystems", { from, to }, { cause });
    throw namedFailure(to, cause);
  }
}

/** Points the link at `target` in one step: a reader sees the old target or the new one, never none. */
export async function pointDurably(link: string, target: string): Promise<void> {
  const aside = `${link}.tmp`;
  try {
    await rm(aside, { force: true });
    await symlink(target, aside);
  } catch (cause) {
    throw namedFailure(link, cause);
  }
  await moveDurably(aside, link);
}
