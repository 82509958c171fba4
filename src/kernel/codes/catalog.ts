/** Failures of the embedded catalog. */
import { quote, row } from "./row.ts";

export const catalogCodes = {
  not_in_catalog: row<{ plugin: string; suggestion?: string }>({
    says: ({ plugin }) => `The catalog has no plugin named ${quote(plugin)}.`,
    fix: ({ suggestion }) =>
      suggestion
        ? `did you mean \`${suggestion}\`? \`fermix plugins catalog\` lists them all`
        : "run `fermix plugins catalog`",
    exit: "failed",
  }),
  catalog_untrusted: row<{ reason: string }>({
    says: ({ reason }) =>
      `The catalog inside this binary does not verify: ${reason}. Nothing will be installed from it.`,
    fix: () => "get a genuine Fermix binary, then run `fermix --version`",
    exit: "refused",
  }),
} as const;
