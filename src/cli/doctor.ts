/** `fermix doctor`: one row for each thing that a home needs, and what to do about what is wrong (DOC-1, spec 7.3). */
import { FermixError } from "../kernel/error.ts";
import type { Check, Level } from "../plugins/doctor/check.ts";
import { defineVerb, type View } from "./verb.ts";

const LABELS: Readonly<Record<Level, string>> = { ok: " OK ", warn: "WARN", fail: "FAIL" };
const RULE = "-".repeat(60);
const NAME_WIDTH = 18;
/** Below the details: behind the label, the name and what stands between them. */
const INDENT = " ".repeat("[ OK ] ".length + NAME_WIDTH + 2);

export const doctor = defineVerb({
  summary: "Check everything a home needs, and say how to fix what is wrong",
  examples: ["fermix doctor", "fermix doctor --full", "fermix doctor --env", "fermix doctor --json"],
  args: {
    full: { kind: "flag", about: "ask the services of ready plugins too, over the network" },
    env: { kind: "flag", about: "list the environment variables instead, as set or unset" },
  },
  async run(app, { full, env }) {
    if (full && env) {
      const problem = "--env lists variables and --full asks services: one at a time.";
      throw new FermixError("usage", { problem, command: "fermix doctor" });
    }
    if (env) {
      const { listVariables } = await import("../plugins/doctor/environment.ts");
      return variablesView(await listVariables(app));
    }
    const { diagnoseHome } = await import("../plugins/doctor/diagnose.ts");
    return checksView(await diagnoseHome(app, { full }));
  },
});

function checksView(checks: readonly Check[]): View {
  const count = (wanted: Level) => checks.filter(({ level }) => level === wanted).length;
  const [fine, warnings, failures] = [count("ok"), count("warn"), count("fail")];
  return {
    json: {
      checks: checks.map(({ name, level, detail, fix, source }) => ({
        name,
        level,
        detail,
        ...(fix === "" ? {} : { fix }),
        ...(source === undefined ? {} : { source }),
      })),
      ok: fine,
      warnings,
      failures,
    },
    text: {
      lines: [
        "fermix doctor",
        RULE,
        ...checks.flatMap(rowLines),
        "",
        `${fine} ok, ${warnings} warning(s), ${failures} failure(s)`,
      ],
    },
    ...(failures > 0 ? { exit: "failed" as const } : {}),
  };
}

/** What is longer than a line goes on below the detail, and so does the fix. */
function rowLines({ name, level, detail, fix }: Check): readonly string[] {
  const [first = "", ...rest] = detail.split("\n");
  const more = [...rest, ...(fix === "" ? [] : `fix: ${fix.replaceAll("\n", "\n     ")}`.split("\n"))];
  return [`[${LABELS[level]}] ${name.padEnd(NAME_WIDTH)}  ${first}`, ...more.map((line) => INDENT + line)];
}

function variablesView(
  rows: readonly { readonly name: string; readonly about: string; readonly set: boolean }[],
): View {
  return {
    json: { environment: rows.map(({ name, set, about }) => ({ name, set, about })) },
    text: { rows: rows.map(({ name, set, about }) => [name, set ? "set" : "unset", about]) },
  };
}
