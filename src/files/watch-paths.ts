/** Notices that any of a few files or folders changed: the system's own events, and a slow look as the fallback. */
import { type FSWatcher, lstatSync, readlinkSync, statSync, watch } from "node:fs";
import { dirname } from "node:path";
import { hasErrno } from "../kernel/error.ts";
import type { Clock } from "../kernel/ports.ts";

/** Events get lost on network drives and in full queues; a look costs one `lstat` for each path. */
const LOOK_EVERY_MS = 2_000;
/** An editor or an install writes several files in a row; one change is told after they settled. */
const SETTLE_MS = 50;

/**
 * Calls `onChange` after something at `paths()` changed: made, removed, written, replaced, or, for a folder, an entry
 * of it added, removed or renamed. The paths are asked for again at each look. The first look always tells, so that
 * nothing is lost between the caller's own reading and this watch. Returns the way to stop.
 */
export function watchPaths(clock: Clock, paths: () => readonly string[], onChange: () => void): () => void {
  const stopped = new AbortController();
  const watchers = new Map<string, FSWatcher>();
  let wake = Promise.withResolvers<void>();
  const arm = (): void => {
    for (const folder of new Set(paths().flatMap((path) => [path, dirname(path)]))) {
      if (!watchers.has(folder)) watchFolder(watchers, folder, () => wake.resolve());
    }
  };
  const run = async (): Promise<void> => {
    let before: string | undefined;
    while (!stopped.signal.aborted) {
      await clock.sleep(SETTLE_MS, stopped.signal);
      wake = Promise.withResolvers();
      arm();
      const now = fingerprint(paths());
      if (now !== before) onChange();
      before = now;
      await Promise.race([wake.promise, clock.sleep(LOOK_EVERY_MS, stopped.signal)]);
    }
  };
  // The only way out of the loop is the abort below, which rejects the sleep.
  run().catch((error) => {
    if (!stopped.signal.aborted) throw error;
  });
  return () => {
    stopped.abort();
    for (const watcher of watchers.values()) watcher.close();
  };
}

function watchFolder(watchers: Map<string, FSWatcher>, folder: string, onEvent: () => void): void {
  const forget = (): void => {
    watchers.get(folder)?.close();
    watchers.delete(folder);
  };
  try {
    const watcher = watch(folder, { persistent: false }, (kind) => {
      // The watch of a folder or file that was replaced hears nothing more; the next look starts a fresh one.
      if (kind === "rename") forget();
      onEvent();
    });
    watcher.on("error", forget);
    watchers.set(folder, watcher);
  } catch (cause) {
    // Not there yet, or out of watches: the look finds the change all the same.
    if (!hasErrno(cause, "ENOENT", "ENOTDIR", "EACCES", "ENOSPC", "EMFILE", "EPERM")) throw cause;
  }
}

function fingerprint(paths: readonly string[]): string {
  return paths.map((path) => `${path} ${markOf(path)}`).join("\n");
}

function markOf(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true });
    const own = `${stat.ino} ${stat.size} ${stat.mtimeNs}`;
    if (!stat.isSymbolicLink()) return own;
    // A config.toml that is a link is edited where it really lies.
    const real = statSync(path, { bigint: true, throwIfNoEntry: false });
    return `${own} ${readlinkSync(path)} ${real?.ino} ${real?.size} ${real?.mtimeNs}`;
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR", "EACCES", "ELOOP")) return "";
    throw cause;
  }
}
