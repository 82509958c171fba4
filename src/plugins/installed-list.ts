/** What `plugins installed` shows: the local store alone, whether each plugin in it can be used or not. */
import { isFermixError } from "../kernel/error.ts";
import type { App } from "./app.ts";
import { loadPlugins } from "./load.ts";

export interface InstalledRow {
  readonly name: string;
  readonly version: string | undefined;
  readonly status: "ready" | "incompatible" | "error";
  /** Why it is not `ready`, and what to run. */
  readonly reason: string | undefined;
  readonly fix: string | undefined;
}

/** One row for each plugin of the store, by name; `ready` here means that it fits this Fermix (spec 2.9). */
export async function listInstalled(app: App): Promise<readonly InstalledRow[]> {
  const report = await loadPlugins(app);
  const rows: InstalledRow[] = report.plugins
    .filter(({ origin }) => origin === "installed")
    .map(({ name, version }) => ({ name, version, status: "ready", reason: undefined, fix: undefined }));
  for (const { name, origin, version, error } of report.excluded) {
    if (origin !== "installed") continue;
    const status = isFermixError(error, "incompatible") ? "incompatible" : "error";
    rows.push({ name, version, status, reason: error.message, fix: error.fix });
  }
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
}
