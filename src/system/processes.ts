/** Starts programs behind a guard process, so that they and all their descendants end with this process. */
import { writeSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import type { Child, ChildExit, ChildSpec, Processes, RunResult, RunSpec } from "../kernel/ports.ts";
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

type Guarded = Bun.Subprocess<"pipe" | "ignore" | Uint8Array, "pipe", "pipe">;

/**
 * The real process port. `self` is the command line that runs this program again; its first argument `__guard` leads to
 * system/guard.ts.
 */
export function systemProcesses(self: readonly string[] = ownCommand()): Processes {
  const launch = (
    spec: Pick<RunSpec, "command" | "args" | "env">,
    cwd: string,
    stdin: "pipe" | "ignore" | Uint8Array,
  ) =>
    Bun.spawn([...self, "__guard", cwd, spec.command, ...spec.args], {
      cwd: "/",
      env: { ...spec.env },
      stdio: [stdin, "pipe", "pipe", "pipe"],
      detached: true,
    }) as Guarded;
  return {
    run: (spec) =>
      runToEnd(spec, launch(spec, spec.cwd ?? "/", spec.stdin === undefined ? "ignore" : Buffer.from(spec.stdin))),
    start: (spec: ChildSpec) => new GuardedChild(launch(spec, spec.cwd, "pipe")),
  };
}

/** The compiled binary is its own program; from sources it is Bun with src/main.ts. */
function ownCommand(): readonly string[] {
  const compiled = Bun.main.startsWith("/$bunfs/");
  return compiled ? [process.execPath] : [process.execPath, join(import.meta.dir, "..", "main.ts")];
}

async function runToEnd(spec: RunSpec, guard: Guarded): Promise<RunResult> {
  let timedOut = false;
  const deadline = setTimeout(() => {
    timedOut = true;
    void killTree(guard);
  }, spec.deadlineMs);
  const stdout = collect(guard.stdout, spec.maxOutputBytes);
  const stderr = collect(guard.stderr, spec.maxOutputBytes);
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
async function ending(guard: Guarded): Promise<ChildExit> {
  await guard.exited;
  if (guard.signalCode !== null) {
    for (const pid of descendantsOf(guard.pid)) killQuietly(pid);
    return { exitCode: undefined, signal: String(guard.signalCode) };
  }
  const code = guard.exitCode ?? 0;
  const signal = Object.entries(constants.signals).find(([, number]) => code === SHELL_SIGNAL_BASE + number);
  return signal ? { exitCode: undefined, signal: signal[0] } : { exitCode: code, signal: undefined };
}

/** Asks the guard to kill everything now, and does it in its place when it does not answer. */
async function killTree(guard: Guarded): Promise<void> {
  try {
    writeSync(lifelineOf(guard), "x");
  } catch {
    // The guard is gone, or going: its end is what is waited for next.
  }
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

function lifelineOf(guard: Guarded): number {
  const end: unknown = guard.stdio[3];
  return typeof end === "number" ? end : -1;
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
  readonly #input: Bun.FileSink;
  readonly #stdout: ((chunk: Uint8Array) => void)[] = [];
  readonly #stderr: ((chunk: Uint8Array) => void)[] = [];
  #stopping: Promise<void> | undefined;

  constructor(guard: Guarded) {
    this.#guard = guard;
    this.#input = guard.stdin as Bun.FileSink;
    this.pid = guard.pid;
    const drained = Promise.all([
      pump(guard.stdout, (chunk) => deliver(this.#stdout, chunk)),
      pump(guard.stderr, (chunk) => deliver(this.#stderr, chunk)),
    ]);
    this.exited = ending(guard).then(async (exit) => {
      await atMost(DRAIN_MS, drained);
      return exit;
    });
  }

  async write(text: string): Promise<void> {
    if (this.#guard.exitCode !== null || this.#guard.signalCode !== null) throw new Error("the process has ended");
    this.#input.write(text);
    await this.#input.flush();
  }

  endInput(): void {
    void this.#input.end();
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
      this.#guard.kill("SIGTERM");
      if (!(await atMost(TERM_GRACE_MS, this.exited))) await killTree(this.#guard);
    }
    await this.exited;
  }
}

function deliver(listeners: readonly ((chunk: Uint8Array) => void)[], chunk: Uint8Array): void {
  for (const listener of listeners) listener(chunk);
}
