/** Keeps a plugin at one version: `upgrade` leaves it alone until the pin is removed (DECISIONS 38). */
import { chooseVersion, findEntry } from "../catalog/find.ts";
import { openCatalog } from "../catalog/open.ts";
import { FermixError } from "../kernel/error.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import { activateKept } from "../store/activate.ts";
import { currentVersion, editInstalled, readInstalled } from "../store/installed.ts";
import { withPluginLock } from "../store/store-lock.ts";
import { sweepStore } from "../store/sweep.ts";
import type { App } from "./app.ts";
import { type InstallOptions, installChosen } from "./install.ts";
import { judgeKept } from "./kept-version.ts";
import { assertLoads } from "./load.ts";
import { namePlugin, parseVersion } from "./name-plugin.ts";
import { notInstalled } from "./upgrade.ts";
import { assertUsable } from "./usable.ts";

export interface Pinned {
  readonly name: PluginName;
  readonly version: Version;
  /** What was live before, when that was another version. */
  readonly previous: Version | undefined;
  /** Where the version came from. */
  readonly from: "live" | "kept" | "catalog";
}

/**
 * Makes this version live and pins it: offline when it is kept whole in the store, else from the catalog. Throws usage,
 * bundled_plugin, version_not_found, and what an install throws.
 */
export async function pinPlugin(
  app: App,
  asked: { readonly name: string; readonly version: string },
  options: InstallOptions = {},
): Promise<Pinned> {
  const name = namePlugin(app, asked.name, "pin");
  const version = parseVersion(asked.version, "pin");
  await assertLoads(app);
  await sweepStore(app.ports, app.home);
  const previous = await currentVersion(app.home, name);
  const moved = { name, version, previous: previous === version ? undefined : previous };
  if (await pinKept(app, name, version)) return { ...moved, from: previous === version ? "live" : "kept" };
  const catalog = openCatalog(app.ports.embedded);
  const chosen = chooseVersion(findEntry(catalog, name), version);
  await installChosen(app, { name, catalog, chosen, pinned: true }, options);
  return { ...moved, from: "catalog" };
}

async function pinKept(app: App, name: PluginName, version: Version): Promise<boolean> {
  return await withPluginLock(app.ports, app.home, name, async () => {
    const kept = await judgeKept(app.home, name, version);
    if (kept.state !== "proven") return false;
    await assertUsable(app, kept.manifest, app.home.versionDir(name, version));
    await activateKept(app.ports, app.home, name, { ...kept.entry, pinned: true });
    return true;
  });
}

/** Lets `upgrade` move the plugin again; false when it was not pinned. Throws plugin_not_installed, plugin_unknown. */
export async function unpinPlugin(app: App, typed: string): Promise<{ name: PluginName; wasPinned: boolean }> {
  const name = namePlugin(app, typed, "pin");
  await assertLoads(app);
  await sweepStore(app.ports, app.home);
  const known = await readInstalled(app.home);
  if (!known.has(name)) throw await notInstalled(app, known, name);
  let wasPinned = false;
  await editInstalled(app.ports, app.home, (record) => {
    const entry = record.get(name);
    wasPinned = entry?.pinned === true;
    if (entry !== undefined) record.set(name, { ...entry, pinned: false });
  });
  return { name, wasPinned };
}

/** A pin without a version, or with something else in its place. */
export function usage(problem: string): FermixError<"usage"> {
  return new FermixError("usage", { problem, command: "fermix plugins pin" });
}
