/** `fermix plugins list`: each plugin's status and connected account. */
import { listPlugins, type PluginRow } from "../../plugins/list.ts";
import { failureNotice } from "../failure-notice.ts";
import { defineVerb } from "../verb.ts";
import { cell } from "./notices.ts";

export const list = defineVerb({
  summary: "Show each plugin's status and connected account",
  examples: ["fermix plugins list", "fermix plugins list --json"],
  args: {},
  async run(app) {
    const { rows, warnings } = await listPlugins(app);
    return {
      json: { plugins: rows.map(listJson) },
      text: { rows: rows.map(({ name, readiness, account }) => [name, readiness.status, cell(account)]) },
      notices: [
        ...warnings,
        ...rows.flatMap(exclusionNotice),
        ...rows.flatMap(staleNotice),
        ...rows.flatMap(errorNotice),
      ],
    };
  },
});

/** A row of `list --json`: the ecosystem's five keys (spec 7.1), then Fermix's own. */
export function listJson(row: PluginRow): Readonly<Record<string, unknown>> {
  return {
    name: row.name,
    display_name: row.displayName,
    enabled: row.enabled,
    status: row.readiness.status,
    account: row.account ?? null,
    version: row.version ?? null,
    origin: row.origin ?? null,
    stale: row.stale,
    detail: row.detail || null,
    fix: row.fix || null,
  };
}

function exclusionNotice(row: PluginRow): readonly string[] {
  const { excludedBecause: message, fix } = row;
  return message === undefined ? [] : [failureNotice({ message, fix })];
}

function staleNotice({ name, stale, detail, fix }: PluginRow): readonly string[] {
  return stale ? [failureNotice({ message: `${detail}: ${name}.`, fix })] : [];
}

/** `error` is the one status that does not say what is wrong. */
function errorNotice({ name, readiness, detail, fix, excludedBecause }: PluginRow): readonly string[] {
  if (readiness.status !== "error" || excludedBecause !== undefined) return [];
  return [failureNotice({ message: `${name}: ${detail}`, fix })];
}
