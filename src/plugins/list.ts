/** What `plugins list` shows: every plugin this home knows, its status, its account and what to do next. */
import type { App } from "./app.ts";
import { type LoadReport, loadPlugins } from "./load.ts";
import { isEnabled } from "./readiness.ts";
import { type ShownStatus, shownStatus } from "./shown-status.ts";

export interface PluginRow extends ShownStatus {
  readonly name: string;
  readonly displayName: string;
  readonly enabled: boolean;
  readonly version: string | undefined;
  /** undefined for a name that config enables and nothing provides. */
  readonly origin: "bundled" | "installed" | "dev_local" | undefined;
}

export interface PluginList {
  readonly rows: readonly PluginRow[];
  readonly warnings: readonly string[];
}

/** One row for each plugin loaded, left out or merely enabled, by name (CLI-7). Throws what loadPlugins throws. */
export async function listPlugins(app: App): Promise<PluginList> {
  const report = await loadPlugins(app);
  // At once, so that their questions to the keychain are one.
  const rows = await Promise.all(listNames(report).map((name) => rowOf(app, report, name)));
  return { rows, warnings: report.warnings };
}

/** Every name that `list` has a row for, sorted. */
export function listNames({ plugins, excluded, config }: LoadReport): readonly string[] {
  const names = new Set<string>([...plugins, ...excluded].map(({ name }) => name));
  for (const name of config.plugins.enabled) if (isEnabled(config, name)) names.add(name);
  return [...names].sort();
}

/** The row of one name; the caller knows that the report, or config, has it. */
export async function rowOf(app: App, report: LoadReport, name: string): Promise<PluginRow> {
  const plugin = report.plugins.find((loaded) => loaded.name === name);
  const left = plugin === undefined ? report.excluded.find((excluded) => excluded.name === name) : undefined;
  return {
    ...(await shownStatus(app, report, name)),
    name,
    displayName: plugin?.manifest.displayName ?? name,
    enabled: isEnabled(report.config, name),
    version: plugin?.version ?? left?.version,
    origin: plugin?.origin ?? left?.origin,
  };
}
