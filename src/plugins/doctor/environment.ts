/** Which of the variables that Fermix knows are set, never to what (`doctor --env`, ENV-1). */
import { openCatalog } from "../../catalog/open.ts";
import { type VariableRow, variableRows } from "../../config/variables.ts";
import { isFermixError } from "../../kernel/error.ts";
import type { App } from "../app.ts";
import { loadPlugins } from "../load.ts";
import { attempt } from "./check.ts";

/** The whole table, with the variables of every plugin whose key may be given so; a broken home hides none of it. */
export async function listVariables(app: App): Promise<readonly VariableRow[]> {
  const report = await attempt(() => loadPlugins(app));
  const catalog = await attempt(() => openCatalog(app.ports.embedded));
  const loaded = isFermixError(report) ? [] : report.plugins.filter(({ manifest }) => manifest.auth.type === "api_key");
  const offered = isFermixError(catalog) ? [] : catalog.entries.filter(({ authType }) => authType === "api_key");
  return variableRows(app.env, [...new Set([...loaded, ...offered].map(({ name }) => name))].sort());
}
