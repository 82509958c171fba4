/** Where plugins may come from, as raw manifest texts still to be judged: this binary, the store, and dev_local. */
import { existsSync, lstatSync, readdirSync, readlinkSync, statSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { namedFailure, reasonFor } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import { asPluginName, asVersion, type PluginName, type Version } from "../kernel/names.ts";
import { MANIFEST_FILE, type ManifestText, readManifestText } from "./manifest-file.ts";

/** A manifest that was found but not yet judged. */
export interface Candidate {
  readonly origin: "bundled" | "installed" | "dev_local";
  /** The name its place gives it: bundled or installed folder name; the subfolder's name under dev_local. */
  readonly place: string;
  /** Absolute folder of its files; undefined for a bundled plugin. */
  readonly dir: string | undefined;
  /** The version its store folder is named after; undefined outside the store. */
  readonly storedAs: Version | undefined;
  /** Whether an install kept evidence of it, as it does for hosted plugins. */
  readonly hasEvidence: boolean;
  readonly text: ManifestText;
}

export interface Found {
  readonly candidates: readonly Candidate[];
  /** Plugins whose files cannot be read at all. */
  readonly damaged: readonly FermixError<"plugin_damaged">[];
}

/** The plugins compiled into the binary, in name order (spec 1.11). */
export function bundledCandidates(manifests: ReadonlyMap<PluginName, string>): readonly Candidate[] {
  return [...manifests].map(([place, text]) => ({
    origin: "bundled",
    place,
    dir: undefined,
    storedAs: undefined,
    hasEvidence: false,
    text,
  }));
}

/**
 * Every plugin of the store whose `current` link leads to a manifest, in name order. `current` is the truth, also when
 * a crash kept the record behind (DECISIONS 35); a recorded plugin without usable files is damaged, never absent.
 */
export function installedCandidates(home: Home, recorded: Iterable<PluginName>): Found {
  const candidates: Candidate[] = [];
  const damaged: FermixError<"plugin_damaged">[] = [];
  const known = new Set<PluginName>(recorded);
  const names = new Set<PluginName>(known);
  for (const entry of entriesOf(home.plugins.installed)) {
    const name = asPluginName(entry);
    if (name !== undefined) names.add(name);
  }
  const evidenced = new Set(entriesOf(home.plugins.evidence));
  for (const name of [...names].sort()) {
    const found = installedCandidate(home, name, evidenced);
    if (found === undefined) {
      if (known.has(name))
        damaged.push(damage(name, join(home.pluginDir(name), "current"), "there is no active version"));
    } else if (found instanceof FermixError) damaged.push(found);
    else candidates.push(found);
  }
  return { candidates, damaged };
}

/** undefined when the plugin has no `current` link: nothing was ever activated, or it was removed. */
function installedCandidate(
  home: Home,
  name: PluginName,
  evidenced: ReadonlySet<string>,
): Candidate | FermixError<"plugin_damaged"> | undefined {
  const current = join(home.pluginDir(name), "current");
  let target: string;
  try {
    target = readlinkSync(current);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR")) return undefined;
    if (hasErrno(cause, "EINVAL")) return damage(name, current, "it is not a link");
    return damageOf(name, current, cause);
  }
  const storedAs = asVersion(target);
  if (storedAs === undefined) return damage(name, current, "it does not lead to a version folder");
  const dir = home.versionDir(name, storedAs);
  const hasEvidence = evidenced.has(name) && existsSync(home.evidenceDir(name, storedAs));
  try {
    // What the store holds was verified where it is; a link would lead to files that never were.
    if (lstatSync(dir).isSymbolicLink()) return damage(name, dir, "it is a link");
    const text = readManifestText(dir);
    return { origin: "installed", place: name, dir, storedAs, hasEvidence, text };
  } catch (cause) {
    return damageOf(name, join(dir, MANIFEST_FILE), cause);
  }
}

function damageOf(name: PluginName, path: string, cause: unknown): FermixError<"plugin_damaged"> {
  const reason = reasonFor(cause);
  if (reason === undefined) throw cause;
  return damage(name, path, reason);
}

function damage(plugin: PluginName, path: string, reason: string): FermixError<"plugin_damaged"> {
  return new FermixError("plugin_damaged", { plugin, path, reason });
}

/**
 * Each immediate subfolder of the author's folder that has a manifest, in name order; the others are warnings. Throws
 * `dev_local_unreadable` when the folder or a manifest in it cannot be read (DECISIONS 10).
 */
export function devLocalCandidates(root: string): {
  readonly candidates: readonly Candidate[];
  readonly warnings: readonly string[];
} {
  if (!isAbsolute(root))
    throw new FermixError("dev_local_unreadable", { path: root, reason: "it is not an absolute path" });
  const candidates: Candidate[] = [];
  const warnings: string[] = [];
  for (const place of devLocalEntries(root)) {
    const dir = join(root, place);
    if (!isFolder(dir)) continue;
    const text = place.startsWith(".") ? undefined : devLocalManifest(dir);
    if (text === undefined) warnings.push(`dev_local: skipped ${JSON.stringify(dir)}: ${skippedBecause(place)}`);
    else candidates.push({ origin: "dev_local", place, dir, storedAs: undefined, hasEvidence: false, text });
  }
  return { candidates, warnings };
}

function skippedBecause(place: string): string {
  return place.startsWith(".") ? "a dot-folder is not a plugin" : `it has no ${MANIFEST_FILE}`;
}

function devLocalEntries(root: string): readonly string[] {
  try {
    return readdirSync(root).sort();
  } catch (cause) {
    throw unreadable(root, cause);
  }
}

/** undefined when there is no manifest; a manifest that is there but unreadable is a fault of the whole folder. */
function devLocalManifest(dir: string): ManifestText | undefined {
  try {
    return readManifestText(dir);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    throw unreadable(join(dir, MANIFEST_FILE), cause);
  }
}

function unreadable(path: string, cause: unknown): unknown {
  const reason = reasonFor(cause);
  return reason === undefined ? cause : new FermixError("dev_local_unreadable", { path, reason }, { cause });
}

/** Links are followed, as an author may link a checkout in; one that leads nowhere is no folder. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) return false;
    throw cause;
  }
}

function entriesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return [];
    throw namedFailure(folder, cause);
  }
}
