/** `fermix plugins verify [NAME]`: prove installed plugins again. */
import { type Verified, verifyPlugins } from "../../plugins/verify.ts";
import { failureNotice } from "../failure-notice.ts";
import { defineVerb } from "../verb.ts";
import { NOTHING_INSTALLED } from "./notices.ts";

export const verify = defineVerb({
  summary: "Prove that installed plugins are still what their publishers signed",
  examples: ["fermix plugins verify", "fermix plugins verify obsidian --json"],
  args: { name: { kind: "positional", label: "NAME", required: false, about: "the plugin; all when absent" } },
  async run(app, { name }) {
    const verdicts = await verifyPlugins(app, name);
    const failed = verdicts.find(({ ok }) => !ok);
    return {
      json: { plugins: verdicts.map(facts) },
      text: { rows: verdicts.map(row) },
      notices: verdicts.length === 0 ? [NOTHING_INSTALLED] : verdicts.flatMap(notice),
      ...(failed?.ok === false ? { exit: failed.error.exit } : {}),
    };
  },
});

function facts(verdict: Verified): Readonly<Record<string, unknown>> {
  const { name, version, ok } = verdict;
  if (!verdict.ok) return { name, version: version ?? null, ok, error: verdict.error.view() };
  return { name, version, ok, files: "unchanged", signature: verdict.signature, reason: verdict.reason ?? null };
}

function row(verdict: Verified): readonly string[] {
  const outcome = verdict.ok ? (verdict.signature === "verified" ? "proven" : "unchanged") : "FAILED";
  return [verdict.name, verdict.version ?? "-", outcome];
}

function notice(verdict: Verified): readonly string[] {
  if (!verdict.ok) return [`${verdict.name}: ${failureNotice(verdict.error)}`];
  if (verdict.reason === undefined) return [];
  return [`${verdict.name}: the files are unchanged; the signature was not checked: ${verdict.reason}`];
}
