/** `fermix plugins catalog`: all that this binary knows, installed or not. */
import { listCatalog } from "../../plugins/catalog-list.ts";
import { defineVerb } from "../verb.ts";
import { cell } from "./notices.ts";

export const catalog = defineVerb({
  summary: "Show every plugin this binary knows, installed or not",
  examples: ["fermix plugins catalog", "fermix plugins catalog --json"],
  args: {},
  async run(app) {
    const { rows, generatedAt, coreVersion, warnings } = await listCatalog(app);
    return {
      json: {
        plugins: rows.map((row) => ({
          name: row.name,
          display_name: row.displayName,
          auth: row.auth,
          category: row.category ?? null,
          version: row.version ?? null,
          rail: row.rail ?? null,
          source: row.source,
          latest: row.latest ?? null,
        })),
        catalog: { generated_at: generatedAt, fermix: coreVersion },
      },
      text: {
        rows: rows.map((row) => [
          row.name,
          row.auth,
          cell(row.category),
          cell(row.version),
          row.rail ?? "-",
          row.source,
        ]),
      },
      notices: [
        ...warnings,
        `the catalog of ${generatedAt}, inside fermix ${coreVersion}; newer plugins come with \`fermix upgrade\``,
      ],
    };
  },
});
