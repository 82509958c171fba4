/** Failures of a plugin manifest. */
import { quote, row } from "./row.ts";

/** One broken rule of a manifest: where (JSON path such as `tools[2].name`), which rule, and what is wrong. */
export interface ManifestProblem {
  readonly path: string;
  readonly rule: string;
  readonly says: string;
}

export const manifestCodes = {
  manifest_invalid: row<{ plugin: string; problems: readonly ManifestProblem[] }>({
    says: ({ plugin, problems }) =>
      `The manifest of ${quote(plugin)} breaks ${problems.length === 1 ? "a rule" : `${problems.length} rules`}:\n${problems
        .map((problem) => `  ${problem.path}: ${problem.says} (${problem.rule})`)
        .join("\n")}`,
    fix: () => "correct the manifest, or report it to the plugin's author",
    exit: "failed",
  }),
} as const;
