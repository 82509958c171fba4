/** Which versions a live host is running, so that gc leaves their files alone (DECISIONS 38). */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../files/file-lock.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import { entriesOf } from "./version-receipt.ts";

const HOLD = /^hold-([a-z][a-z0-9_]{0,63})-(\d+\.\d+\.\d+)-([1-9]\d*)$/;

/** Notes that this process uses a version; the answer takes the note back. A note of a dead process counts for nothing. */
export function holdVersion(home: Home, name: PluginName, version: Version): () => void {
  const path = join(home.plugins.run, `hold-${name}-${version}-${process.pid}`);
  try {
    mkdirSync(home.plugins.run, { recursive: true, mode: 0o700 });
    writeFileSync(path, "", { mode: 0o600 });
  } catch (cause) {
    throw namedFailure(path, cause);
  }
  return () => rmSync(path, { force: true });
}

/** Whether any live process uses this version. */
export function isHeld(home: Home, name: PluginName, version: Version): boolean {
  return entriesOf(home.plugins.run).some((entry) => {
    const [, plugin, held, pid] = HOLD.exec(entry) ?? [];
    return plugin === name && held === version && isAlive(Number(pid));
  });
}

/** Whether a file in `run/` is a hold whose process is dead. */
export function isDeadHold(entry: string): boolean {
  const pid = HOLD.exec(entry)?.[3];
  return pid !== undefined && !isAlive(Number(pid));
}
