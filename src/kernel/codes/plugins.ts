/** Failures of loading, enabling and configuring plugins. */
import type { ManifestProblem } from "./manifest.ts";
import { quote, row } from "./row.ts";

/** One side of a name clash: which plugin, and the folder (or "this binary") it comes from. */
export interface ClashOwner {
  readonly plugin: string;
  readonly from: string;
}

const DEV_LOCAL_FIX = "or correct `dev_local` under [fermix_core.plugins] in config.toml";

export const pluginCodes = {
  incompatible: row<{ plugin: string; reason: string }>({
    says: ({ plugin, reason }) => `${plugin} does not fit this Fermix: ${reason}.`,
    fix: ({ plugin }) => `\`fermix plugins upgrade ${plugin}\`, or upgrade Fermix`,
    exit: "failed",
  }),
  plugin_damaged: row<{ plugin: string; path: string; reason: string }>({
    says: ({ plugin, path, reason }) => `The installed files of ${plugin} at ${quote(path)} cannot be used: ${reason}.`,
    fix: ({ plugin }) => `\`fermix plugins uninstall ${plugin}\`, then \`fermix plugins install ${plugin}\``,
    exit: "failed",
  }),
  unverified_remote_runtime: row<{ plugin: string; path: string }>({
    says: ({ plugin, path }) =>
      `${plugin} at ${quote(path)} runs on its vendor's servers, and a plain folder carries no publisher signature to prove its contract.`,
    fix: () => "release the plugin and install it from a signed catalog; a hosted plugin cannot be developed in place",
    exit: "refused",
  }),
  dev_local_unreadable: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `No plugin is loaded: the dev_local folder ${quote(path)} cannot be used: ${reason}.`,
    fix: () => "create the folder, or correct or remove `dev_local` under [fermix_core.plugins] in config.toml",
    exit: "failed",
  }),
  dev_local_invalid: row<{ path: string; problems: readonly ManifestProblem[] }>({
    says: ({ path, problems }) =>
      `No plugin is loaded: the manifest ${quote(path)} breaks ${problems.length === 1 ? "a rule" : `${problems.length} rules`}:\n${problems
        .map((problem) => `  ${problem.path}: ${problem.says} (${problem.rule})`)
        .join("\n")}`,
    fix: ({ path }) => `correct ${quote(path)}, ${DEV_LOCAL_FIX}`,
    exit: "failed",
  }),
  dev_local_clash: row<{ kind: "plugin" | "tool" | "skill"; name: string; owners: readonly ClashOwner[] }>({
    says: ({ kind, name, owners }) =>
      `No plugin is loaded: the ${kind} name ${quote(name)} is taken twice, by ${ownersText(owners)}.`,
    fix: () => `rename it in the plugin under dev_local, or remove one of the two, ${DEV_LOCAL_FIX}`,
    exit: "failed",
  }),
  name_clash: row<{
    plugin: string;
    kind: "plugin" | "tool" | "skill";
    name: string;
    owners: readonly ClashOwner[];
  }>({
    says: ({ plugin, kind, name, owners }) =>
      `${plugin} is left out: the ${kind} name ${quote(name)} is taken twice, by ${ownersText(owners)}.`,
    fix: ({ plugin }) => `\`fermix plugins uninstall ${plugin}\`, or uninstall the other one`,
    exit: "failed",
  }),
  plugin_unknown: row<{ plugin: string; suggestion?: string }>({
    says: ({ plugin }) => `There is no plugin named ${quote(plugin)} here or in the catalog.`,
    fix: ({ suggestion }) =>
      suggestion
        ? `did you mean \`${suggestion}\`? \`fermix plugins catalog\` lists them all`
        : "run `fermix plugins catalog`",
    exit: "failed",
  }),
  plugin_not_installed: row<{ plugin: string }>({
    says: ({ plugin }) => `${plugin} is in the catalog but not installed.`,
    fix: ({ plugin }) => `\`fermix plugins install ${plugin}\``,
    exit: "failed",
  }),
  unknown_config_key: row<{ plugin: string; key: string; declared: readonly string[] }>({
    says: ({ plugin, key }) => `${plugin} declares no config key ${quote(key)}.`,
    fix: ({ plugin, declared }) =>
      declared.length === 0
        ? `${plugin} has nothing to configure`
        : `use ${declared.join(" or ")}; \`fermix plugins config ${plugin}\` shows each`,
    exit: "failed",
  }),
  blank_config_value: row<{ plugin: string; key: string }>({
    says: ({ key }) => `The value for ${key} is blank.`,
    fix: ({ plugin, key }) => `\`fermix plugins config set ${plugin} ${key} VALUE\``,
    exit: "failed",
  }),
  invalid_config_value: row<{ plugin: string; key: string; reason: string }>({
    says: ({ key, reason }) => `${key} ${reason}.`,
    fix: ({ plugin, key }) => `\`fermix plugins config set ${plugin} ${key} VALUE\``,
    exit: "failed",
  }),
  vault_unusable: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `The vault ${quote(path)} cannot be used: ${reason}.`,
    fix: () => "give the folder that holds your notes: `fermix quickstart --vault DIR`",
    exit: "failed",
  }),
  quickstart_call_failed: row<{ tool: string; reason: string }>({
    says: ({ tool, reason }) => `The server runs, but ${tool} answered with an error: ${quote(reason)}.`,
    fix: () => "try another vault: `fermix quickstart --vault DIR`",
    exit: "failed",
  }),
  quickstart_cancelled: row<{ kept?: string }>({
    says: ({ kept }) =>
      kept === undefined
        ? "Quickstart was cancelled; nothing of it is left."
        : `Quickstart was cancelled; what it had finished in ${quote(kept)} stays.`,
    fix: () => "run `fermix quickstart` again",
    exit: "failed",
  }),
  link_taken: row<{ path: string; found: string }>({
    says: ({ path, found }) => `${quote(path)} is already ${found}, so it was left alone.`,
    fix: () => "remove it, or run `fermix quickstart` without --link",
    exit: "failed",
  }),
  link_failed: row<{ path: string; command: string }>({
    says: ({ path }) => `The link ${quote(path)} could not be made.`,
    fix: ({ command }) => `run \`${command}\` as a user who may`,
    exit: "failed",
  }),
  no_daemon: row<{ doing: string }>({
    says: ({ doing }) => `No daemon is running, so there is nothing to ${doing}.`,
    fix: () =>
      "nothing, as a rule: `fermix mcp serve` follows installs, settings and manifests by itself; start it again after a change in a server's own code",
    exit: "no_daemon",
  }),
} as const;

function ownersText(owners: readonly ClashOwner[]): string {
  return owners.map(({ plugin, from }) => `${plugin} (${from})`).join(" and ");
}
