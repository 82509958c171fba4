/** `fermix plugins doctor [NAME]`: what is wrong and how to mend it. */
import { type Check, diagnose, diagnosePlugin, type PluginCheck } from "../../plugins/doctor.ts";
import { defineVerb, type View } from "../verb.ts";
import { listJson } from "./list.ts";
import { cell } from "./notices.ts";

export const doctor = defineVerb({
  summary: "Check the home, cosign, the catalog and every plugin, and say how to fix what is wrong",
  examples: ["fermix plugins doctor", "fermix plugins doctor obsidian --json"],
  args: {
    name: { kind: "positional", label: "NAME", required: false, about: "one plugin; all of them when left out" },
  },
  async run(app, args) {
    if (args.name !== undefined) return doctorView([await diagnosePlugin(app, args.name)], []);
    const { plugins, checks } = await diagnose(app);
    return {
      ...doctorView(plugins, checks),
      notices: ["no daemon is running: live state and budgets belong to each `fermix mcp serve` process"],
    };
  },
});

function doctorView(plugins: readonly PluginCheck[], checks: readonly Check[]): View {
  const failed = [...plugins, ...checks].some(({ verdict }) => verdict === "error");
  return {
    json: {
      plugins: plugins.map(({ row, verdict, detail }) => ({
        ...listJson(row),
        doctor: verdict,
        ...(verdict === "ok" ? { detail } : { detail, error: detail }),
      })),
      checks: checks.map(({ name, verdict, detail, fix }) => ({ name, doctor: verdict, detail, fix: fix || null })),
    },
    text: {
      rows: [
        ...plugins.map(({ row, verdict, detail }) => [
          row.name,
          verdict,
          cell(detail),
          verdict === "ok" ? "-" : cell(row.fix),
        ]),
        ...checks.map(({ name, verdict, detail, fix }) => [name, verdict, detail, cell(fix)]),
      ],
    },
    ...(failed ? { exit: "failed" as const } : {}),
  };
}
