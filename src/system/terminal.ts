/** The real terminal: what is a terminal, talk on stderr, input on stdin. */
import { createReadStream, fstatSync, type Stats, writeSync } from "node:fs";
import { FermixError, hasErrno } from "../kernel/error.ts";
import type { Terminal } from "../kernel/ports.ts";
import { redactCredentials } from "../kernel/redact.ts";

const STDIN = 0;
const STDOUT = 1;
const STDERR = 2;
const DEFAULT_COLUMNS = 80;
const INTERRUPTS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
/** How long a stderr that others made non-blocking may stay full before the rest of the line is given up. */
const MAX_STALLS = 2000;

/** The device numbers of the terminals that terminal emulators and ssh open (Linux, admin-guide/devices, "Unix98 PTY slaves"). */
const FIRST_PTY_MAJOR = 136;
const LAST_PTY_MAJOR = 143;

/** The process's own streams. Nothing is opened before it is asked for: the first touch of process.stdout takes 7 ms. */
export function systemTerminal(): Terminal {
  return {
    get stdinIsTty() {
      return isTerminal(STDIN);
    },
    get stdoutIsTty() {
      return isTerminal(STDOUT);
    },
    get stderrIsTty() {
      return isTerminal(STDERR);
    },
    get columns() {
      if (isTerminal(STDOUT)) return process.stdout.columns || DEFAULT_COLUMNS;
      return (isTerminal(STDERR) && process.stderr.columns) || DEFAULT_COLUMNS;
    },
    talk: (text) => writeAll(STDERR, Buffer.from(redactCredentials(text))),
    readInput: (maxBytes) => readAll(maxBytes),
    keys: () => process.stdin,
    onInterrupt(listener) {
      for (const signal of INTERRUPTS) process.on(signal, listener);
      return () => {
        for (const signal of INTERRUPTS) process.off(signal, listener);
      };
    },
  };
}

/**
 * Whether the file is a terminal. node:tty knows, but loading it takes a third as long as a whole hello world, so it is
 * asked only about devices that are neither surely a terminal nor surely none.
 */
function isTerminal(file: number): boolean {
  const stat = statOf(file);
  if (stat === undefined || !stat.isCharacterDevice()) return false;
  const major = (stat.rdev >> 8) & 0xfff;
  if (process.platform === "linux" && major >= FIRST_PTY_MAJOR && major <= LAST_PTY_MAJOR) return true;
  return process.getBuiltinModule("node:tty").isatty(file);
}

function statOf(file: number): Stats | undefined {
  try {
    return fstatSync(file);
  } catch (cause) {
    if (hasErrno(cause, "EBADF")) return undefined;
    throw cause;
  }
}

/** Writes everything, short writes included; a reader that is gone ends the talk quietly. */
function writeAll(file: number, bytes: Uint8Array): void {
  let rest = bytes;
  let stalls = 0;
  while (rest.byteLength > 0 && stalls < MAX_STALLS) {
    try {
      rest = rest.subarray(writeSync(file, rest));
      stalls = 0;
    } catch (cause) {
      if (!hasErrno(cause, "EAGAIN")) return;
      stalls += 1;
      Bun.sleepSync(1);
    }
  }
}

async function readAll(maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of createReadStream("", { fd: STDIN, autoClose: false })) {
    const bytes = chunk as Uint8Array;
    size += bytes.byteLength;
    if (size > maxBytes) throw new FermixError("input_refused", { reason: `it is over ${maxBytes} bytes` });
    chunks.push(bytes);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
  } catch (cause) {
    throw new FermixError("input_refused", { reason: "it is not UTF-8 text" }, { cause });
  }
}
