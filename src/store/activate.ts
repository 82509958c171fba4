/** The one door to a live version: a verified tree moves into the store whole and `current` is flipped last (spec 2.8 step 19). */
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import { FermixError } from "../kernel/error.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import type { VerifiedTree } from "../trust/proof.ts";
import { assertInStore, discard, removeFromStore } from "./discard.ts";
import { moveDurably, pointDurably } from "./durable.ts";
import type { InstalledEntry } from "./entry-json.ts";
import { currentLink, prepareInstalled, versionExists } from "./installed.ts";
import { settlePlugin } from "./settle.ts";
import { withStoreLock } from "./store-lock.ts";
import { completePending, replacingPath, writePending } from "./version-receipt.ts";

export interface Activation {
  readonly name: PluginName;
  readonly tree: VerifiedTree;
  readonly entry: InstalledEntry;
  /** Folder with the evidence of a hosted plugin, in staging (spec 2.6). */
  readonly evidence: string | undefined;
}

/**
 * Makes a verified tree the live version. Hold the plugin's lock; the store's is taken here. Order, each step durable
 * before the next: the record beside the old one; announce; old evidence and old tree aside (only when this version is
 * in the store already); new evidence in; new tree in; `current` flipped; old ones dropped; receipt; the record in place.
 * A failure before the flip is undone here, and a crash by `settlePlugin` at the next start: the old version stays live.
 * Throws plugins_dir_spans_filesystems, outside_store, store_busy, installed_record_corrupt, and what a write throws.
 */
export async function activate(
  ports: Pick<Ports, "random" | "clock">,
  home: Home,
  { name, tree, entry, evidence }: Activation,
): Promise<void> {
  const { version } = entry;
  assertInStore(home, home.versionDir(name, version));
  assertInStore(home, home.evidenceDir(name, version));
  await settlePlugin(ports, home, name);
  await recording(ports, home, name, entry, async () => {
    try {
      await makeFolder(home.pluginDir(name));
      await writePending(home, name, entry);
      await placeFiles(home, name, version, tree.root, evidence);
      await pointDurably(currentLink(home, name), version);
      await dropReplaced(ports, home, name, version);
      await completePending(home, name, version);
    } catch (cause) {
      await settlePlugin(ports, home, name);
      throw cause;
    }
  });
}

/** Runs the change as the only writer of the record, whose new text is on disk before and in place after it. */
async function recording(
  ports: Pick<Ports, "clock">,
  home: Home,
  name: PluginName,
  entry: InstalledEntry,
  change: () => Promise<void>,
): Promise<void> {
  await withStoreLock(ports, home, async () => {
    const record = await prepareInstalled(home, (installed) => installed.set(name, entry));
    try {
      await change();
    } catch (cause) {
      await record.abandon();
      throw cause;
    }
    await record.commit();
  });
}

async function placeFiles(
  home: Home,
  name: PluginName,
  version: Version,
  tree: string,
  evidence: string | undefined,
): Promise<void> {
  const place = home.versionDir(name, version);
  const evidencePlace = home.evidenceDir(name, version);
  const evidenceFolder = dirname(evidencePlace);
  if (versionExists(home, name, version)) {
    if (isThere(evidencePlace)) await moveDurably(evidencePlace, replacingPath(evidenceFolder, version));
    await moveDurably(place, replacingPath(home.pluginDir(name), version));
  } else {
    // A link or a file in the version's place was put there by somebody else, and a folder can't replace it.
    await removeFromStore(home, place);
    await removeFromStore(home, evidencePlace);
  }
  if (evidence !== undefined) {
    await makeFolder(evidenceFolder);
    await moveDurably(evidence, evidencePlace);
  }
  await moveDurably(tree, place);
}

/** Old files of a version that was replaced. */
async function dropReplaced(
  ports: Pick<Ports, "random">,
  home: Home,
  name: PluginName,
  version: Version,
): Promise<void> {
  await discard(ports, home, name, replacingPath(home.pluginDir(name), version));
  await discard(ports, home, name, replacingPath(dirname(home.evidenceDir(name, version)), version));
}

/** Makes a version that is already in the store the live one, offline. Hold the plugin's lock. Throws version_dir_missing. */
export async function activateKept(
  ports: Pick<Ports, "random" | "clock">,
  home: Home,
  name: PluginName,
  entry: InstalledEntry,
): Promise<void> {
  if (!versionExists(home, name, entry.version)) {
    throw new FermixError("version_dir_missing", { plugin: name, version: entry.version });
  }
  await recording(ports, home, name, entry, async () => {
    await pointDurably(currentLink(home, name), entry.version);
  });
}

async function makeFolder(path: string): Promise<void> {
  try {
    await mkdir(path, { recursive: true, mode: 0o755 });
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}
