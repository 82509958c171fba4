/** The guard process: stands between Fermix and one server, and leaves nothing of that server alive, however Fermix ends. */
import { closeSync } from "node:fs";
import { constants } from "node:os";
import { LIFELINE_FD, SERVER_STDIN_FD, SERVER_STDOUT_FD, SOCKETS } from "./guard-terms.ts";
import { openLibc } from "./libc.ts";
import { descendantsOf, zombieChildrenOf } from "./process-tree.ts";

const PR_SET_CHILD_SUBREAPER = 36;
const WNOHANG = 1;
const ANY_CHILD = -1;
/** What waitpid answers a process without children (ECHILD). */
const NO_CHILD = -1;
/** Sweeps over a tree that forks while it is being killed; past this it is faster than we are and we give up. */
const MAX_SWEEPS = 200;
const CANNOT_START = 127;

type Libc = NonNullable<ReturnType<typeof openLinuxLibc>>;

/** undefined leaves process groups as the only means. */
function openLinuxLibc() {
  if (process.platform !== "linux") return undefined;
  return openLibc({
    prctl: { args: ["i32", "u64", "u64", "u64", "u64"], returns: "i32" },
    waitpid: { args: ["i32", "ptr", "i32"], returns: "i32" },
  });
}

/** Kills and reaps every descendant until a look finds none: killing moves orphans to us, so one sweep is not enough. */
function killDescendants(libc: Libc | undefined): void {
  for (let sweep = 0; sweep < MAX_SWEEPS; sweep += 1) {
    // A subreaper is the parent of whatever lost its own, so without a child it has no descendant to look for.
    if (libc && reapAll(libc)) return;
    const alive = descendantsOf(process.pid);
    for (const pid of alive) signal(pid, "SIGKILL");
    if (libc) reapAll(libc);
    if (alive.length === 0) return;
    Bun.sleepSync(1);
  }
}

/** Reaps every dead child; whether none is left at all. */
function reapAll(libc: Libc): boolean {
  for (;;) {
    const pid = libc.waitpid(ANY_CHILD, null, WNOHANG);
    if (pid <= 0) return pid === NO_CHILD;
  }
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // Gone already, or not ours to signal: either way there is nothing more to do for it.
  }
}

/**
 * Runs `argv` = [files, folder, program, ...arguments] with stdin and stdout as `files` says (guard-terms.ts) and this
 * process's own stderr and environment, and ends with its exit code (128 + n for signal n, 127 when it cannot be
 * started). When the lifeline reaches EOF, or when the program ends, every descendant is killed, daemonised
 * grandchildren included (they are reparented to a subreaper).
 */
export function runGuard(argv: readonly string[]): void {
  const [files, cwd, command, ...args] = argv;
  if (cwd === undefined || command === undefined) process.exit(CANNOT_START);
  const libc = openLinuxLibc();
  libc?.prctl(PR_SET_CHILD_SUBREAPER, 1n, 0n, 0n, 0n);
  const end = (code: number): never => {
    killDescendants(libc);
    process.exit(code);
  };
  const ofServer = (fd: number): number | "inherit" => (files === SOCKETS ? fd : "inherit");
  let server: Bun.Subprocess;
  try {
    server = Bun.spawn([command, ...args], {
      cwd,
      env: process.env,
      stdio: [ofServer(SERVER_STDIN_FD), ofServer(SERVER_STDOUT_FD), "inherit"],
      onExit: (child, code) => end(code ?? 128 + numberOf(child.signalCode)),
    });
  } catch (error) {
    process.stderr.write(`fermix: cannot start ${command}: ${error instanceof Error ? error.message : error}\n`);
    process.exit(CANNOT_START);
  }
  // Held here too, they would hide the server's own EOF.
  if (files === SOCKETS) for (const fd of [SERVER_STDIN_FD, SERVER_STDOUT_FD]) closeSync(fd);
  const forwarded = ["SIGTERM", "SIGINT", "SIGHUP"] as const;
  for (const name of forwarded) process.on(name, () => signal(server.pid, name));
  if (libc) {
    // Adopted orphans are nobody else's to reap; the server itself is left to Bun, which wants its status.
    process.on("SIGCHLD", () => {
      for (const pid of zombieChildrenOf(process.pid)) if (pid !== server.pid) libc.waitpid(pid, null, WNOHANG);
    });
  }
  void parentIsGone().then(() => end(128 + constants.signals.SIGKILL));
}

/** A signal's number; Bun names it, or gives the number where it knows no name. */
function numberOf(signalCode: NodeJS.Signals | number | null): number {
  return typeof signalCode === "number" ? signalCode : constants.signals[signalCode ?? "SIGKILL"];
}

/** Resolves when Fermix ended, or let go of the lifeline, which asks for the same: everything dies now. */
async function parentIsGone(): Promise<void> {
  try {
    await Bun.file(LIFELINE_FD).stream().getReader().read();
  } catch {
    // A lifeline that cannot be read is a broken one, and a guard without a lifeline protects nothing.
  }
}
