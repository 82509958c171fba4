/** Looks a plugin up by the name someone typed, and says what is wrong with a name that leads nowhere. */
import { openCatalog } from "../catalog/open.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import { nearestName } from "../kernel/nearest.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { type LoadReport, loadPlugins } from "./load.ts";

/** Plugin names are short. */
const MAX_SLIPS = 2;

/** The loaded plugin of this name. Throws what `notHere` says. */
export function findLoaded(app: App, report: LoadReport, name: string): LoadedPlugin {
  const plugin = report.plugins.find((loaded) => loaded.name === name);
  if (plugin === undefined) throw notHere(app, report, name);
  return plugin;
}

/**
 * Why a name has no loaded plugin: the reason it is left out for, `plugin_not_installed` when only the catalog has it,
 * and `plugin_unknown` with the nearest name otherwise; what is wrong with the catalog when that can't tell (CAT-2).
 */
export function notHere(app: App, report: LoadReport, name: string): FermixError {
  const left = report.excluded.find((excluded) => excluded.name === name);
  if (left !== undefined) return left.error;
  try {
    const offered = openCatalog(app.ports.embedded).entries.map((entry) => entry.name);
    if (offered.includes(name as PluginName)) return new FermixError("plugin_not_installed", { plugin: name });
    return unknownPlugin(name, [...report.plugins.map((loaded) => loaded.name), ...offered]);
  } catch (error) {
    if (isFermixError(error)) return error;
    throw error;
  }
}

/** `plugin_unknown`, with the nearest of the names there are. */
export function unknownPlugin(name: string, names: readonly string[]): FermixError<"plugin_unknown"> {
  const suggestion = nearestName(name, names, MAX_SLIPS);
  return new FermixError("plugin_unknown", suggestion === undefined ? { plugin: name } : { plugin: name, suggestion });
}

/** findLoaded for a verb that needs nothing else of the report. */
export async function loadPlugin(app: App, name: string): Promise<{ plugin: LoadedPlugin; report: LoadReport }> {
  const report = await loadPlugins(app);
  return { plugin: findLoaded(app, report, name), report };
}
