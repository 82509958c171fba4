/** `fermix plugins installed`: the local store only. */
import { type InstalledRow, listInstalled } from "../../plugins/installed-list.ts";
import { failureNotice } from "../failure-notice.ts";
import { defineVerb } from "../verb.ts";
import { NOTHING_INSTALLED } from "./notices.ts";

export const installed = defineVerb({
  summary: "Show what the local store holds",
  examples: ["fermix plugins installed", "fermix plugins installed --json"],
  args: {},
  async run(app) {
    const rows = await listInstalled(app);
    return {
      json: {
        installed: rows.map(({ name, version, status, pinned, reason, fix }) => ({
          name,
          version: version ?? null,
          status,
          pinned,
          reason: reason ?? null,
          fix: fix ?? null,
        })),
      },
      text: { rows: rows.map(({ name, version, status }) => [name, version ?? "-", status]) },
      notices: rows.length === 0 ? [NOTHING_INSTALLED] : rows.flatMap(problemOf),
    };
  },
});

function problemOf({ reason: message, fix }: InstalledRow): readonly string[] {
  return message === undefined || fix === undefined ? [] : [failureNotice({ message, fix })];
}
