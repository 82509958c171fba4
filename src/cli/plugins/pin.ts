/** `fermix plugins pin NAME@VERSION`: keep a plugin at one version; `--remove` lets it go. */
import { splitSpec } from "../../plugins/name-plugin.ts";
import { pinPlugin, unpinPlugin, usage } from "../../plugins/pin.ts";
import { defineVerb } from "../verb.ts";
import { withProgress } from "./install-progress.ts";
import { arrivalNotice } from "./notices.ts";

const FROM = {
  live: "it was live already",
  kept: "from the version kept in the store",
  catalog: "installed from the catalog",
} as const;

export const pin = defineVerb({
  summary: "Make one version live and keep it there; `upgrade` then leaves the plugin alone",
  examples: ["fermix plugins pin obsidian@1.0.0", "fermix plugins pin --remove obsidian"],
  args: {
    plugin: { kind: "positional", label: "NAME@VERSION", required: true, about: "the plugin and the version to keep" },
    remove: { kind: "flag", about: "remove the pin (give the NAME alone)" },
  },
  async run(app, args) {
    const { name, version } = splitSpec(args.plugin);
    if (args.remove) {
      if (version !== undefined) throw usage("`pin --remove` takes NAME without a version.");
      const done = await unpinPlugin(app, name);
      return {
        json: { unpinned: done.name, was_pinned: done.wasPinned },
        text: { lines: [done.wasPinned ? `unpinned ${done.name}` : `${done.name} was not pinned`] },
      };
    }
    if (version === undefined) throw usage("`pin` requires NAME@VERSION.");
    const done = await withProgress(app, (onProgress) => pinPlugin(app, { name, version }, { onProgress }));
    return {
      json: { pinned: done.name, version: done.version, previous: done.previous ?? null, from: done.from },
      text: { lines: [`pinned ${done.name} at ${done.version}`] },
      notices: [
        `${done.name} ${done.version}: ${FROM[done.from]}; \`upgrade\` leaves it alone until \`fermix plugins pin --remove ${done.name}\``,
        ...(done.from === "live" ? [] : [await arrivalNotice(app, done.name)]),
      ],
    };
  },
});
