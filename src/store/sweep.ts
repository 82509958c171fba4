/** Puts the store, and what stands beside config.toml, in order at the start of a host or of a changing command: what crashes left goes, and the record is made whole (spec 2.6, DECISIONS 35). */
import { join } from "node:path";
import { tidyConfig } from "../config/tidy.ts";
import { isAlive } from "../files/file-lock.ts";
import type { Home } from "../files/home.ts";
import { isThere, lookAt } from "../files/look.ts";
import { isFermixError } from "../kernel/error.ts";
import { asPluginName, type PluginName } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { discard, removeFromStore } from "./discard.ts";
import type { InstalledEntry } from "./entry-json.ts";
import { isDeadHold } from "./hold.ts";
import { type InstalledRecord, linkedVersion, readInstalled, rewriteInstalled, versionExists } from "./installed.ts";
import { settlePlugin } from "./settle.ts";
import { stagingOwner } from "./staging.ts";
import { lockOwner, pluginLockPath, storeLockLeftBehind, withPluginLock, withStoreLock } from "./store-lock.ts";
import {
  entriesOf,
  keptVersions,
  orphanedReceipts,
  readReceipt,
  receiptPath,
  unsettledVersions,
} from "./version-receipt.ts";

const LOCK_FILE = /^\.lock-([a-z][a-z0-9_]{0,63})$/;
const UNFINISHED_RECORD = /^installed\.json\..*\.tmp$/;
/** What a process that was killed while it took or gave a lock leaves beside it. */
const UNFINISHED_LOCK = /^\.lock(?:-[a-z0-9_]+)?\.([1-9]\d*)\.(?:new|stale)$/;
/** Scratch folders of a hosted proof (spec 2.6); those of Fermix carry the number of their process. */
const RUN_SCRATCH = /^\.verify-(?:([1-9]\d*)-)?/;

/**
 * Sweeps the store, and what a change of it that edits config.toml left there; whatever is in use by a living process
 * stays. Makes no store where there is none, and leaves the rest for next time when another process holds the lock.
 * Throws installed_record_corrupt, lock_corrupt.
 */
export async function sweepStore(ports: Pick<Ports, "clock" | "random">, home: Home): Promise<void> {
  await tidyConfig(ports, home);
  if (!isThere(home.plugins.root)) return;
  for (const name of interruptedPlugins(home)) {
    await unlessBusy("plugin_busy", async () => {
      await withPluginLock(ports, home, name, async () => await settlePlugin(ports, home, name), "one_try");
    });
  }
  if (!(await needsSweep(home))) return;
  await unlessBusy("store_busy", async () => {
    await withStoreLock(ports, home, async () => await sweepLocked(ports, home), "hurry");
  });
}

async function unlessBusy(code: "plugin_busy" | "store_busy", work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (cause) {
    if (!isFermixError(cause, code)) throw cause;
  }
}

/** Plugins with a lock file, or with a change or a removal that did not end. */
function interruptedPlugins(home: Home): readonly PluginName[] {
  const names = new Set<PluginName>();
  for (const entry of entriesOf(home.plugins.root)) {
    const name = asPluginName(LOCK_FILE.exec(entry)?.[1]);
    if (name !== undefined) names.add(name);
  }
  for (const name of [...namesIn(home.plugins.installed), ...namesIn(home.plugins.evidence)]) {
    if (unsettledVersions(home, name).length > 0 || orphanedReceipts(home, name).length > 0) names.add(name);
  }
  return [...names].toSorted();
}

/** Told by reading alone: a tidy store takes no lock, so that a read-only home can be served. */
async function needsSweep(home: Home): Promise<boolean> {
  if (entriesOf(home.plugins.staging).length > 0 || entriesOf(home.plugins.run).some(isRunDebris)) return true;
  if (entriesOf(home.plugins.root).some(isUnfinished) || storeLockLeftBehind(home)) return true;
  const record = await readInstalled(home);
  return orphanedEvidence(home).length > 0 || recordRepairs(home, record).length > 0;
}

async function sweepLocked(ports: Pick<Ports, "random">, home: Home): Promise<void> {
  for (const entry of entriesOf(home.plugins.staging)) {
    const owner = stagingOwner(entry);
    if (owner !== undefined && holdsPlugin(home, owner)) continue;
    await removeFromStore(home, join(home.plugins.staging, entry));
  }
  for (const entry of entriesOf(home.plugins.run).filter(isRunDebris)) {
    await removeFromStore(home, join(home.plugins.run, entry));
  }
  for (const entry of entriesOf(home.plugins.root).filter(isUnfinished)) {
    await removeFromStore(home, join(home.plugins.root, entry));
  }
  await rewriteInstalled(home, (record) => {
    for (const { name, entry } of recordRepairs(home, record)) {
      if (entry === undefined) record.delete(name);
      else record.set(name, entry);
    }
  });
  for (const name of orphanedEvidence(home)) await discard(ports, home, name, join(home.plugins.evidence, name));
}

/** A staging folder is in use exactly while its maker holds the plugin's lock: it is made and removed inside it. */
function holdsPlugin(home: Home, owner: { plugin: string; pid: number }): boolean {
  const name = asPluginName(owner.plugin);
  if (name === undefined) return false;
  return lockOwner(home, name) === owner.pid && isAlive(owner.pid);
}

function isUnfinished(entry: string): boolean {
  const pid = UNFINISHED_LOCK.exec(entry)?.[1];
  return pid === undefined ? UNFINISHED_RECORD.test(entry) : !isAlive(Number(pid));
}

/** What a dead process left in `run/`: a hold, or the scratch folder of a proof. */
function isRunDebris(entry: string): boolean {
  if (isDeadHold(entry)) return true;
  const scratch = RUN_SCRATCH.exec(entry);
  return scratch !== null && (scratch[1] === undefined || !isAlive(Number(scratch[1])));
}

/** Evidence of plugins that are not in the store. A plugin that a process is changing is left to it. */
function orphanedEvidence(home: Home): readonly PluginName[] {
  return namesIn(home.plugins.evidence).filter((name) => isIdle(home, name) && !isThere(home.pluginDir(name)));
}

interface Repair {
  readonly name: PluginName;
  /** undefined: the record forgets the plugin. */
  readonly entry: InstalledEntry | undefined;
}

/**
 * What the record must take over, `current` being the truth: the receipt of the live version (a pin stays), or nothing
 * for a plugin that is gone. One that a process is changing is left to it; one without a receipt, to what is recorded.
 */
function recordRepairs(home: Home, record: InstalledRecord): readonly Repair[] {
  if (lookAt(home.plugins.installed)?.isDirectory() !== true) return [];
  const names = new Set([...namesIn(home.plugins.installed), ...record.keys()]);
  return [...names].flatMap((name): readonly Repair[] => {
    if (!isIdle(home, name)) return [];
    const known = record.get(name);
    const live = linkedVersion(home, name);
    if (live === undefined || !versionExists(home, name, live)) {
      return known !== undefined && keptVersions(home, name).length === 0 ? [{ name, entry: undefined }] : [];
    }
    const proven = readReceipt(receiptPath(home, name, live));
    if (proven === undefined || (known?.version === live && known.sha256 === proven.sha256)) return [];
    return [{ name, entry: { ...proven, pinned: known?.pinned ?? false } }];
  });
}

function isIdle(home: Home, name: PluginName): boolean {
  return !isThere(pluginLockPath(home, name));
}

function namesIn(folder: string): readonly PluginName[] {
  return entriesOf(folder).flatMap((entry) => asPluginName(entry) ?? []);
}
