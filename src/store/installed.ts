/** Reads and writes installed.json, and tells which version of a plugin is live. */
import { readlinkSync } from "node:fs";
import { join } from "node:path";
import { type PreparedWrite, prepareWrite } from "../files/atomic-write.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { lookAt } from "../files/look.ts";
import { readRegularText } from "../files/read-regular.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import { isJsonObject, type JsonObject } from "../kernel/json.ts";
import { asPluginName, asVersion, type PluginName, type Version } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { parseStrictJson } from "../kernel/strict-json.ts";
import { StrictJsonError } from "../kernel/strict-json-error.ts";
import { formatEntry, type InstalledEntry, parseEntry } from "./entry-json.ts";
import { withStoreLock } from "./store-lock.ts";

/** Other programs write it too; 10,000 plugins need half of this. */
const MAX_RECORD_BYTES = 8 * 1024 * 1024;

export type InstalledRecord = ReadonlyMap<PluginName, InstalledEntry>;

/**
 * What installed.json says, sorted by name. A missing file is an empty record; one that is there and can't be read
 * whole throws installed_record_corrupt, because an empty record would be written back over it (INS-10, spec 12.30), or
 * home_unusable.
 */
export async function readInstalled(home: Home): Promise<InstalledRecord> {
  const path = home.plugins.record;
  let text: string;
  try {
    text = readRegularText(path, MAX_RECORD_BYTES);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return new Map();
    throw namedFailure(path, cause);
  }
  const record = new Map<PluginName, InstalledEntry>();
  const raw = parseRecord(path, text);
  for (const key of Object.keys(raw).toSorted()) {
    const name = asPluginName(key);
    if (name === undefined) throw corrupt(path, `${key} is not a plugin name`);
    const parsed = parseEntry(raw[key]);
    if (!parsed.ok) throw corrupt(path, `${name}: ${parsed.reason}`);
    record.set(name, parsed.entry);
  }
  return record;
}

function parseRecord(path: string, text: string): JsonObject {
  let raw: unknown;
  try {
    raw = parseStrictJson(text);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    throw corrupt(path, cause.message);
  }
  if (!isJsonObject(raw)) throw corrupt(path, "it is not a JSON object");
  return raw;
}

function corrupt(path: string, reason: string): FermixError {
  return new FermixError("installed_record_corrupt", { path, reason });
}

/**
 * Changes installed.json under the store lock: `change` edits a copy of the record, which is written whole (atomic)
 * when it differs. Returns what is now on disk. Throws store_busy, installed_record_corrupt and what a write throws.
 */
export async function editInstalled(
  ports: Pick<Ports, "clock">,
  home: Home,
  change: (record: Map<PluginName, InstalledEntry>) => void,
): Promise<InstalledRecord> {
  return await withStoreLock(ports, home, async () => await rewriteInstalled(home, change));
}

/** The same for a caller that already holds the store lock. */
export async function rewriteInstalled(
  home: Home,
  change: (record: Map<PluginName, InstalledEntry>) => void,
): Promise<InstalledRecord> {
  const { record, commit } = await prepareInstalled(home, change);
  await commit();
  return record;
}

/**
 * Brings the changed record to disk beside the one that holds, for a caller that holds the store lock and changes the
 * store only when that worked: a full disk or a damaged record is refused before anything moved.
 */
export async function prepareInstalled(
  home: Home,
  change: (record: Map<PluginName, InstalledEntry>) => void,
): Promise<PreparedWrite & { readonly record: InstalledRecord }> {
  const before = await readInstalled(home);
  const record = new Map(before);
  change(record);
  const text = formatRecord(record);
  if (text === formatRecord(before)) return { record, commit: async () => {}, abandon: async () => {} };
  return { record, ...(await prepareWrite(home.plugins.record, text, { mode: 0o600 })) };
}

function formatRecord(record: InstalledRecord): string {
  const sorted = [...record].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `${JSON.stringify(Object.fromEntries(sorted.map(([name, entry]) => [name, formatEntry(entry)])), undefined, 2)}\n`;
}

/** The live version: where `current` leads, when that is a version whose folder is there; undefined otherwise (spec 2.6, 12.29). */
export async function currentVersion(home: Home, name: PluginName): Promise<Version | undefined> {
  const version = linkedVersion(home, name);
  return version !== undefined && versionExists(home, name, version) ? version : undefined;
}

/** What `current` names, whether or not its folder is there. */
export function linkedVersion(home: Home, name: PluginName): Version | undefined {
  try {
    return asVersion(readlinkSync(currentLink(home, name)));
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR", "EINVAL")) return undefined;
    throw namedFailure(currentLink(home, name), cause);
  }
}

/** `installed/<name>/current`: a relative link to a version folder, the only pointer a runtime reads. */
export function currentLink(home: Home, name: PluginName): string {
  return join(home.pluginDir(name), "current");
}

/** Whether the version's folder is in the store, as a folder and not as a link to one. */
export function versionExists(home: Home, name: PluginName, version: Version): boolean {
  return lookAt(home.versionDir(name, version))?.isDirectory() ?? false;
}
