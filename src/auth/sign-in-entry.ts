/** Reads one entry of auth.json into what a sign-in is (spec 8.1); what it does not know stays in the file untouched. */
import * as v from "valibot";
import { isJsonObject } from "../kernel/json.ts";

/** One sign-in. Its tokens are secrets: nothing but a Credential, a request to the provider and the file may get them. */
export interface SignInEntry {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Unix time in milliseconds; undefined: it does not end by itself. */
  readonly expiresAt: number | undefined;
  readonly authMode: string | undefined;
  readonly provider: string | undefined;
  readonly grantedScopes: readonly string[] | undefined;
  readonly status: string | undefined;
  readonly region: string | undefined;
  /** Since when a refresh has had no answer that told whether it was done (DECISIONS 30). */
  readonly unansweredSince: string | undefined;
}

export type EntryReading =
  | { readonly ok: true; readonly entry: SignInEntry }
  /** `reason` goes on after the sign-in's name, as in "its entry in auth.json has no access token". */
  | { readonly ok: false; readonly reason: string };

const text = v.pipe(v.string("is no text"), v.trim());
/** Absent, null and blank are one thing: other programs write each of them. */
const optionalText = v.pipe(
  v.nullish(text),
  v.transform((value) => (value === "" || value === null ? undefined : value)),
);
const time = v.pipe(
  optionalText,
  v.check((value) => value === undefined || !Number.isNaN(Date.parse(value)), "is no time"),
  v.transform((value) => (value === undefined ? undefined : Date.parse(value))),
);

/** A value that goes into a header as it is: one with a line's end in it would be two headers. */
const token = v.pipe(text, v.regex(/^[\x21-\x7e]*$/, "has characters that no token has"));
const entrySchema = v.looseObject({
  tokens: v.looseObject({
    access_token: v.pipe(token, v.minLength(1)),
    refresh_token: v.pipe(
      v.nullish(token),
      v.transform((value) => (value === "" || value === null ? undefined : value)),
    ),
  }),
  expires_at: time,
  auth_mode: optionalText,
  provider: optionalText,
  granted_scopes: v.pipe(
    v.nullish(v.array(text, "is no list")),
    v.transform((value) => value ?? undefined),
  ),
  status: optionalText,
  region: optionalText,
  refresh_unanswered_since: optionalText,
});

/** The key that Fermix adds to the ecosystem's entry; whoever does not know it passes it over. */
export const UNANSWERED_KEY = "refresh_unanswered_since";

/** What an entry says, or why it can't be used. */
export function readEntry(raw: unknown): EntryReading {
  const read = v.safeParse(entrySchema, raw);
  if (!read.success) return { ok: false, reason: reasonOf(read.issues[0]) };
  const { tokens, ...entry } = read.output;
  return {
    ok: true,
    entry: {
      accessToken: tokens.access_token,
      refreshToken: tokens.refresh_token,
      expiresAt: entry.expires_at,
      authMode: entry.auth_mode,
      provider: entry.provider,
      grantedScopes: entry.granted_scopes,
      status: entry.status,
      region: entry.region,
      unansweredSince: entry.refresh_unanswered_since,
    },
  };
}

/** How sign-ins of plugins are marked; the others belong to model providers, whose tokens no plugin may send. */
const PLUGIN_MODE = "oauth2";

/**
 * Why a plugin of this provider may not use the sign-in, as the end of a sentence; undefined when it may. A setting may
 * name any profile, and what was signed in elsewhere must not be sent to this plugin's provider. Another `mode` is a model
 * provider's, whose profile no setting can exchange.
 */
export function foreignness(
  { provider, authMode }: Pick<SignInEntry, "provider" | "authMode">,
  wanted: string,
  mode = PLUGIN_MODE,
): string | undefined {
  if (authMode !== undefined && authMode !== mode) {
    return `it is a sign-in of the kind ${JSON.stringify(authMode)}, which is not one of a plugin`;
  }
  if (mode === PLUGIN_MODE && provider !== undefined && provider !== wanted) {
    return `it is a sign-in with ${JSON.stringify(provider)}, not with ${JSON.stringify(wanted)}`;
  }
  return undefined;
}

/** Whose sign-in it is, for a person: the mail address, else the name, else the subject. */
export function accountLabel(raw: unknown): string | undefined {
  const account = isJsonObject(raw) ? raw["account"] : undefined;
  if (!isJsonObject(account)) return undefined;
  return [account["email"], account["display_name"], account["subject"]].find(
    (label): label is string => typeof label === "string" && label.trim() !== "",
  );
}

function reasonOf(issue: v.InferIssue<typeof entrySchema>): string {
  const path = (issue.path ?? []).map(({ key }) => String(key));
  const missing = path[0] === undefined || (path[0] === "tokens" && path[1] !== "refresh_token");
  if (missing && issue.type !== "regex") return "its entry in auth.json has no access token";
  return `its ${path.at(-1)} in auth.json ${issue.message}`;
}
