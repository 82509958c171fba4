/** Switches a plugin on, installing it first when only the catalog has it (CLI-4). */
import { enableInConfig } from "../config/edit.ts";
import { isFermixError } from "../kernel/error.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import type { App } from "./app.ts";
import { findLoaded } from "./known.ts";
import { type LoadReport, loadPlugins } from "./load.ts";
import { defaultProfile, type Readiness, readinessOf } from "./readiness.ts";

export interface Enabled {
  readonly name: PluginName;
  readonly version: Version;
  /** Whether it had to be installed first. */
  readonly installed: boolean;
  /** Where it stands now that it is on. */
  readonly readiness: Readiness;
}

/** Installs one plugin from the catalog: `plugins/install.ts`, handed in so that its library loads only when needed. */
export type InstallByName = (app: App, name: string) => Promise<unknown>;

/**
 * Enables a plugin and keeps its saved settings (spec 8.5). Nothing is written when the plugin is unknown, left out of
 * loading, or does not install; throws the reason.
 */
export async function enablePlugin(app: App, name: string, install: InstallByName): Promise<Enabled> {
  const before = await loadPlugins(app);
  const installed = needsInstall(app, before, name);
  if (installed) await install(app, name);
  const report = installed ? await loadPlugins(app) : before;
  const plugin = findLoaded(app, report, name);
  const oauth = plugin.manifest.auth.type === "oauth2";
  await enableInConfig(app.ports, app.home, plugin.name, oauth ? { authProfile: defaultProfile(plugin.manifest) } : {});
  const { config } = await loadPlugins(app);
  return { name: plugin.name, version: plugin.version, installed, readiness: await readinessOf(app, config, plugin) };
}

function needsInstall(app: App, report: LoadReport, name: string): boolean {
  try {
    findLoaded(app, report, name);
    return false;
  } catch (error) {
    if (isFermixError(error, "plugin_not_installed")) return true;
    throw error;
  }
}
