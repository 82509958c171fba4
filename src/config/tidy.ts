/** What an edit of config.toml that was killed left beside the file, which may hold what the file holds. */
import { readdirSync, realpathSync, rmSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { isAlive, withFileLock } from "../files/file-lock.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";

/** Not worth waiting for: the first look takes away the lock of a dead owner, the second takes it. */
const ONE_TRY = { attempts: 2, everyMs: 0, staleMs: 60_000 } as const;
/** New content, which is written under the lock alone. */
const UNFINISHED_WRITE = /^\.\d+-\d+\.tmp$/;
const UNFINISHED_LOCK = /^\.lock\.([1-9]\d*)\.(?:new|stale)$/;

/**
 * Takes away the lock and the unfinished writes of editors that are dead. Told by reading alone: a tidy home takes no
 * lock. Whatever a living process is at, or cannot be taken away, stays for the next time.
 */
export async function tidyConfig(ports: Pick<Ports, "clock">, home: Home): Promise<void> {
  const path = targetOf(home.configFile);
  const lock = `${path}.lock`;
  if (leftBeside(path).length === 0 && !isThere(lock)) return;
  const busy = () => new FermixError("config_busy", { path });
  try {
    await withFileLock(ports, lock, { ...ONE_TRY, busy }, async () => {
      leftBeside(path).forEach(remove);
    });
  } catch (cause) {
    if (!isFermixError(cause)) throw cause;
  }
}

function remove(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}

/** A link is edited where it leads; one that leads nowhere is for the next edit to judge. */
function targetOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function leftBeside(path: string): readonly string[] {
  const folder = dirname(path);
  const name = basename(path);
  return entriesOf(folder)
    .filter((entry) => entry.startsWith(name) && isLeft(entry.slice(name.length)))
    .map((entry) => join(folder, entry));
}

function isLeft(suffix: string): boolean {
  const pid = UNFINISHED_LOCK.exec(suffix)?.[1];
  return pid === undefined ? UNFINISHED_WRITE.test(suffix) : !isAlive(Number(pid));
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
