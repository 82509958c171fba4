/** `fermix plugins install NAME[@VERSION]`: verify and install a plugin from the signed catalog. */
import type { App } from "../../plugins/app.ts";
import { type InstallOutcome, installPlugin } from "../../plugins/install.ts";
import { splitSpec } from "../../plugins/name-plugin.ts";
import { defineVerb } from "../verb.ts";
import { withProgress } from "./install-progress.ts";
import { arrivalNotice, PICKED_UP } from "./notices.ts";
import { publisherText } from "./publisher-text.ts";

export const install = defineVerb({
  summary: "Verify and install a plugin from the catalog inside this binary",
  examples: ["fermix plugins install obsidian", "fermix plugins install obsidian@1.0.0 --dry-run"],
  args: {
    plugin: {
      kind: "positional",
      label: "NAME[@VERSION]",
      required: true,
      about: "the plugin; its latest version by default",
    },
    force: { kind: "flag", about: "install again what is installed already" },
    "dry-run": { kind: "flag", about: "check everything and install nothing" },
    yes: { kind: "flag", about: "ask nothing (an install asks nothing today)" },
  },
  async run(app, args) {
    const dryRun = args["dry-run"];
    const done = await withProgress(app, async (onProgress) => {
      return await installPlugin(app, splitSpec(args.plugin), { force: args.force, dryRun, onProgress });
    });
    const { name, version, status, previous, publisher } = done;
    const signedBy = publisherText(publisher);
    return {
      json: { installed: name, status, version, previous: previous ?? null, publisher: signedBy, dry_run: dryRun },
      text: { lines: [line(name, status)] },
      notices: dryRun ? dryNotices(done) : await notices(app, done),
    };
  },
});

function dryNotices({ name, version, status, publisher }: InstallOutcome): string[] {
  const signed = `${name} ${version}, signed by ${publisherText(publisher)}`;
  return [status === "checked" ? `${signed}, would install; nothing was changed` : `${signed}; nothing would change`];
}

async function notices(app: App, { name, version, status, previous, publisher }: InstallOutcome): Promise<string[]> {
  const signed = `${name} ${version}, signed by ${publisherText(publisher)}`;
  const replaced = previous === undefined || previous === version ? "" : `; ${previous} was live until now`;
  const arrival = await arrivalNotice(app, name);
  if (status === "installed") return [`${signed}${replaced}`, arrival];
  // What was there before is news to nobody.
  return arrival === PICKED_UP ? [] : [arrival];
}

function line(name: string, status: "installed" | "already_installed" | "checked"): string {
  if (status === "already_installed") return `${name} already installed`;
  return status === "installed" ? `installed ${name}` : `checked ${name}`;
}
