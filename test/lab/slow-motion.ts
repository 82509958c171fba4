/** Runs a command in slow motion: stopped every moment, so that each state its home goes through can be kept as a kill -9 would leave it. */
import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { FlowHome } from "./binary.ts";

/** How long the process runs between two looks, in nanoseconds; less than any two changes of the disk are apart. */
const SLICE_NS = 150_000;

export interface SlowRun {
  readonly binary: string;
  readonly words: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** What makes two states of the home different; a state is kept when it is first seen. */
  readonly stateOf: (root: string) => string;
  /** A new folder; the copies are folders in it, named by number. */
  readonly into: string;
}

export interface KeptState {
  readonly state: string;
  /** A home of its own. */
  readonly root: string;
}

/** The exit code and every state, in order; the first is the one before the command, the last the one after it. */
export async function inSlowMotion(
  home: FlowHome,
  run: SlowRun,
): Promise<{ code: number; states: readonly KeptState[] }> {
  const states: KeptState[] = [];
  const keep = (): void => {
    const state = run.stateOf(home.root);
    if (states.some((kept) => kept.state === state)) return;
    const root = join(run.into, String(states.length));
    if (existsSync(home.root)) cpSync(home.root, root, { recursive: true, verbatimSymlinks: true });
    states.push({ state, root });
  };
  keep();
  const child = Bun.spawn([run.binary, ...run.words], {
    env: home.env(run.env),
    cwd: home.folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  try {
    while (await stopped(child)) {
      keep();
      child.kill("SIGCONT");
      for (const until = Bun.nanoseconds() + SLICE_NS; Bun.nanoseconds() < until; );
    }
  } finally {
    child.kill("SIGCONT");
  }
  const code = await child.exited;
  keep();
  return { code, states };
}

/** Stops every thread of the process and waits until they all stand still; false when it has ended. */
async function stopped(child: Bun.Subprocess): Promise<boolean> {
  child.kill("SIGSTOP");
  for (;;) {
    const states = threadStates(child.pid);
    if (states.length === 0 || states.includes("Z") || states.includes("X")) return false;
    if (states.every((state) => state === "T")) return true;
    await new Promise((resolve) => setImmediate(resolve));
    if (child.exitCode !== null) return false;
  }
}

/** The letter of each thread's state (proc(5)); none when the process is gone. */
function threadStates(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((thread) => {
      const stat = readFileSync(`/proc/${pid}/task/${thread}/stat`, "latin1");
      return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3);
    });
  } catch {
    return [];
  }
}
