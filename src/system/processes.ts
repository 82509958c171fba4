/** Starts programs behind a guard process, so that they and all their descendants end with this process. */
import { closeSync } from "node:fs";
import { join } from "node:path";
import type { Child, ChildExit, ChildSpec, Processes, RunResult, RunSpec } from "../kernel/ports.ts";
import { INHERIT, LIFELINE_FD, SERVER_STDIN_FD, SERVER_STDOUT_FD, SOCKETS } from "./guard-terms.ts";
import { OpenSocket } from "./open-socket.ts";
import { descendantsOf } from "./process-tree.ts";

/** After EOF on stdin a server may finish its work (the MCP stdio shutdown order), */
const EOF_GRACE_MS = 1_000;
/** after SIGTERM it may clean up, */
const TERM_GRACE_MS = 1_000;
/** and its guard needs about this long to kill the tree. */
const KILL_GRACE_MS = 2_000;
/** Output still in the pipes when a program has ended; a process that escaped with the pipe may keep it open for ever. */
const DRAIN_MS = 500;
const SHELL_SIGNAL_BASE = 128;

type Stdin = "ignore" | Uint8Array;
type Stdio = [Stdin, "pipe", "pipe", ..."socket-fd"[]];
type GuardProcess = Bun.Subprocess<Stdin, "pipe", "pipe">;

/** A guard and our end of its lifeline. */
interface Guarded {
  readonly process: GuardProcess;
  /** Lets go of the lifeline, upon which the guard kills everything; a second time does nothing. */
  cut(): void;
}

/**
 * The real process port. `self` is the command line that runs this program again; its first argument `__guard` leads to
 * system/guard.ts.
 */
export function systemProcesses(self: readonly string[] = ownCommand()): Processes {
  return {
    run: (spec) => {
      const stdin = spec.stdin === undefined ? "ignore" : Buffer.from(spec.stdin);
      // The fourth is the lifeline: ours to close, whereas a "pipe" would be closed whenever the garbage collector finds
      // the time.
      return runToEnd(spec, launch([...self, "__guard", INHERIT], spec, [stdin, "pipe", "pipe", "socket-fd"]));
    },
    start: (spec) => {
      const stdio: Stdio = ["ignore", "pipe", "pipe", "socket-fd", "socket-fd", "socket-fd"];
      return new GuardedChild(launch([...self, "__guard", SOCKETS], spec, stdio));
    },
  };
}

function launch(
  guardLine: readonly string[],
  { cwd = "/", command, args, env }: RunSpec | ChildSpec,
  stdio: Stdio,
): Guarded {
  const guard: GuardProcess = Bun.spawn([...guardLine, cwd, command, ...args], {
    argv0: process.execPath,
    cwd: "/",
    env: { ...env },
    stdio,
    detached: true,
  });
  const lifeline = guard.stdio[LIFELINE_FD];
  let held = typeof lifeline === "number";
  const cut = (): void => {
    if (held && typeof lifeline === "number") closeSync(lifeline);
    held = false;
  };
  return { process: guard, cut };
}

/** The compiled binary is its own program; from sources it is Bun with src/main.ts. */
export function ownCommand(): readonly string[] {
  const compiled = Bun.main.startsWith("/$bunfs/");
  return compiled ? [OWN_PROGRAM] : [OWN_PROGRAM, join(import.meta.dir, "..", "main.ts")];
}

/**
 * The very program that is running. Its path may lead to a newer one by now, or nowhere, when Fermix was upgraded
 * meanwhile; Linux has a name for the file itself.
 */
const OWN_PROGRAM = process.platform === "linux" ? "/proc/self/exe" : process.execPath;

async function runToEnd(spec: RunSpec, guard: Guarded): Promise<RunResult> {
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    void killTree(guard);
  }, spec.deadlineMs);
  const stdout = collect(guard.process.stdout, spec.maxOutputBytes);
  const stderr = collect(guard.process.stderr, spec.maxOutputBytes);
  const { exitCode } = await ending(guard);
  clearTimeout(deadline);
  await atMost(DRAIN_MS, Promise.all([stdout.done, stderr.done]));
  return { exitCode: timedOut ? undefined : exitCode, stdout: stdout.text(), stderr: stderr.text(), timedOut };
}

