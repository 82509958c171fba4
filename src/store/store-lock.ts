/** Who may change the store: one writer per plugin, and one writer of installed.json and `.staging/` at a time (DECISIONS 35). */
import { existsSync, mkdirSync, readFileSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import { ensureHome } from "../files/ensure-home.ts";
import { isAlive, type LockOptions, withFileLock } from "../files/file-lock.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";

/** Spec 2.7. */
const PATIENCE = { attempts: 50, everyMs: 100 };
/** A start-up sweep is not worth waiting for (spec 2.6). */
const HASTE = { attempts: 5, everyMs: 20 };
/** The first look takes away the lock of a dead owner, the second takes it. */
const ONE_TRY = { attempts: 2, everyMs: 0 };
/** A lock whose owner is dead is stale at once; this bounds how long a younger process of the same number passes for the owner. */
const STALE_MS = 600_000;

/** How long to wait for a lock. */
export type Patience = "wait" | "hurry" | "one_try";
const patience = { wait: PATIENCE, hurry: HASTE, one_try: ONE_TRY } as const;

/** The lock file of one plugin; a name holds no dot or dash, so it can't be another file of the store. */
export function pluginLockPath(home: Home, name: PluginName): string {
  return join(home.plugins.root, `.lock-${name}`);
}

/** The number of the process that holds a plugin's lock; undefined when nobody does or the lock does not say. */
export function lockOwner(home: Home, name: PluginName): number | undefined {
  return ownerOf(pluginLockPath(home, name));
}

function ownerOf(path: string): number | undefined {
  try {
    const pid = Number(readFileSync(path, "utf8").trim().split(" ")[1]);
    return Number.isSafeInteger(pid) && pid > 0 ? pid : undefined;
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    throw namedFailure(path, cause);
  }
}

/** Whether the store's lock is there without a living process that holds it: whoever takes it next tidies it away. */
export function storeLockLeftBehind(home: Home): boolean {
  if (!isThere(home.plugins.lock)) return false;
  const owner = ownerOf(home.plugins.lock);
  return owner === undefined || !isAlive(owner);
}

/** Whether another living process is changing this plugin, so that it may be seen in pieces for a moment. */
export function isBeingChanged(home: Home, name: PluginName): boolean {
  const owner = lockOwner(home, name);
  return owner !== undefined && owner !== process.pid && isAlive(owner);
}

/** Runs `work` as the only process that changes this plugin. Throws plugin_busy. Take it before the store lock, never after. */
export async function withPluginLock<T>(
  ports: Pick<Ports, "clock">,
  home: Home,
  name: PluginName,
  work: () => Promise<T>,
  howLong: Patience = "wait",
): Promise<T> {
  const busy = () => new FermixError("plugin_busy", { plugin: name });
  return await underLock(
    ports,
    home,
    pluginLockPath(home, name),
    { ...patience[howLong], staleMs: STALE_MS, busy },
    work,
  );
}

/** Runs `work` as the only writer of installed.json and the only sweeper. Throws store_busy. */
export async function withStoreLock<T>(
  ports: Pick<Ports, "clock">,
  home: Home,
  work: () => Promise<T>,
  howLong: Patience = "wait",
): Promise<T> {
  const path = home.plugins.lock;
  const busy = () => new FermixError("store_busy", { path });
  return await underLock(ports, home, path, { ...patience[howLong], staleMs: STALE_MS, busy }, work);
}

/** How often the store's folder may vanish while its lock is asked for: each time another process gave up its own. */
const MAX_VANISHED = 5;

/**
 * Runs `work` under a lock of the store. When it fails, folders made for it that nothing came into are taken away, so that a
 * refused first install leaves the home as it was; another process that waits in them simply makes them anew.
 */
async function underLock<T>(
  ports: Pick<Ports, "clock">,
  home: Home,
  path: string,
  options: LockOptions,
  work: () => Promise<T>,
): Promise<T> {
  let begun = false;
  const begin = (): Promise<T> => {
    begun = true;
    return work();
  };
  for (let vanished = 0; ; vanished += 1) {
    const made = await ensureStore(home);
    try {
      return await withFileLock(ports, path, options, begin);
    } catch (error) {
      for (const folder of made) if (!removedEmpty(folder)) break;
      if (begun || !hasErrno(error, "ENOENT") || vanished === MAX_VANISHED) throw error;
    }
  }
}

/** Makes the home and the store's folder; answers those that were not there, innermost first. */
async function ensureStore(home: Home): Promise<readonly string[]> {
  const { root, staging, installed } = home.plugins;
  const made = [staging, installed, root, home.root].filter((folder) => !existsSync(folder));
  await ensureHome(home);
  try {
    mkdirSync(root, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw namedFailure(root, cause);
  }
  return made.includes(root) ? made : [];
}

/** Whether the folder is not there any more; one that holds something stays. */
function removedEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (cause) {
    return hasErrno(cause, "ENOENT");
  }
}
