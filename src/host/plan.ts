/** What should run, from what is on disk: each plugin with either its obstacle or the key of the session it should have. */
import type { PluginSettings } from "../config/config.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import type { App } from "../plugins/app.ts";
import { type LoadReport, loadPlugins } from "../plugins/load.ts";
import { isEnabled, type Readiness, readinessOfName } from "../plugins/readiness.ts";
import { readInstalled } from "../store/installed.ts";
import { order } from "./registry.ts";
import type { Obstacle } from "./standing.ts";

export type Planned =
  | {
      readonly name: string;
      readonly plugin: LoadedPlugin | undefined;
      readonly obstacle: Obstacle;
      readonly key: string;
    }
  | {
      readonly name: string;
      readonly plugin: LoadedPlugin;
      readonly obstacle?: undefined;
      readonly settings: PluginSettings;
      /** Equal keys mean that a running session is still the right one. */
      readonly key: string;
    };

const NO_SETTINGS: PluginSettings = new Map();

/**
 * The plan, sorted by name; plugins that `serve` refuses are left out without a look at their readiness. Throws what
 * `loadPlugins` throws: a fault that concerns every plugin.
 */
export async function planPlugins(app: App, serve: (plugin: string) => boolean): Promise<readonly Planned[]> {
  const report = await loadPlugins(app);
  const record = await readInstalled(app.home);
  const names = new Set<string>([...report.plugins, ...report.excluded, ...enabledOf(report)].map(({ name }) => name));
  const plan = [...names].map(async (name): Promise<Planned> => {
    const plugin = report.plugins.find((loaded) => loaded.name === name);
    if (!serve(name)) return { name, plugin, key: "", obstacle: { kind: "left_out" } };
    const readiness = await readinessOfName(app, report, name);
    if (plugin === undefined || readiness.status !== "ready") {
      return { name, plugin, key: "", obstacle: obstacleOf(report, name, readiness) };
    }
    const settings = report.config.plugins.settings.get(plugin.name) ?? NO_SETTINGS;
    // A local server's process has a network of its own; restarting it for ours would only lose its state.
    const network = plugin.manifest.rail === "local-mcp" ? undefined : report.config.network;
    const installed = plugin.origin === "installed" ? record.get(plugin.name) : undefined;
    return { name, plugin, settings, key: JSON.stringify([plugin, [...settings], installed, network]) };
  });
  return (await Promise.all(plan)).toSorted((a, b) => order(a.name, b.name));
}

/** Enabled names that nothing may provide yet. */
function enabledOf({ config }: LoadReport): readonly { name: string }[] {
  return config.plugins.enabled.filter((name) => isEnabled(config, name)).map((name) => ({ name }));
}

/** The reason itself where loading refused the plugin, else its readiness. */
function obstacleOf(report: LoadReport, name: string, readiness: Readiness): Obstacle {
  const left = report.excluded.find((excluded) => excluded.name === name);
  if (left !== undefined && readiness.status === "error") return { kind: "failed", status: "error", error: left.error };
  return { kind: "not_ready", readiness };
}
