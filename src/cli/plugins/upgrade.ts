/** `fermix plugins upgrade [NAME]`: bring plugins to the latest version this binary carries. */
import { readConfig } from "../../config/read.ts";
import type { App } from "../../plugins/app.ts";
import { isEnabled } from "../../plugins/readiness.ts";
import { type Upgraded, upgradeAll, upgradePlugin } from "../../plugins/upgrade.ts";
import { failureNotice } from "../failure-notice.ts";
import { defineVerb, type View } from "../verb.ts";
import { withProgress } from "./install-progress.ts";
import { PICKED_UP } from "./notices.ts";

/** CAT-7: there is no newer catalog to look for. */
const COMES_WITH_FERMIX = "newer plugin versions come with Fermix itself: run `fermix upgrade`";

export const upgrade = defineVerb({
  summary: "Bring one plugin, or all of them, to the latest version in the catalog of this binary",
  examples: ["fermix plugins upgrade", "fermix plugins upgrade obsidian"],
  args: { name: { kind: "positional", label: "NAME", required: false, about: "the plugin; all when absent" } },
  async run(app, { name }) {
    if (name === undefined)
      return await viewAll(app, await withProgress(app, (onProgress) => upgradeAll(app, { onProgress })));
    const done = await withProgress(app, (onProgress) => upgradePlugin(app, name, { onProgress }));
    return {
      json: { upgraded: done.name, ...facts(done) },
      text: { lines: [line(done)] },
      notices: await notices(app, [done]),
    };
  },
});

async function viewAll(app: App, all: readonly Upgraded[]): Promise<View> {
  const failed = all.find((one) => one.status === "failed");
  return {
    json: { plugins: all.map((one) => ({ name: one.name, ...facts(one) })) },
    text: { lines: all.length === 0 ? ["no plugins installed"] : all.map(line) },
    notices: await notices(app, all),
    ...(failed?.status === "failed" ? { exit: failed.error.exit } : {}),
  };
}

function facts(one: Upgraded): Readonly<Record<string, unknown>> {
  switch (one.status) {
    case "upgraded":
      return { status: one.status, from: one.from ?? null, to: one.to };
    case "failed":
      return { status: one.status, error: one.error.view() };
    default:
      return { status: one.status, version: one.version ?? null };
  }
}

function line(one: Upgraded): string {
  switch (one.status) {
    case "upgraded":
      return `upgraded ${one.name}`;
    case "up_to_date":
      return `${one.name} already up to date`;
    case "pinned":
      return `${one.name} pinned at ${one.version ?? "-"}`;
    case "not_in_catalog":
      return `${one.name} not in the catalog`;
    case "failed":
      return `${one.name} not upgraded`;
  }
}

async function notices(app: App, all: readonly Upgraded[]): Promise<readonly string[]> {
  const said: string[] = [];
  for (const one of all) {
    if (one.status === "upgraded") said.push(`${one.name} ${one.from ?? "(no usable version)"} -> ${one.to}`);
    if (one.status === "pinned")
      said.push(`${one.name} was skipped: \`fermix plugins pin --remove ${one.name}\` frees it`);
    if (one.status === "failed") said.push(`${one.name}: ${failureNotice(one.error)}`);
  }
  if (all.some(({ status }) => status === "up_to_date" || status === "not_in_catalog")) said.push(COMES_WITH_FERMIX);
  return (await isUpgradedInUse(app, all)) ? [...said, PICKED_UP] : said;
}

/** Whether anybody is to pick something up: an upgraded plugin is switched on. */
async function isUpgradedInUse({ home }: App, all: readonly Upgraded[]): Promise<boolean> {
  const upgraded = all.filter(({ status }) => status === "upgraded");
  if (upgraded.length === 0) return false;
  const config = await readConfig(home);
  return upgraded.some(({ name }) => isEnabled(config, name));
}
