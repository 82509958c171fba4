/** Brings installed plugins to the catalog's latest version; the catalog itself comes with Fermix (CAT-7). */
import type { CatalogEntry } from "../catalog/catalog.ts";
import { chooseVersion, findEntry, hostTarget, pickArtifact } from "../catalog/find.ts";
import { openCatalog } from "../catalog/open.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import { compareVersions, type PluginName, type Version } from "../kernel/names.ts";
import { currentVersion, type InstalledRecord, readInstalled } from "../store/installed.ts";
import type { App } from "./app.ts";
import { type InstallOptions, installChosen } from "./install.ts";
import { storedNames } from "./kept-version.ts";
import { unknownPlugin } from "./known.ts";
import { assertLoads, loadPlugins } from "./load.ts";
import { namePlugin } from "./name-plugin.ts";

export type Upgraded =
  | { readonly name: PluginName; readonly status: "upgraded"; readonly from: Version | undefined; readonly to: Version }
  | { readonly name: PluginName; readonly status: "up_to_date" | "pinned"; readonly version: Version | undefined }
  /** Installed, but this Fermix's catalog does not list it. */
  | { readonly name: PluginName; readonly status: "not_in_catalog"; readonly version: Version | undefined }
  | { readonly name: PluginName; readonly status: "failed"; readonly error: FermixError };

/**
 * Upgrades one plugin. A pinned one is left alone (DECISIONS 38). The same version with other bytes in the catalog is
 * installed again (CASE-7). Throws usage, bundled_plugin, plugin_not_installed, plugin_unknown, not_in_catalog, yanked,
 * and what an install throws; then the old version is live.
 */
export async function upgradePlugin(app: App, typed: string, options: InstallOptions = {}): Promise<Upgraded> {
  const name = namePlugin(app, typed, "upgrade");
  await assertLoads(app);
  const record = await readInstalled(app.home);
  if (!storedNames(app.home, record).includes(name)) throw await notInstalled(app, record, name);
  return await upgradeOne(app, record, name, options);
}

/** Upgrades every installed plugin, one after another; one that fails does not keep the others from it. */
export async function upgradeAll(app: App, options: InstallOptions = {}): Promise<readonly Upgraded[]> {
  await assertLoads(app);
  const record = await readInstalled(app.home);
  const upgraded: Upgraded[] = [];
  for (const name of storedNames(app.home, record)) {
    try {
      upgraded.push(await upgradeOne(app, record, name, options));
    } catch (error) {
      if (!isFermixError(error)) throw error;
      if (isFermixError(error, "not_in_catalog")) {
        upgraded.push({ name, status: "not_in_catalog", version: await currentVersion(app.home, name) });
      } else upgraded.push({ name, status: "failed", error });
    }
  }
  return upgraded;
}

async function upgradeOne(
  app: App,
  record: InstalledRecord,
  name: PluginName,
  options: InstallOptions,
): Promise<Upgraded> {
  const version = await currentVersion(app.home, name);
  const known = record.get(name);
  if (known?.pinned === true) return { name, status: "pinned", version };
  const catalog = openCatalog(app.ports.embedded);
  const entry = findEntry(catalog, name);
  if (version !== undefined && isCurrent(entry, version, known?.sha256)) return { name, status: "up_to_date", version };
  const chosen = chooseVersion(entry, undefined);
  const { previous, status } = await installChosen(app, { name, catalog, chosen, pinned: false }, options);
  if (status === "already_installed") return { name, status: "up_to_date", version: chosen.version };
  return { name, status: "upgraded", from: previous, to: chosen.version };
}

/** Whether the catalog has nothing for this plugin: no newer version, and not other bytes for the one that is live. */
function isCurrent(entry: CatalogEntry, version: Version, sha256: string | undefined): boolean {
  if (entry.latest === undefined) return true;
  const newer = compareVersions(entry.latest, version);
  if (newer !== 0) return newer < 0;
  if (entry.yanked.includes(version)) return true;
  const listed = entry.versions.find((candidate) => candidate.version === version);
  if (listed === undefined) return true;
  return pickArtifact(entry, listed, hostTarget()).sha256 === sha256;
}

/**
 * Why the store has no such plugin: plugin_not_stored for an author's own, plugin_not_installed for what the catalog
 * has, else plugin_unknown with the nearest name. Throws the faults of dev_local.
 */
export async function notInstalled(app: App, record: InstalledRecord, name: PluginName): Promise<FermixError> {
  const own = (await loadPlugins(app)).plugins.find((plugin) => plugin.name === name && plugin.origin === "dev_local");
  if (own?.dir !== undefined) return new FermixError("plugin_not_stored", { plugin: name, path: own.dir });
  const { entries } = openCatalog(app.ports.embedded);
  if (entries.some((entry) => entry.name === name)) return new FermixError("plugin_not_installed", { plugin: name });
  return unknownPlugin(name, [...record.keys(), ...entries.map((entry) => entry.name)]);
}
