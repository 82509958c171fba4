/** One holder at a time across processes, by the ecosystem's lock file (spec 2.7; stale only when its owner is dead, DECISIONS 35). */
import { linkSync, readdirSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { FermixError, hasErrno } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";
import { namedFailure } from "./fs-failure.ts";
import { readRegularText } from "./read-regular.ts";

export interface LockOptions {
  /** How often the lock is asked for before `busy`. */
  readonly attempts: number;
  readonly everyMs: number;
  /** A lock older than this whose owner's process number now belongs to a younger process has no owner any more. */
  readonly staleMs: number;
  /** The failure when somebody else keeps it. */
  readonly busy: () => FermixError;
}

interface Owner {
  readonly since: number;
  readonly pid: number;
}

/** Two numbers and some blanks. */
const MAX_LOCK_BYTES = 1024;
const NO_LOCK = "?";
/** An empty file may be one that its owner is about to fill; found so this often in a row, it has been left. */
const EMPTY_TRIES = 20;
const CONTENT = /^(\d{1,16}) ([1-9]\d{0,9})\n?$/;

/** Locks this process holds, so that its own number in a left-over file (containers number alike) is not taken for it. */
const held = new Set<string>();

/**
 * Runs the work while holding the lock file at `path`, whose folder exists. Not reentrant. Throws `busy()` when others
 * keep it, lock_corrupt when the file does not name an owner (INS-10), home_unusable or disk_full when it cannot be made.
 */
export async function withFileLock<T>(
  ports: Pick<Ports, "clock">,
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  const content = await acquire(ports, path, options);
  try {
    removeUnfinished(path);
    return await work();
  } finally {
    held.delete(path);
    // Somebody who took the lock away by hand may have a new one there, which is not ours to remove.
    if (contentOf(path) === content) unlinkSync(path);
  }
}

async function acquire({ clock }: Pick<Ports, "clock">, path: string, options: LockOptions): Promise<string> {
  let empty = 0;
  for (let attempt = 1; ; attempt += 1) {
    const content = `${clock.now()} ${process.pid}\n`;
    if (create(path, content)) {
      held.add(path);
      return content;
    }
    const found = contentOf(path);
    const owner = found === undefined ? undefined : ownerIn(found);
    empty = found === "" ? empty + 1 : 0;
    const unreadable = found !== undefined && owner === undefined;
    const isFilling = found === "" && empty < EMPTY_TRIES && attempt < options.attempts;
    if (unreadable && !isFilling) throw new FermixError("lock_corrupt", { path });
    const abandoned = owner !== undefined && isAbandoned(path, owner, clock.now(), options.staleMs);
    if (abandoned) removeAbandoned(path, found ?? "");
    if (attempt >= options.attempts) throw options.busy();
    if (!abandoned && found !== undefined) await clock.sleep(options.everyMs);
  }
}

/**
 * Creates the file with its content in one step; false when there is one already. It is linked to its name once it is
 * whole: a kill between creating and filling would leave a lock that names nobody, which only a person could remove.
 */
function create(path: string, content: string): boolean {
  const whole = `${path}.${process.pid}.new`;
  try {
    writeFileSync(whole, content, { mode: 0o600 });
    linkSync(whole, path);
    return true;
  } catch (cause) {
    if (hasErrno(cause, "EEXIST")) return false;
    if (hasErrno(cause, "ENOTSUP", "ENOSYS", "EPERM", "EMLINK")) return createInPlace(path, content);
    throw namedFailure(path, cause);
  } finally {
    rmSync(whole, { force: true });
  }
}

/** The same where the file system has no links. */
function createInPlace(path: string, content: string): boolean {
  try {
    writeFileSync(path, content, { flag: "wx", mode: 0o600 });
    return true;
  } catch (cause) {
    if (hasErrno(cause, "EEXIST")) return false;
    throw namedFailure(path, cause);
  }
}

function contentOf(path: string): string | undefined {
  try {
    return readRegularText(path, MAX_LOCK_BYTES);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    // No lock of anybody's: it names no owner, and a pipe would be read for ever.
    if (hasErrno(cause, "EFTYPE", "EFBIG")) return NO_LOCK;
    throw namedFailure(path, cause);
  }
}

function ownerIn(content: string): Owner | undefined {
  const match = CONTENT.exec(content);
  return match === null ? undefined : { since: Number(match[1]), pid: Number(match[2]) };
}

function isAbandoned(path: string, owner: Owner, now: number, staleMs: number): boolean {
  if (owner.pid === process.pid) return !held.has(path);
  if (!isAlive(owner.pid)) return true;
  if (now - owner.since <= staleMs) return false;
  const started = startOf(owner.pid);
  return started !== undefined && started > owner.since + staleMs;
}

const UNFINISHED = /^\.([1-9]\d{0,9})\.(?:new|stale)$/;

/** Takes away what those left beside the lock who were killed while they took it; it is nobody's, and no harm either. */
function removeUnfinished(path: string): void {
  const [folder, name] = [dirname(path), basename(path)];
  try {
    for (const entry of readdirSync(folder)) {
      const pid = entry.startsWith(name) ? UNFINISHED.exec(entry.slice(name.length))?.[1] : undefined;
      if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(folder, entry), { force: true });
    }
  } catch {
    // Whoever may not list the folder may still work in it.
  }
}

/** Whether a process of this number is there, ours to signal or not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (cause) {
    return !hasErrno(cause, "ESRCH");
  }
}

/** When the process of this number started, in Unix milliseconds; undefined where the system does not tell (macOS). */
function startOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ").at(-1)?.split(" ");
    const boot = /^btime (\d+)$/m.exec(readFileSync("/proc/stat", "utf8"));
    const ticks = Number(fields?.[START_FIELD]);
    if (boot === null || !Number.isFinite(ticks)) return undefined;
    return Number(boot[1]) * 1000 + (ticks * 1000) / TICKS_PER_SECOND;
  } catch {
    return undefined;
  }
}

/** `starttime` of proc(5), counted from the field after the command's name. */
const START_FIELD = 19;
/** USER_HZ, which Linux fixes at 100 for every architecture Fermix is built for. */
const TICKS_PER_SECOND = 100;

/**
 * Takes an abandoned lock away. It is moved aside first, because another process may have taken it away and locked
 * anew since we judged it: what turns out not to be the judged file is put back.
 */
function removeAbandoned(path: string, judged: string): void {
  const aside = `${path}.${process.pid}.stale`;
  try {
    renameSync(path, aside);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return;
    throw namedFailure(path, cause);
  }
  if (readFileSync(aside, "utf8") !== judged) {
    try {
      linkSync(aside, path);
    } catch (cause) {
      if (!hasErrno(cause, "EEXIST")) throw namedFailure(path, cause);
    }
  }
  unlinkSync(aside);
}
