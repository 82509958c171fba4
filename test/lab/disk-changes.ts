/**
 * A `bun --preload` for children of tests: it stands between the program and each of its changes to the disk. A copy
 * of a home taken before the Nth change is what a kill -9 at that moment would leave.
 */
import fs from "node:fs";
import { join } from "node:path";

export interface DiskChanges {
  made: number;
  /** Before each change, this folder is copied to `into/<number of the change>`. */
  copy: { readonly from: string; readonly into: string } | undefined;
  /** The change that fails with EIO; 0 for none. */
  failAt: number;
}

const KEY = Symbol.for("fermix.test.disk-changes");
const CHANGES = ["rename", "symlink", "mkdir", "rmdir", "rm", "open", "unlink", "writeFile"] as const;

type AnyCall = (...args: unknown[]) => unknown;

/** The state of the preload in this process. */
export function diskChanges(): DiskChanges {
  const state = (globalThis as unknown as Record<symbol, DiskChanges | undefined>)[KEY];
  if (state === undefined) throw new Error("this process was started without the preload");
  return state;
}

function install(): void {
  const state: DiskChanges = { made: 0, copy: undefined, failAt: 0 };
  (globalThis as unknown as Record<symbol, DiskChanges>)[KEY] = state;
  const calls = fs.promises as unknown as Record<string, AnyCall>;
  for (const name of CHANGES) {
    const real = calls[name];
    if (real === undefined) continue;
    calls[name] = async (...args: unknown[]) => {
      if (name === "open" && args[1] === "r") return await real(...args);
      state.made += 1;
      if (state.copy !== undefined) {
        fs.cpSync(state.copy.from, join(state.copy.into, String(state.made)), {
          recursive: true,
          verbatimSymlinks: true,
        });
      }
      if (state.made === state.failAt) {
        throw Object.assign(new Error(`EIO: the ${name} was disturbed`), { code: "EIO" });
      }
      return await real(...args);
    };
  }
}

if ((globalThis as unknown as Record<symbol, unknown>)[KEY] === undefined) install();
