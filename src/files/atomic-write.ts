/** Replaces a file in one step: whatever happens, its old or its new content is there, whole. */
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { hasErrno } from "../kernel/error.ts";
import { namedFailure } from "./fs-failure.ts";

const PRIVATE_FILE = 0o600;

let written = 0;

/** New content that is on disk beside the file it is for: nothing but a rename is left to do. */
export interface PreparedWrite {
  /** Puts it in place. */
  commit(): Promise<void>;
  /** Drops it; the file stays as it is. */
  abandon(): Promise<void>;
}

/**
 * Writes a sibling file, flushes it, renames it over `path` and flushes the folder. The mode is the given one, else
 * that of the file being replaced, else 0600. Throws disk_full or home_unusable; then `path` is unchanged and the
 * sibling is gone.
 */
export async function writeAtomically(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<void> {
  await (await prepareWrite(path, data, options)).commit();
}

/** The first half of writeAtomically, for a change that must not begin when its record could not be written. */
export async function prepareWrite(
  path: string,
  data: string | Uint8Array,
  options: { readonly mode?: number } = {},
): Promise<PreparedWrite> {
  try {
    const mode = options.mode ?? (await modeOf(path)) ?? PRIVATE_FILE;
    const sibling = await writeSibling(path, data, mode);
    return { commit: () => replace(path, sibling), abandon: () => rm(sibling, { force: true }) };
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}

async function replace(path: string, sibling: string): Promise<void> {
  try {
    try {
      await rename(sibling, path);
    } catch (cause) {
      await rm(sibling, { force: true });
      throw cause;
    }
    await flushFolder(dirname(path));
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}

async function modeOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).mode & 0o777;
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    throw cause;
  }
}

async function writeSibling(path: string, data: string | Uint8Array, mode: number): Promise<string> {
  for (;;) {
    written += 1;
    const sibling = `${path}.${process.pid}-${written}.tmp`;
    let file: Awaited<ReturnType<typeof open>>;
    try {
      file = await open(sibling, "wx", PRIVATE_FILE);
    } catch (cause) {
      // Left by a process that had our number and died here: that name is taken, the next one is not.
      if (hasErrno(cause, "EEXIST")) continue;
      throw cause;
    }
    try {
      await file.chmod(mode);
      await file.writeFile(data);
      await file.sync();
    } catch (cause) {
      await rm(sibling, { force: true });
      throw cause;
    } finally {
      await file.close();
    }
    return sibling;
  }
}

/** Makes a rename in this folder survive a power cut. File systems that cannot flush a folder are left to themselves. */
export async function flushFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } catch (cause) {
    if (!hasErrno(cause, "EINVAL", "ENOTSUP", "EISDIR", "EBADF")) throw cause;
  } finally {
    await handle.close();
  }
}
