/** Failures of the store of installed plugins. */
import { quote, row } from "./row.ts";

export const storeCodes = {
  plugin_busy: row<{ plugin: string }>({
    says: ({ plugin }) => `Another Fermix process is changing ${quote(plugin)} right now.`,
    fix: () => "wait for it to end, then run the command again",
    exit: "failed",
  }),
  store_busy: row<{ path: string }>({
    says: ({ path }) => `Another Fermix process holds the plugin store (${quote(path)}).`,
    fix: () => "wait for it to end, then run the command again",
    exit: "failed",
  }),
  installed_record_corrupt: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `The record of installed plugins ${quote(path)} is damaged: ${quote(reason)}.`,
    fix: ({ path }) => `restore ${quote(path)} from a backup, or move it away and install the plugins again`,
    exit: "failed",
  }),
  version_dir_missing: row<{ plugin: string; version: string }>({
    says: ({ plugin, version }) => `The files of ${quote(plugin)} ${version} are not in the store.`,
    fix: ({ plugin }) => `\`fermix plugins install ${plugin} --force\``,
    exit: "failed",
  }),
  plugins_dir_spans_filesystems: row<{ from: string; to: string }>({
    says: ({ from, to }) =>
      `The plugin store spans two filesystems: ${quote(from)} and ${quote(to)} can't be swapped in one step.`,
    fix: () => "keep the whole `plugins` folder of the Fermix home on one filesystem",
    exit: "failed",
  }),
  outside_store: row<{ path: string }>({
    says: ({ path }) => `${quote(path)} is outside the plugin store, so Fermix will not remove it.`,
    fix: () => "look for a link in the `plugins` folder of the Fermix home that leads out of it, and remove that link",
    exit: "refused",
  }),
  bundled_plugin: row<{ plugin: string; verb: "install" | "upgrade" | "pin" | "uninstall" }>({
    says: ({ plugin, verb }) => `${plugin} is part of Fermix itself, so there is nothing to ${verb}.`,
    fix: ({ plugin, verb }) =>
      verb === "uninstall"
        ? `\`fermix plugins disable ${plugin}\` switches it off`
        : verb === "install"
          ? `\`fermix plugins enable ${plugin}\` switches it on`
          : "`fermix upgrade` brings its next version",
    exit: "failed",
  }),
  plugin_not_stored: row<{ plugin: string; path: string }>({
    says: ({ plugin, path }) =>
      `${plugin} is yours, in ${quote(path)} (dev_local), so the plugin store has nothing of it to change or prove.`,
    fix: ({ plugin }) => `\`fermix plugins disable ${plugin}\` switches it off; its files are changed where they are`,
    exit: "failed",
  }),
  plugin_pinned: row<{ plugin: string; pinned: string; wanted: string }>({
    says: ({ plugin, pinned, wanted }) => `${plugin} is pinned at ${pinned}, so ${wanted} was not installed.`,
    fix: ({ plugin, wanted }) =>
      `\`fermix plugins pin ${plugin}@${wanted}\`, or first \`fermix plugins pin --remove ${plugin}\``,
    exit: "failed",
  }),
  name_taken: row<{ plugin: string; kind: "plugin" | "tool" | "skill"; name: string; owners: readonly string[] }>({
    says: ({ plugin, kind, name, owners }) =>
      `${plugin} can't be used here: the ${kind} name ${quote(name)} belongs to ${owners.join(" and ")}.`,
    fix: ({ plugin }) => `uninstall the other plugin first, or report the clash to the author of ${plugin}`,
    exit: "failed",
  }),
  package_mismatch: row<{ plugin: string; field: "name" | "version"; expected: string; found: string }>({
    says: ({ plugin, field, expected, found }) =>
      `The package of ${plugin} says that its ${field} is ${quote(found)}; the catalog says ${quote(expected)}.`,
    fix: () => "report it to the plugin's author; nothing was installed",
    exit: "refused",
  }),
  installed_files_changed: row<{ plugin: string; version: string; expected: string; actual: string }>({
    says: ({ plugin, version, expected, actual }) =>
      `The files of ${plugin} ${version} are not those that were verified: their digest is ${actual}, it was ${expected}.`,
    fix: ({ plugin }) => `\`fermix plugins install ${plugin} --force\``,
    exit: "refused",
  }),
  installed_unproven: row<{ plugin: string; version: string; reason: string }>({
    says: ({ plugin, version, reason }) => `${plugin} ${version} can't be proven: ${reason}.`,
    fix: ({ plugin }) => `\`fermix plugins install ${plugin} --force\``,
    exit: "refused",
  }),
} as const;
