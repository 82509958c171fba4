/** What was proven about each kept version, beside its folder: it makes an old version provable offline and a lost record whole again. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../files/atomic-write.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { readRegularText } from "../files/read-regular.ts";
import { hasErrno } from "../kernel/error.ts";
import { asVersion, type PluginName, type Version } from "../kernel/names.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { StrictJsonError } from "../kernel/strict-json-error.ts";
import { moveDurably } from "./durable.ts";
import { formatEntry, type InstalledEntry, parseEntry } from "./entry-json.ts";

/** One entry of the record. */
const MAX_RECEIPT_BYTES = 64 * 1024;
const RECEIPT = /^\.(\d+\.\d+\.\d+)\.json$/;
const PENDING = /^\.(\d+\.\d+\.\d+)\.pending\.json$/;
const REPLACING = /^\.(\d+\.\d+\.\d+)\.replacing$/;

/** `installed/<name>/.<version>.json`, written when the version went live. */
export function receiptPath(home: Home, name: PluginName, version: Version): string {
  return join(home.pluginDir(name), `.${version}.json`);
}

/** The same while the version is being put in place; what a crash leaves of it tells how far the change got. */
export function pendingPath(home: Home, name: PluginName, version: Version): string {
  return join(home.pluginDir(name), `.${version}.pending.json`);
}

/** Where the old files of a version wait while they are replaced (spec 2.6). */
export function replacingPath(folder: string, version: Version): string {
  return join(folder, `.${version}.replacing`);
}

/** Versions with a change that did not end: one that is pending, or has old files aside. */
export function unsettledVersions(home: Home, name: PluginName): readonly Version[] {
  const found = new Set<Version>();
  for (const folder of [home.pluginDir(name), join(home.plugins.evidence, name)]) {
    for (const entry of entriesOf(folder)) {
      const version = asVersion((PENDING.exec(entry) ?? REPLACING.exec(entry))?.[1]);
      if (version !== undefined) found.add(version);
    }
  }
  return [...found];
}

/** Versions of which only the receipt is left, by a removal that did not end. */
export function orphanedReceipts(home: Home, name: PluginName): readonly Version[] {
  const entries = entriesOf(home.pluginDir(name));
  const there = new Set(entries);
  return entries.flatMap((entry) => {
    const version = asVersion(RECEIPT.exec(entry)?.[1]);
    const replaced = version === undefined || there.has(version) || there.has(`.${version}.replacing`);
    return replaced ? [] : [version];
  });
}

/** Versions whose folders are in the store, in no order. */
export function keptVersions(home: Home, name: PluginName): readonly Version[] {
  return entriesOf(home.pluginDir(name)).flatMap((entry) => asVersion(entry) ?? []);
}

/** Versions that evidence is kept of, in no order. */
export function evidenceVersions(home: Home, name: PluginName): readonly Version[] {
  return entriesOf(join(home.plugins.evidence, name)).flatMap((entry) => asVersion(entry) ?? []);
}

/** Names in a folder; none when it is not there. */
export function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR")) return [];
    throw namedFailure(folder, cause);
  }
}

/**
 * The receipt of a kept version; undefined for one that another program installed. A damaged one proves nothing, which
 * is as good as none: the version can be installed again.
 */
export function readReceipt(path: string): InstalledEntry | undefined {
  let text: string;
  try {
    text = readRegularText(path, MAX_RECEIPT_BYTES);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    throw namedFailure(path, cause);
  }
  try {
    const parsed = parseEntry(parseStrictJson(text));
    return parsed.ok ? parsed.entry : undefined;
  } catch (cause) {
    if (cause instanceof StrictJsonError) return undefined;
    throw cause;
  }
}

/** Announces a version before its files move. */
export async function writePending(home: Home, name: PluginName, entry: InstalledEntry): Promise<void> {
  const text = `${JSON.stringify(formatEntry({ ...entry, pinned: false }), undefined, 2)}\n`;
  await writeAtomically(pendingPath(home, name, entry.version), text, { mode: 0o600 });
}

/** The version is live: its announcement becomes its receipt. */
export async function completePending(home: Home, name: PluginName, version: Version): Promise<void> {
  await moveDurably(pendingPath(home, name, version), receiptPath(home, name, version));
}
