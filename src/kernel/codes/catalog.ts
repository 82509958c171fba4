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
  not_installable: row<{ plugin: string }>({
    says: ({ plugin }) =>
      `${quote(plugin)} is a setup card for a helper that \`fermix plugins\` does not manage: there is nothing to install.`,
    fix: () => "run `fermix plugins catalog` to see what can be installed",
    exit: "failed",
  }),
  version_not_found: row<{ plugin: string; version: string; available: readonly string[] }>({
    says: ({ plugin, version, available }) =>
      `The catalog has no version ${quote(version)} of ${quote(plugin)}; it lists ${available.join(", ") || "none"}.`,
    fix: ({ plugin }) =>
      `run \`fermix plugins install ${plugin}\` for the newest; newer versions come with \`fermix upgrade\``,
    exit: "failed",
  }),
  yanked: row<{ plugin: string; version: string; latest?: string }>({
    says: ({ plugin, version }) => `Version ${version} of ${quote(plugin)} was withdrawn by its publisher.`,
    fix: ({ plugin, latest }) =>
      latest
        ? `run \`fermix plugins install ${plugin}@${latest}\``
        : "wait for a new version: run `fermix upgrade` later",
    exit: "refused",
  }),
  no_build_for_target: row<{ plugin: string; version: string; target: string; available: readonly string[] }>({
    says: ({ plugin, version, target, available }) =>
      `${quote(plugin)} ${version} has no build for this machine (${target}); it has ${available.map(quote).join(", ") || "none"}.`,
    fix: () => "use it on one of those machines, or ask its publisher for a build",
    exit: "failed",
  }),
  unsupported_index_schema: row<{ found: string }>({
    says: ({ found }) => `The catalog is written in index schema ${quote(found)}; this Fermix reads schema 1.`,
    fix: () => "run `fermix upgrade`",
    exit: "failed",
  }),
  catalog_invalid: row<{ problems: readonly { path: string; says: string }[] }>({
    says: ({ problems }) =>
      `The catalog inside this binary can't be read:\n${problems
        .map(({ path, says }) => `  ${path}: ${quote(says)}`)
        .join("\n")}`,
    fix: () => "get a genuine Fermix binary, then run `fermix --version`",
    exit: "failed",
  }),
  catalog_untrusted: row<{ reason: string }>({
    says: ({ reason }) =>
      `The catalog inside this binary does not verify: ${reason}. Nothing will be installed from it.`,
    fix: () => "get a genuine Fermix binary, then run `fermix --version`",
    exit: "refused",
  }),
} as const;
