/** `fermix plugins installed`: the local store only. */
import { listInstalled } from "../../plugins/installed-list.ts";
import { defineVerb } from "../verb.ts";

export const installed = defineVerb({
  summary: "Show what the local store holds",
  examples: ["fermix plugins installed", "fermix plugins installed --json"],
  args: {},
  async run(app) {
    const rows = await listInstalled(app);
    return {
      json: {
        installed: rows.map(({ name, version, status, reason, fix }) => ({
          name,
          version: version ?? null,
          status,
          reason: reason ?? null,
          fix: fix ?? null,
        })),
      },
      text: { rows: rows.map(({ name, version, status }) => [name, version ?? "-", status]) },
      notices: rows.flatMap(({ reason, fix }) => (reason === undefined ? [] : [`${reason} Fix: ${fix}`])),
    };
  },
});