/** Reads to the end and keeps the first `maxBytes`, so that a chatty program is neither blocked nor remembered. */
function collect(stream: ReadableStream<Uint8Array>, maxBytes: number): { done: Promise<void>; text: () => string } {
  const kept: Uint8Array[] = [];
  let room = maxBytes;
  const done = pump(stream, (chunk) => {
    if (room > 0) kept.push(chunk.subarray(0, room));
    room -= Math.min(room, chunk.length);
  });
  return { done, text: () => Buffer.concat(kept).toString("utf8") };
}

async function pump(stream: ReadableStream<Uint8Array>, take: (chunk: Uint8Array) => void): Promise<void> {
  for await (const chunk of stream) take(chunk);
}

/** How the program ended, told by its guard; a guard that was itself killed leaves its session to us. */
async function ending({ process: guard, cut }: Guarded): Promise<ChildExit> {
  await guard.exited;
  cut();
  if (guard.signalCode !== null) {
    for (const pid of descendantsOf(guard.pid)) killQuietly(pid);
    return { exitCode: undefined, signal: String(guard.signalCode) };
  }
  const code = guard.exitCode ?? 0;
  // Loaded here, because every command imports this file and few end up with a signal's name.
  const { constants } = process.getBuiltinModule("node:os");
  const signal = Object.entries(constants.signals).find(([, number]) => code === SHELL_SIGNAL_BASE + number);
  return signal ? { exitCode: undefined, signal: signal[0] } : { exitCode: code, signal: undefined };
}

/** Makes the guard kill everything now, and does it in its place when it does not. */
async function killTree({ process: guard, cut }: Guarded): Promise<void> {
  cut();
  if (await atMost(KILL_GRACE_MS, guard.exited)) return;
  const tree = descendantsOf(guard.pid);
  guard.kill("SIGKILL");
  for (const pid of tree) killQuietly(pid);
}

function killQuietly(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It ended by itself.
  }
}

/** Whether the work ended within `ms`. */
async function atMost(ms: number, work: Promise<unknown>): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}

class GuardedChild implements Child {
  readonly pid: number;
  readonly exited: Promise<ChildExit>;
  readonly #guard: Guarded;
  readonly #input: OpenSocket;
  readonly #stdout: ((chunk: Uint8Array) => void)[] = [];
  readonly #stderr: ((chunk: Uint8Array) => void)[] = [];
  #stopping: Promise<void> | undefined;

  constructor(guard: Guarded) {
    const lastWord = Promise.withResolvers<void>();
    const output = new OpenSocket(socketOf(guard, SERVER_STDOUT_FD), {
      onChunk: (chunk) => deliver(this.#stdout, chunk),
      onEnd: lastWord.resolve,
    });
    this.#input = new OpenSocket(socketOf(guard, SERVER_STDIN_FD), { onChunk: ignore, onEnd: ignore });
    this.#guard = guard;
    this.pid = guard.process.pid;
    const drained = Promise.all([
      lastWord.promise,
      pump(guard.process.stderr, (chunk) => deliver(this.#stderr, chunk)),
    ]);
    this.exited = ending(guard).then(async (exit) => {
      await atMost(DRAIN_MS, drained);
      output.close();
      this.#input.close();
      return exit;
    });
  }

  async write(text: string): Promise<void> {
    const { exitCode, signalCode } = this.#guard.process;
    if (exitCode !== null || signalCode !== null) throw new Error("the process has ended");
    await this.#input.write(text);
  }

  endInput(): void {
    this.#input.end();
  }

  onStdout(listener: (chunk: Uint8Array) => void): void {
    this.#stdout.push(listener);
  }

  onStderr(listener: (chunk: Uint8Array) => void): void {
    this.#stderr.push(listener);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.endInput();
    if (!(await atMost(EOF_GRACE_MS, this.exited))) {
      this.#guard.process.kill("SIGTERM");
      if (!(await atMost(TERM_GRACE_MS, this.exited))) await killTree(this.#guard);
    }
    await this.exited;
  }
}

function socketOf({ process: guard }: Guarded, fd: number): number {
  const socket = guard.stdio[fd];
  if (typeof socket !== "number") throw new Error("the guard has no socket there");
  return socket;
}

function ignore(): void {
  // A server has nothing to say on its stdin, and what it no longer reads is told by the write.
}

function deliver(listeners: readonly ((chunk: Uint8Array) => void)[], chunk: Uint8Array): void {
  for (const listener of listeners) listener(chunk);
}
