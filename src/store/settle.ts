/** Ends a change of one plugin that a crash or a failure cut short: either it had gone through, or nothing of it stays. */
import { rmdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
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
  orphanedReceipts,
  pendingPath,
  readReceipt,
  receiptPath,
  replacingPath,
  unsettledVersions,
} from "./version-receipt.ts";

/** The unfinished siblings of a link and of an atomic write. */
const LEFTOVER = /^(current|\.\d+\.\d+\.\d+(\.pending)?\.json\..*)\.tmp$/;

/**
 * Settles every unfinished change of a plugin (DECISIONS 35). Hold the plugin's lock. The change of a version went
 * through when the tree in place is the announced one (its digest says so) and `current` leads to it; then it is ended.
 * Else it is undone: old files come back, and a new version that never went live goes. Being cut short itself changes
 * nothing about the end that a second run comes to.
 */
export async function settlePlugin(ports: Pick<Ports, "random">, home: Home, name: PluginName): Promise<void> {
  for (const version of unsettledVersions(home, name)) await settleVersion(ports, home, name, version);
  for (const entry of entriesOf(home.pluginDir(name))) {
    if (LEFTOVER.test(entry)) await removeFromStore(home, join(home.pluginDir(name), entry));
  }
  for (const version of orphanedReceipts(home, name)) await removeFromStore(home, receiptPath(home, name, version));
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
  const evidence = home.evidenceDir(name, version);
  const oldTree = replacingPath(home.pluginDir(name), version);
  const oldEvidence = replacingPath(dirname(evidence), version);
  const announced = await isAnnounced(home, name, version);
  if (announced && linkedVersion(home, name) === version) {
    // The same package installed again may not have come as far as its evidence.
    if (!isThere(evidence)) await bringBack(ports, home, name, oldEvidence, evidence);
    await discard(ports, home, name, oldTree);
    await discard(ports, home, name, oldEvidence);
    await completePending(home, name, version);
    return;
  }
  if (isThere(oldTree)) {
    // Evidence goes aside before its tree does, so with the tree alone aside what is in its place is the new one's.
    if (!isThere(oldEvidence)) await discard(ports, home, name, evidence);
    await bringBack(ports, home, name, oldTree, tree);
  } else if (announced && !isThere(receiptPath(home, name, version))) await discard(ports, home, name, tree);
  await bringBack(ports, home, name, oldEvidence, evidence);
  if (!versionExists(home, name, version)) {
    await discard(ports, home, name, evidence);
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
    throw namedFailure(home.versionDir(name, version), cause);
  }
}

async function bringBack(
  ports: Pick<Ports, "random">,
  home: Home,
  name: PluginName,
  aside: string,
  place: string,
): Promise<void> {
  if (!isThere(aside)) return;
  await discard(ports, home, name, place);
  await moveDurably(aside, place);
}

function removeIfEmpty(folder: string): void {
  try {
    rmdirSync(folder);
  } catch (cause) {
    if (!hasErrno(cause, "ENOENT", "ENOTEMPTY", "EEXIST", "ENOTDIR")) throw cause;
  }
}
