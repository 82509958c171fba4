/** The process's own stdin and stdout as a protocol pipe, and the signals that ask it to end. */
import { fstatSync } from "node:fs";
import type { Stdio } from "../kernel/ports.ts";
import { openLibc } from "./libc.ts";
import { OpenSocket } from "./open-socket.ts";

const ENDING_SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

const STDIN_FD = 0;

type Listener = Parameters<Stdio["read"]>[0];

type Input = Pick<Stdio, "read" | "pause" | "resume" | "close">;

/** How long, after closing, a client may still take to read its last answers. */
const UNREAD_GRACE_MS = 5_000;

/** The adapter of this process. */
export function openStdio(unreadGraceMs: number = UNREAD_GRACE_MS): Stdio {
  const output = openOutput(unreadGraceMs);
  const socket = fstatSync(STDIN_FD).isSocket() ? duplicateOf(STDIN_FD) : undefined;
  const input = socket === undefined ? openStreamInput() : openSocketInput(socket);
  const closers: (() => void)[] = [input.close, output.close];
  return {
    read: input.read,
    pause: input.pause,
    resume: input.resume,
    write: output.write,
    onBroken: output.onBroken,
    onTerminate(listener) {
      for (const signal of ENDING_SIGNALS) process.on(signal, listener);
      closers.push(() => {
        for (const signal of ENDING_SIGNALS) process.off(signal, listener);
      });
    },
    close() {
      for (const close of closers.splice(0)) close();
    },
  };
}

/**
 * Another descriptor of the same file; undefined where the system gives none. Bun closes a socket's at EOF, and were that
 * 0, the next file to be opened would get the number: Bun 1.4 takes a file handle of that number for a closed one and
 * never closes it.
 */
function duplicateOf(fd: number): number | undefined {
  const copy = openLibc({ dup: { args: ["i32"], returns: "i32" } })?.dup(fd) ?? -1;
  return copy < 0 ? undefined : copy;
}

/** What most agents give to a server: a socket of theirs. */
function openSocketInput(fd: number): Input {
  let socket: OpenSocket | undefined;
  return {
    read(listener) {
      socket = new OpenSocket(fd, listener);
    },
    pause: () => socket?.pause(),
    resume: () => socket?.resume(),
    close: () => socket?.letGo(),
  };
}

/** A pipe, a file or a terminal, read by pull, so that a pause needs no buffer of its own: the pipe itself fills up. */
function openStreamInput(): Input {
  const reader = Bun.stdin.stream().getReader();
  let paused: PromiseWithResolvers<void> | undefined;
  let closed = false;
  const pump = async ({ onChunk, onEnd }: Listener): Promise<void> => {
    while (!closed) {
      // A broken stdin is an ended one: nothing more can be asked of us.
      const { done, value } = await reader.read().catch(() => ({ done: true, value: undefined }) as const);
      if (done || closed) break;
      onChunk(value);
      await paused?.promise;
    }
    if (!closed) onEnd();
  };
  return {
    read: (listener) => void pump(listener),
    pause() {
      paused ??= Promise.withResolvers();
    },
    resume() {
      paused?.resolve();
      paused = undefined;
    },
    close() {
      closed = true;
      paused?.resolve();
      // Cancelling a pipe that is already gone rejects; the process is leaving either way.
      reader.cancel().catch(() => undefined);
    },
  };
}

/**
 * Node's stream over stdout: one system call for what the pipe takes at once, the rest in order as it is read, and a
 * pipe that nobody reads is an event. Bun's own file sink asks the kernel to wake it after every write.
 */
function openOutput(unreadGraceMs: number) {
  const listeners: (() => void)[] = [];
  let broken = false;
  let drained: PromiseWithResolvers<void> | undefined;
  const release = (): void => {
    drained?.resolve();
    drained = undefined;
  };
  process.stdout.on("drain", release);
  process.stdout.on("error", () => {
    broken = true;
    release();
    for (const listener of listeners.splice(0)) listener();
  });
  return {
    write(text: string): Promise<void> | undefined {
      if (broken || process.stdout.write(text)) return undefined;
      drained ??= Promise.withResolvers();
      return drained.promise;
    },
    onBroken: (listener: () => void) => void listeners.push(listener),
    close() {
      // Unread answers keep this process alive, even past destroy() (Bun 1.4), and a client that waits for our end
      // before it reads would wait for ever.
      setTimeout(() => process.exit(), unreadGraceMs).unref();
    },
  };
}
