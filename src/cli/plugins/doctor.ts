/** `fermix plugins doctor [NAME]`: what is wrong and how to mend it. */
import type { Check, Level } from "../../plugins/doctor/check.ts";
import { diagnosePlugin, diagnosePlugins } from "../../plugins/doctor/diagnose.ts";
import type { PluginCheck } from "../../plugins/doctor/plugins.ts";
import { defineVerb, type View } from "../verb.ts";
import { listJson } from "./list.ts";
import { cell } from "./notices.ts";

export const doctor = defineVerb({
  summary: "Check the home, cosign, the catalog and every plugin, and say how to fix what is wrong",
  examples: ["fermix plugins doctor", "fermix plugins doctor obsidian --json", "fermix plugins doctor --full"],
  args: {
    name: { kind: "positional", label: "NAME", required: false, about: "one plugin; all of them when left out" },
    full: { kind: "flag", about: "ask the services of ready plugins too, over the network" },
  },
  async run(app, args) {
    if (args.name !== undefined) return doctorView([await diagnosePlugin(app, args.name, args)], []);
    const { plugins, checks } = await diagnosePlugins(app, args);
    return {
      ...doctorView(plugins, checks),
      notices: ["no daemon is running: live state and budgets belong to each `fermix mcp serve` process"],
    };
  },
});

/** The ecosystem's word for each (spec 7.1). */
const VERDICTS: Readonly<Record<Level, string>> = { ok: "ok", warn: "warn", fail: "error" };

function doctorView(plugins: readonly PluginCheck[], checks: readonly Check[]): View {
  const failed = [...plugins, ...checks].some(({ level }) => level === "fail");
  return {
    json: {
      plugins: plugins.map(({ row, level, detail }) => ({
        ...listJson(row),
        doctor: VERDICTS[level],
        ...(level === "ok" ? { detail } : { detail, error: detail }),
      })),
      checks: checks.map(({ name, level, detail, fix }) => ({
        name,
        doctor: VERDICTS[level],
        detail,
        fix: fix || null,
      })),
    },
    text: {
      rows: [
        ...plugins.map(({ row, level, detail }) => [
          row.name,
          VERDICTS[level],
          cell(detail),
          level === "ok" ? "-" : cell(row.fix),
        ]),
        ...checks.map(({ name, level, detail, fix }) => [name, VERDICTS[level], detail, cell(fix)]),
      ],
    },
    ...(failed ? { exit: "failed" as const } : {}),
  };
}
