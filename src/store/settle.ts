/** Ends a change of one plugin that a crash or a failure cut short: either it had gone through, or nothing of it stays. */
import { lstatSync, rmdirSync } from "node:fs";
import { join } from "node:path";
import type { Home } from "../files/home.ts";
import { hasErrno, isFermixError } from "../kernel/error.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { treeDigestV2 } from "../trust/tree-digest.ts";
import { discard, removeFromStore } from "./discard.ts";
import { moveDurably } from "./durable.ts";
import { linkedVersion, versionExists } from "./installed.ts";
import {
  completePending,
  entriesOf,
  pendingPath,
  readReceipt,
  receiptPath,
  replacingPath,
  unsettledVersions,
} from "./version-receipt.ts";

/** The unfinished siblings of a link and of an atomic write. */
const LEFTOVER = /^(current|\.\d+\.\d+\.\d+(\.pending)?\.json\..*)\.tmp$/;

/**
 * Settles every unfinished change of a plugin (DECISIONS 35). Hold the plugin's lock. Running it again after it was
 * cut short itself ends in the same state. For each version, with T its tree, E its evidence, `aside` their old selves:
 * - T aside: the new tree was not committed, so the old tree comes back.
 * - T is the announced one (its digest says so): it went through. It is kept when it is live or replaced a kept one,
 *   and removed when it was new and never went live.
 * - else E aside comes back and the announcement goes.
 */
export async function settlePlugin(ports: Pick<Ports, "random">, home: Home, name: PluginName): Promise<void> {
  for (const version of unsettledVersions(home, name)) await settleVersion(ports, home, name, version);
  for (const entry of entriesOf(home.pluginDir(name))) {
    if (LEFTOVER.test(entry)) await removeFromStore(home, join(home.pluginDir(name), entry));
  }
  removeIfEmpty(home.pluginDir(name));
  removeIfEmpty(join(home.plugins.evidence, name));
}

async function settleVersion(
  ports: Pick<Ports, "random">,
  home: Home,
  name: PluginName,
  version: Version,
): Promise<void> {
  const tree = home.versionDir(name, version);
  await bringBack(ports, home, name, replacingPath(home.pluginDir(name), version), tree);
  const evidence = home.evidenceDir(name, version);
  const oldEvidence = replacingPath(join(home.plugins.evidence, name), version);
  if (await isAnnounced(home, name, version)) {
    await removeFromStore(home, oldEvidence);
    if (linkedVersion(home, name) === version || exists(receiptPath(home, name, version))) {
      await completePending(home, name, version);
      return;
    }
    await discard(ports, home, name, tree);
  } else await bringBack(ports, home, name, oldEvidence, evidence);
  if (!versionExists(home, name, version)) {
    await removeFromStore(home, evidence);
    await removeFromStore(home, receiptPath(home, name, version));
  }
  await removeFromStore(home, pendingPath(home, name, version));
}

/** Whether the tree in place is the one that the pending announcement names. */
async function isAnnounced(home: Home, name: PluginName, version: Version): Promise<boolean> {
  const pending = readReceipt(pendingPath(home, name, version));
  if (pending?.treeDigestV2 === undefined || !versionExists(home, name, version)) return false;
  try {
    return (await treeDigestV2(home.versionDir(name, version))) === pending.treeDigestV2;
  } catch (cause) {
    if (isFermixError(cause, "tree_unsafe")) return false;
    throw cause;
  }
}

async function bringBack(
  ports: Pick<Ports, "random">,
  home: Home,
  name: PluginName,
  aside: string,
  place: string,
): Promise<void> {
  if (!exists(aside)) return;
  await discard(ports, home, name, place);
  await moveDurably(aside, place);
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (cause) {
    if (!hasErrno(cause, "ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR")) throw cause;
  }
}
