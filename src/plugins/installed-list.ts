/** What `plugins installed` shows: the local store alone, whether each plugin in it can be used or not. */
import { isFermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import { readInstalled } from "../store/installed.ts";
import type { App } from "./app.ts";
import { loadPlugins } from "./load.ts";

export interface InstalledRow {
  readonly name: string;
  readonly version: string | undefined;
  readonly status: "ready" | "incompatible" | "error";
  /** Whether `upgrade` leaves it alone (DECISIONS 38). */
  readonly pinned: boolean;
  /** Why it is not `ready`, and what to run. */
  readonly reason: string | undefined;
  readonly fix: string | undefined;
}

/** One row for each plugin of the store, by name; `ready` here means that it fits this Fermix (spec 2.9). */
export async function listInstalled(app: App): Promise<readonly InstalledRow[]> {
  const report = await loadPlugins(app);
  const record = await readInstalled(app.home);
  const isPinned = (name: string): boolean => record.get(name as PluginName)?.pinned === true;
  const rows: InstalledRow[] = report.plugins
    .filter(({ origin }) => origin === "installed")
    .map(({ name, version }) => {
      return { name, version, status: "ready", pinned: isPinned(name), reason: undefined, fix: undefined };
    });
  for (const { name, origin, version, error } of report.excluded) {
    if (origin !== "installed") continue;
    const status = isFermixError(error, "incompatible") ? "incompatible" : "error";
    rows.push({ name, version, status, pinned: isPinned(name), reason: error.message, fix: error.fix });
  }
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
}
