/** How the plugins are: a row each for `plugins doctor`, one row of all that are on for `fermix doctor`. */
import type { App } from "../app.ts";
import { listNames, type PluginRow, rowOf } from "../list.ts";
import type { LoadReport } from "../load.ts";
import { type Check, fail, type Level, ok, warn } from "./check.ts";

/** A plugin's `list` row with the doctor's level; off is no failure, not usable while on is. */
export interface PluginCheck {
  readonly row: PluginRow;
  readonly level: Level;
  readonly detail: string;
}

const PLUGINS = "plugins";

/** Every plugin that `list` has a row for. */
export async function checkPlugins(app: App, report: LoadReport): Promise<readonly PluginCheck[]> {
  // At once, so that their questions to the keychain are one.
  return await Promise.all(listNames(report).map((name) => checkPlugin(app, report, name)));
}

/** One that `list` has a row for. */
export async function checkPlugin(app: App, report: LoadReport, name: string): Promise<PluginCheck> {
  const row = await rowOf(app, report, name);
  if (row.excludedBecause !== undefined) return { row, level: "fail", detail: row.excludedBecause };
  const { status } = row.readiness;
  const hosted = report.plugins.some((plugin) => plugin.name === name && plugin.manifest.rail === "hosted-mcp");
  const remote = hosted ? " (remote; runtime status unavailable, no daemon is running)" : "";
  const detail = `${status}${row.detail === "" ? "" : `: ${row.detail}`}${remote}`;
  if (row.stale) return { row, level: "warn", detail };
  return { row, level: status === "ready" || status === "not_configured" ? "ok" : "fail", detail };
}

/** The row of all plugins that are on or broken, a line of its fix for each; `not_configured` alone is the normal state of what nobody uses. */
export function pluginsRow(checks: readonly PluginCheck[]): Check {
  const shown = checks.filter(({ row, level }) => row.enabled || level === "fail");
  const off = checks.length - shown.length;
  if (shown.length === 0) return ok(PLUGINS, `none is enabled, ${off} can be`);
  // What went wrong may be a whole sentence; here it is one of several parts.
  const parts = shown.map(({ row, detail: text }) => `${row.name}: ${text.replace(/\.$/, "")}`);
  const detail = [...parts, `${off} not enabled`].join("; ");
  const fix = shown
    .filter(({ level }) => level !== "ok")
    .map(({ row }) => `${row.name}: ${row.fix}`)
    .join("\n");
  if (shown.some(({ level }) => level === "fail")) return fail(PLUGINS, detail, fix);
  return shown.some(({ level }) => level === "warn") ? warn(PLUGINS, detail, fix) : ok(PLUGINS, detail);
}

/** What an author's folder skips, and what its manifests could do better. */
export function authorWarnings({ warnings }: LoadReport): readonly Check[] {
  return warnings.map((detail) => warn("dev_local", detail, ""));
}
