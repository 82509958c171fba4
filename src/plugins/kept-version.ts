/** Whether a version that is in the store is still what was verified when it was installed. */

import { reasonFor } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import { asPluginName, type PluginName, type Sha256, type Version } from "../kernel/names.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { InstalledEntry } from "../store/entry-json.ts";
import { type InstalledRecord, readInstalled, versionExists } from "../store/installed.ts";
import { entriesOf, readReceipt, receiptPath } from "../store/version-receipt.ts";
import { treeDigestV2 } from "../trust/tree-digest.ts";
import { readPackageManifest } from "./usable.ts";

export type KeptVersion =
  | { readonly state: "absent" }
  /** It was installed by a program that recorded no digest of its files. */
  | { readonly state: "unproven" }
  | { readonly state: "changed"; readonly expected: Sha256; readonly actual: string }
  /** Its files have the digest they were verified with, and its manifest still loads. */
  | { readonly state: "proven"; readonly entry: InstalledEntry; readonly manifest: Manifest };

/** Judges a version in the store by its receipt, or, without a sound one, by the record when that is about this version. */
export async function judgeKept(home: Home, name: PluginName, version: Version): Promise<KeptVersion> {
  if (!versionExists(home, name, version)) return { state: "absent" };
  const entry = await entryOf(home, name, version);
  if (entry?.treeDigestV2 === undefined) return { state: "unproven" };
  const dir = home.versionDir(name, version);
  const [expected, actual] = [entry.treeDigestV2, await digestOf(dir)];
  if (actual !== expected) return { state: "changed", expected, actual };
  return { state: "proven", entry, manifest: readPackageManifest(dir, name, version) };
}

/** The digest of the files, or what makes them no plain tree any more. */
async function digestOf(dir: string): Promise<string> {
  try {
    return await treeDigestV2(dir);
  } catch (cause) {
    if (isFermixError(cause, "tree_unsafe")) return `none, ${cause.details.path} ${cause.details.reason}`;
    const reason = reasonFor(cause);
    if (reason === undefined) throw cause;
    return `none, a file in ${dir} cannot be read (${reason})`;
  }
}

async function entryOf(home: Home, name: PluginName, version: Version): Promise<InstalledEntry | undefined> {
  const recorded = (await readInstalled(home)).get(name);
  return readReceipt(receiptPath(home, name, version)) ?? (recorded?.version === version ? recorded : undefined);
}

/** Names of all plugins in the store, recorded or not, sorted: the record may be behind after a crash. */
export function storedNames(home: Home, record: InstalledRecord): readonly PluginName[] {
  const folders = entriesOf(home.plugins.installed).flatMap((entry) => asPluginName(entry) ?? []);
  return [...new Set([...record.keys(), ...folders])].toSorted();
}

/** The proven version, or installed_files_changed, installed_unproven, version_dir_missing. */
export async function assertKept(
  home: Home,
  name: PluginName,
  version: Version,
): Promise<Extract<KeptVersion, { state: "proven" }>> {
  const kept = await judgeKept(home, name, version);
  switch (kept.state) {
    case "proven":
      return kept;
    case "absent":
      throw new FermixError("version_dir_missing", { plugin: name, version });
    case "unproven":
      throw new FermixError("installed_unproven", {
        plugin: name,
        version,
        reason: "no digest of its files was recorded when it was installed",
      });
    case "changed":
      throw new FermixError("installed_files_changed", {
        plugin: name,
        version,
        expected: kept.expected,
        actual: kept.actual,
      });
  }
}
