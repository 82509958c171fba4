/** Finds a plugin, a version of it and the build for this machine; a name that is not there gets a suggestion. */
import { FermixError } from "../kernel/error.ts";
import { nearestName } from "../kernel/nearest.ts";
import type { Artifact, Catalog, CatalogEntry, CatalogVersion } from "./catalog.ts";

/** Plugin names are short. */
const MAX_SLIPS = 2;

/** The entry of this name. Throws not_in_catalog, with the closest name when one is near. */
export function findEntry(catalog: Catalog, name: string): CatalogEntry {
  const entry = catalog.entries.find((candidate) => candidate.name === name);
  if (entry !== undefined) return entry;
  const names = catalog.entries.map((candidate) => candidate.name);
  const suggestion = nearestName(name, names, MAX_SLIPS);
  throw new FermixError("not_in_catalog", suggestion === undefined ? { plugin: name } : { plugin: name, suggestion });
}

/**
 * The version to install: the one asked for, else the entry's latest (spec 2.8 steps 3 and 4).
 * Throws not_installable for a card, version_not_found, yanked (CAT-5: a yank stops new installs and upgrades only).
 */
export function chooseVersion(entry: CatalogEntry, asked: string | undefined): CatalogVersion {
  if (entry.versions.length === 0) throw new FermixError("not_installable", { plugin: entry.name });
  // No latest means that all were yanked: the last one says so best.
  const wanted = asked ?? entry.latest ?? entry.versions.at(-1)?.version ?? "latest";
  const version = entry.versions.find((candidate) => candidate.version === wanted);
  if (version === undefined) {
    const available = entry.versions.map((candidate) => candidate.version).filter((v) => !entry.yanked.includes(v));
    throw new FermixError("version_not_found", { plugin: entry.name, version: wanted, available });
  }
  if (entry.yanked.includes(version.version)) throw yankedError(entry, version);
  return version;
}

function yankedError(entry: CatalogEntry, { version }: CatalogVersion): FermixError {
  const { name: plugin, latest } = entry;
  const usable = latest !== undefined && !entry.yanked.includes(latest);
  return new FermixError("yanked", usable ? { plugin, version, latest } : { plugin, version });
}

/** The first artifact for `target` or for any machine (spec 2.5). Throws no_build_for_target. */
export function pickArtifact(entry: CatalogEntry, version: CatalogVersion, target: string): Artifact {
  const artifact = version.artifacts.find((candidate) => candidate.target === "any" || candidate.target === target);
  if (artifact !== undefined) return artifact;
  throw new FermixError("no_build_for_target", {
    plugin: entry.name,
    version: version.version,
    target,
    available: version.artifacts.map((candidate) => candidate.target),
  });
}

const OS_NAMES: Readonly<Record<string, string>> = { darwin: "macos", win32: "windows" };
const ARCH_NAMES: Readonly<Record<string, string>> = { arm64: "aarch64", x64: "x86_64" };

/** This machine in the ecosystem's words, for example `linux-x86_64` (spec 9.1). */
export function hostTarget(): string {
  const { platform, arch } = process;
  return `${OS_NAMES[platform] ?? platform}-${ARCH_NAMES[arch] ?? arch}`;
}
