/** The log file: lines are gathered, masked and appended together, so that who writes one never waits for the disk. */
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import type { Log, LogFacts } from "../kernel/ports.ts";
import { redactCredentials } from "../kernel/redact.ts";

/** How long a line may wait for company; what a kill takes with it is no older than this. */
const GATHER_MS = 250;
/** An agent decides how much it calls: this many lines are written at once, whatever the time. */
const MAX_WAITING = 1_000;
/** Others write some of the facts, such as the name of a tool that does not exist. */
const MAX_FACT_CHARACTERS = 2_000;
/** Agents and plugins decide how much is logged; with the files kept behind it, this bounds the whole log. */
const MAX_LOG_BYTES = 5 * 1024 * 1024;
/** `fermix.log.1` is the newest of them. */
const KEPT_FILES = 3;
/** Turning the file over is a handful of renames; who claimed it this long ago is dead. */
const STALE_CLAIM_MS = 10_000;
const PRIVATE_FOLDER = 0o700;
const PRIVATE_FILE = 0o600;
const APPEND =
  constants.O_WRONLY | constants.O_APPEND | constants.O_CREAT | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Anything that ends a line or no JSON reader takes; without it, an escape never hides where a word begins. */
const UNPRINTABLES = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g;
const UNPRINTABLE = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\ud800-\udfff]/;

export interface FileLog extends Log {
  /** Puts what waits on the disk. */
  flush(): void;
}

interface Line {
  readonly time: number;
  readonly level: string;
  readonly event: string;
  readonly facts: LogFacts | undefined;
}

/**
 * The log at `path`, JSON lines with mode 0600 in a folder of mode 0700. A home that does not exist is not made for it,
 * and what the disk refuses is dropped: a log must not fail what it tells of.
 */
export function openLog(path: string, maxBytes = MAX_LOG_BYTES): FileLog {
  let waiting: Line[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  let used = false;
  const flush = (): void => {
    clearTimeout(timer);
    timer = undefined;
    const lines = waiting;
    waiting = [];
    if (lines.length === 0) return;
    try {
      append(path, Buffer.from(textOf(lines)), maxBytes);
    } catch {
      // The disk is full, read-only or somebody else's: the command says so where it matters, and goes on here.
    }
  };
  return {
    write(level, event, facts) {
      waiting.push({ time: Date.now(), level, event, facts });
      if (waiting.length >= MAX_WAITING) flush();
      else timer ??= setTimeout(flush, GATHER_MS).unref();
      if (!used) process.on("exit", flush);
      used = true;
    },
    flush,
  };
}

function textOf(lines: readonly Line[]): string {
  let text = "";
  for (const { time, level, event, facts } of lines) {
    const line: Record<string, unknown> = { time: new Date(time).toISOString(), level, event, pid: process.pid };
    for (const name in facts) {
      const fact = facts[name];
      line[name] = typeof fact === "string" ? printable(fact) : fact;
    }
    text += `${JSON.stringify(line)}\n`;
  }
  // No shape reaches over a quotation mark, so the lines stay JSON.
  return redactCredentials(text);
}

function printable(text: string): string {
  // Masked before it is cut: half a credential looks like none any more.
  const cut = text.length > MAX_FACT_CHARACTERS ? `${redactCredentials(text).slice(0, MAX_FACT_CHARACTERS)}…` : text;
  return UNPRINTABLE.test(cut) ? cut.toWellFormed().replaceAll(UNPRINTABLES, " ") : cut;
}

/** The file is opened each time, because another process may have turned it over. */
function append(path: string, bytes: Uint8Array, maxBytes: number): void {
  makeFolder(dirname(path));
  if (sizeOf(path) + bytes.byteLength > maxBytes) turnOver(path, bytes.byteLength, maxBytes);
  const file = openSync(path, APPEND, PRIVATE_FILE);
  try {
    const stat = fstatSync(file);
    if (!stat.isFile()) return;
    if ((stat.mode & 0o7777) !== PRIVATE_FILE) fchmodSync(file, PRIVATE_FILE);
    let rest = bytes;
    while (rest.byteLength > 0) rest = rest.subarray(writeSync(file, rest));
  } finally {
    closeSync(file);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: PRIVATE_FOLDER });
  } catch {
    // It is there already, or it cannot be had, which the opening of the file finds out.
  }
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Renames the file to `.1`, `.1` to `.2` and so on, in one of the processes that found it full. */
function turnOver(path: string, coming: number, maxBytes: number): void {
  const claim = `${path}.turning`;
  if (!claimed(claim)) return;
  try {
    // Another process may have been faster than the claim.
    const size = sizeOf(path);
    if (size === 0 || size + coming <= maxBytes) return;
    for (let older = KEPT_FILES; older > 1; older -= 1) rename(`${path}.${older - 1}`, `${path}.${older}`);
    renameSync(path, `${path}.1`);
  } finally {
    rmSync(claim, { force: true });
  }
}

function claimed(claim: string): boolean {
  try {
    closeSync(openSync(claim, "wx", PRIVATE_FILE));
    return true;
  } catch {
    const since = statSync(claim, { throwIfNoEntry: false })?.mtimeMs;
    // The next line to be written then finds no claim.
    if (since !== undefined && Date.now() - since > STALE_CLAIM_MS) rmSync(claim, { force: true });
    return false;
  }
}

function rename(from: string, to: string): void {
  if (statSync(from, { throwIfNoEntry: false }) !== undefined) renameSync(from, to);
}
