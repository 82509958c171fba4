/** `fermix plugins enable NAME`: switch a plugin on, installing it first when needed. */
import { enablePlugin } from "../../plugins/enable.ts";
import { fixFor } from "../../plugins/readiness.ts";
import { defineVerb } from "../verb.ts";
import { withProgress } from "./install-progress.ts";
import { PICKED_UP, standingNotices } from "./notices.ts";

export const enable = defineVerb({
  summary: "Switch a plugin on; one that is only in the catalog is installed first",
  examples: ["fermix plugins enable obsidian"],
  args: { name: { kind: "positional", label: "NAME", required: true, about: "the plugin" } },
  async run(app, args) {
    const done = await enablePlugin(app, args.name, async (to, name) => {
      const { installPlugin } = await import("../../plugins/install.ts");
      return await withProgress(to, (onProgress) => installPlugin(to, { name }, { onProgress }));
    });
    const { name, version, readiness } = done;
    return {
      json: {
        enabled: name,
        version,
        installed: done.installed,
        status: readiness.status,
        fix: fixFor(name, readiness) || null,
      },
      text: { lines: [`enabled ${name}`] },
      notices: [
        ...(done.installed ? [`installed ${name} ${version} from the catalog first`] : []),
        ...standingNotices(name, readiness),
        PICKED_UP,
      ],
    };
  },
});
