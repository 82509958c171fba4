/** `fermix auth status`: how each model provider's sign-in stands. */
import { modelProviderNamed, modelProviders } from "../../auth/models/model-providers.ts";
import { type ModelStatus, modelStatus } from "../../auth/models/model-status.ts";
import { reconnections } from "../../auth/stale.ts";
import { never } from "../../kernel/error.ts";
import { failureNotice } from "../failure-notice.ts";
import { defineVerb } from "../verb.ts";
import { providerArg } from "./provider-words.ts";

const NONE = "n/a";

export const status = defineVerb({
  summary: "Show who is signed in to which model provider, how and until when",
  examples: ["fermix auth status", "fermix auth status --provider xai", "fermix auth status --json"],
  args: { provider: { ...providerArg, about: `${providerArg.about}; all of them when left out` } },
  async run({ ports, home }, args) {
    const wanted = args.provider === undefined ? modelProviders : [modelProviderNamed(args.provider)];
    const rows = modelStatus(ports, home, wanted);
    return {
      json: { providers: rows.map(json) },
      text: { lines: rows.flatMap((row, at) => (at === 0 ? linesOf(row) : ["", ...linesOf(row)])) },
      notices: rows.flatMap(advice),
    };
  },
});

/** The lines and their words are the ecosystem's (spec 7.2); the account is added. */
function linesOf(row: ModelStatus): readonly string[] {
  const { id, words } = row.provider;
  switch (row.state) {
    case "signed_out":
      return [`not logged in (${words[0]})`];
    case "unusable":
      return [`provider: ${id}`, "status: unusable"];
    case "signed_in":
      return [
        `provider: ${id}`,
        `auth_mode: ${row.authMode}`,
        `expires_at: ${isoTime(row.expiresAt) ?? NONE}`,
        `last_refresh: ${row.lastRefresh ?? NONE}`,
        ...(row.status === undefined ? [] : [`status: ${row.status}`]),
        ...(row.account === undefined ? [] : [`account: ${row.account}`]),
      ];
    default:
      return never(row);
  }
}

/** The badge is the product document's ("Stale token detection"). */
function advice(row: ModelStatus): readonly string[] {
  const { name, profile } = row.provider;
  const fix = fixOf(profile);
  if (row.state === "signed_out") return [];
  if (row.state === "unusable") return [failureNotice({ message: `${name}: ${row.reason}.`, fix })];
  return row.reconnect ? [failureNotice({ message: `Reconnect needed: ${name}.`, fix })] : [];
}

function json(row: ModelStatus): unknown {
  const { id, profile } = row.provider;
  const provider = { provider: id, auth_profile: profile, logged_in: row.state === "signed_in" };
  if (row.state === "signed_out") return { ...provider, fix: fixOf(profile) };
  if (row.state === "unusable") return { ...provider, error: row.reason, fix: fixOf(profile) };
  return {
    ...provider,
    auth_mode: row.authMode,
    expires_at: isoTime(row.expiresAt) ?? null,
    last_refresh: row.lastRefresh ?? null,
    status: row.status ?? null,
    account: row.account ?? null,
    reconnect_needed: row.reconnect,
    fix: row.reconnect ? fixOf(profile) : null,
  };
}

function fixOf(profile: string): string {
  return reconnections(profile, [])[0]?.command ?? "";
}

function isoTime(ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(ms).toISOString();
}
