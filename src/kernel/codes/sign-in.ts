/** Failures of OAuth sign-ins: the entry in auth.json, the file itself, and refreshing a token. */
import { quote, row } from "./row.ts";

/** The sentences of the product document's "When a credential stops working", word for word (DECISIONS 31). */
const credentialCodes = {
  not_connected: row<{ plugin: string; enabled?: boolean }>({
    says: ({ plugin, enabled = true }) =>
      `${plugin} is ${enabled ? "enabled but " : ""}not connected. Run \`fermix plugins auth login ${plugin}\`.`,
    fix: ({ plugin }) => `\`fermix plugins auth login ${plugin}\``,
    exit: "needs_connecting",
  }),
  reauthorization_required: row<{ plugin: string }>({
    says: ({ plugin }) => `${plugin} needs reconnection. Run \`fermix plugins auth reauthorize ${plugin}\`.`,
    fix: ({ plugin }) => `\`fermix plugins auth reauthorize ${plugin}\``,
    exit: "needs_connecting",
  }),
} as const;

/** What keeps a sign-in from being used though it is there (spec 3.6, "other auth"). */
const refreshCodes = {
  oauth_client_missing: row<{ plugin: string; provider: string }>({
    says: ({ plugin, provider }) =>
      `plugin auth unavailable: the OAuth client of ${provider} has no client_id or no client_secret, so the sign-in of ${plugin} can't be refreshed.`,
    fix: ({ provider }) => `\`fermix auth client ${provider} --id ID\` (it asks for the secret)`,
    exit: "needs_connecting",
  }),
  oauth_client_rejected: row<{ plugin: string; provider: string; reason: string }>({
    says: ({ plugin, provider, reason }) =>
      `plugin auth unavailable: ${provider} refused Fermix's OAuth client (${reason}); the sign-in of ${plugin} is kept.`,
    fix: ({ plugin, provider }) =>
      `\`fermix auth client ${provider} --id ID\` (it asks for the secret), then \`fermix plugins auth refresh ${plugin}\``,
    exit: "needs_connecting",
  }),
  token_refresh_failed: row<{ plugin: string; provider: string; reason: string }>({
    says: ({ plugin, provider, reason }) =>
      `plugin auth unavailable: ${provider} gave no new token for ${plugin}: ${reason}.`,
    fix: () => "call again in a moment; the sign-in is kept",
    exit: "failed",
  }),
  sign_in_unusable: row<{ plugin: string; profile: string; reason: string }>({
    says: ({ profile, reason }) => `plugin auth unavailable: the sign-in ${quote(profile)} can't be used: ${reason}.`,
    fix: ({ plugin }) => `\`fermix plugins auth reauthorize ${plugin}\``,
    exit: "needs_connecting",
  }),
  profile_busy: row<{ profile: string }>({
    says: ({ profile }) => `Another process has been refreshing or changing the sign-in ${quote(profile)} for a while.`,
    fix: () => "call again in a moment",
    exit: "failed",
  }),
} as const;

const authFileCodes = {
  auth_file_exposed: row<{ path: string; mode: string }>({
    says: ({ path, mode }) =>
      `${quote(path)} holds sign-ins and has the mode ${mode}; only its owner may read it, expected 0o600.`,
    fix: ({ path }) => `\`chmod 600 ${quote(path)}\``,
    exit: "refused",
  }),
  auth_file_unusable: row<{ path: string; reason: string }>({
    says: ({ path, reason }) => `The sign-ins in ${quote(path)} can't be used: ${reason}.`,
    fix: ({ path }) => `put a file of your own there again, or move ${quote(path)} away and sign in anew`,
    exit: "failed",
  }),
  auth_file_malformed: row<{ path: string; reason: string; backup?: string }>({
    says: ({ path, reason, backup }) =>
      `${quote(path)} ${reason}.${backup === undefined ? "" : ` It was kept as ${quote(backup)} and nothing was written.`}`,
    fix: ({ path }) => `repair ${quote(path)} by hand, or move it away and sign in anew`,
    exit: "failed",
  }),
  auth_file_busy: row<{ path: string }>({
    says: ({ path }) => `Another process has been writing ${quote(path)} for a while.`,
    fix: () => "try again in a moment",
    exit: "failed",
  }),
} as const;

export const signInCodes = { ...credentialCodes, ...refreshCodes, ...authFileCodes } as const;
