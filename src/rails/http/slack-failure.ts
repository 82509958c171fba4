/** Reads Slack's failures: 200 with `ok:false` and a code (docs.slack.dev, "Evaluating responses" and each method's errors). */
import type { JsonObject } from "../../kernel/json.ts";
import { isRecord } from "./extract.ts";
import type { InsideFailure } from "./inside-failure.ts";

const CREDENTIAL: ReadonlySet<string> = new Set([
  "invalid_auth",
  "not_authed",
  "account_inactive",
  "token_revoked",
  "token_expired",
]);

const SLACKS_FAULT = "the fault is Slack's: try again later";
const ASK_ADMIN = "ask an administrator of the Slack workspace to allow it";

const HINTS: Readonly<Record<string, string>> = {
  channel_not_found: "check the channel's id; a private channel shows itself only to an app that was invited to it",
  not_in_channel: "invite the app to the channel in Slack, then call again",
  thread_not_found: "check the ts of the thread's first message",
  invalid_cursor: "start the listing again without a cursor",
  not_allowed_token_type: "this needs another kind of token: store a bot token (xoxb-) of the app",
  access_denied: ASK_ADMIN,
  no_permission: ASK_ADMIN,
  ekm_access_denied: ASK_ADMIN,
  team_access_not_granted: ASK_ADMIN,
  internal_error: SLACKS_FAULT,
  fatal_error: SLACKS_FAULT,
  request_timeout: SLACKS_FAULT,
  service_unavailable: SLACKS_FAULT,
};

/** What `ok:false` means; undefined for every other body. */
export function slackFailure(body: JsonObject): InsideFailure | undefined {
  if (body["ok"] !== false) return undefined;
  const code = typeof body["error"] === "string" ? body["error"] : "unknown_error";
  if (CREDENTIAL.has(code)) return { kind: "credential" };
  if (code === "ratelimited" || code === "rate_limited") return { kind: "rate_limited" };
  if (code === "missing_scope") return { kind: "scope", scopes: scopesIn(body["needed"]) };
  const hint = Object.hasOwn(HINTS, code) ? HINTS[code] : undefined;
  return { kind: "failed", reported: code, explained: messagesIn(body), ...(hint === undefined ? {} : { hint }) };
}

/** `needed` is one string with commas. */
function scopesIn(needed: unknown): readonly string[] {
  return typeof needed === "string"
    ? needed
        .split(",")
        .map((scope) => scope.trim())
        .filter(Boolean)
    : [];
}

/** What is wrong with the arguments, where Slack says so. */
function messagesIn(body: JsonObject): string {
  const metadata = body["response_metadata"];
  const messages = isRecord(metadata) ? metadata["messages"] : undefined;
  return Array.isArray(messages) ? messages.filter((message) => typeof message === "string").join("; ") : "";
}
