/** `fermix plugins auth status [NAME]`: how each plugin's credential stands. */
import { authStatus, type CredentialRow } from "../../../plugins/auth-status.ts";
import { failureNotice } from "../../failure-notice.ts";
import { defineVerb } from "../../verb.ts";
import { cell, NOTHING_INSTALLED } from "../notices.ts";

export const status = defineVerb({
  summary: "Show each plugin's sign-in or key: whether there is one, whose it is and where it comes from",
  examples: ["fermix plugins auth status", "fermix plugins auth status gmail --json"],
  args: { name: { kind: "positional", label: "NAME", required: false, about: "only this plugin" } },
  async run(app, args) {
    const rows = await authStatus(app, args.name);
    return {
      json: { plugins: rows.map(json) },
      text: { rows: rows.map((row) => [row.plugin, row.status, cell(row.account ?? row.source)]) },
      // One auth.json can be what is wrong with many of them.
      notices: [...(rows.length === 0 ? [NOTHING_INSTALLED] : []), ...new Set(rows.flatMap(notices))],
    };
  },
});

/** The credential first: where the plugin is not here either, that is the next thing to do. */
function notices(row: CredentialRow): readonly string[] {
  return [...adviceNotice(row), ...(row.absent === undefined ? [] : [failureNotice(row.absent)])];
}

/** The badge is the product document's ("Stale token detection"). */
function adviceNotice({ plugin, stale, error, fix }: CredentialRow): readonly string[] {
  if (fix === undefined) return [];
  if (error !== undefined) return [failureNotice({ message: error, fix })];
  return [failureNotice({ message: stale ? `Reconnect needed: ${plugin}.` : `${plugin} is not connected.`, fix })];
}

function json(row: CredentialRow): unknown {
  const { plugin, auth, profile, account, source, expiresAt, stale, error, fix } = row;
  return {
    plugin,
    auth_profile: profile ?? null,
    status: row.status,
    ...(error === undefined ? { account: account ?? null } : { error }),
    auth,
    source: source ?? null,
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    stale,
    fix: fix ?? null,
    installed: row.absent === undefined,
  };
}
