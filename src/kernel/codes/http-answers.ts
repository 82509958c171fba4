/** Failures that a provider's answer to an http plugin's request can mean, in the words of spec 3.3 and 3.6. */
import { plain, quote, row } from "./row.ts";

interface Call {
  readonly plugin: string;
  readonly tool: string;
}

/** An answer that cannot be used. `write` is true when the request may have changed something although it failed. */
interface Unusable extends Call {
  readonly write: boolean;
}

type Auth = "none" | "oauth2" | "api_key";

/** A body that is already redacted and cut, behind the sentence it explains; empty when there was none. */
function withBody(sentence: string, body: string): string {
  return body === "" ? sentence : `${sentence} ${plain(body)}`;
}

/** Whoever reads only that a write failed would send it again. */
function checkFirst({ tool, write }: Unusable, next: string): string {
  return write ? `check first whether ${tool} took effect, as it may have; then ${next}` : next;
}

const STATUS_FIXES: Readonly<Record<number, string>> = {
  402: "the provider asks for payment or a larger plan: see the account there",
  404: "check the ids in the arguments; what the connected account may not see answers 404 too",
  405: "report it to the plugin's author: the API does not take this request",
  409: "read the current state, then call again",
  410: "check the ids in the arguments; what they name is gone",
  413: "send less in one call",
  415: "report it to the plugin's author: the API does not take this request",
};

const ANSWER_FIX = "correct the arguments as the answer says, then call again";

/** What to do about a status that has no sentence of its own. */
function statusFix(status: number): string {
  if (status < 300) return "it may have taken effect: check, and report that the manifest does not list this status";
  return STATUS_FIXES[status] ?? ANSWER_FIX;
}

export const httpAnswerCodes = {
  api_key_rejected: row<{ plugin: string }>({
    says: ({ plugin }) => `API key rejected — update it with \`fermix plugins auth set ${plugin}\``,
    fix: ({ plugin }) => `run \`fermix plugins auth set ${plugin}\``,
    exit: "needs_connecting",
  }),
  unauthorized: row<Call>({
    says: () => "401 unauthorized",
    fix: ({ plugin }) => `report it to the author of ${plugin}: the API wants a credential and the manifest names none`,
    exit: "failed",
  }),
  /** `held` is where the scope is given: at the sign-in, or to the key at the provider. */
  missing_scope: row<Call & { scopes: readonly string[]; held?: "key" }>({
    says: ({ plugin, scopes }) =>
      `${plugin} is missing a required scope (${scopes.length === 0 ? "the provider does not say which" : scopes.map(plain).join(", ")}).`,
    fix: ({ plugin, held }) =>
      held === "key"
        ? `add the scope to the app or key at the provider, then run \`fermix plugins auth set ${plugin}\``
        : `run \`fermix plugins auth reauthorize ${plugin}\` and grant it`,
    exit: "needs_connecting",
  }),
  permission_denied: row<Call & { auth: Auth; scopes: readonly string[]; body: string }>({
    says: ({ body, scopes }) =>
      withBody(`permission denied${scopes.length === 0 ? "" : ` (requires: ${scopes.join(", ")})`}.`, body),
    fix: ({ plugin, auth }) => {
      if (auth === "none") return "ask for something that needs no account";
      const renew = auth === "oauth2" ? "reauthorize" : "set";
      return `check what the connected account may do at the provider; with another account or wider rights: \`fermix plugins auth ${renew} ${plugin}\``;
    },
    exit: "failed",
  }),
  item_access_denied: row<Call>({
    says: () =>
      "The connected account has no access to that item; this is not a scope problem, and reconnecting does not help.",
    fix: () => "ask its owner for access, or use another item",
    exit: "failed",
  }),
  organizer_only: row<Call>({
    says: () => "Only the organizer of this event can change it.",
    fix: () => "ask the organizer, or change an event of the connected account",
    exit: "failed",
  }),
  /** Google's other refusals; `reason` is its own word for it. */
  google_refused: row<Call & { reason: string | undefined; body: string }>({
    says: ({ reason, body }) =>
      withBody(`provider_error: 403${reason === undefined ? "" : ` (${plain(reason)})`}.`, body),
    fix: ({ reason }) =>
      reason === "accessNotConfigured" || reason === "SERVICE_DISABLED"
        ? "switch this API on in the Google Cloud project of your OAuth client, then call again"
        : "check what the connected Google account may do",
    exit: "failed",
  }),
  rate_limited: row<Call & { by?: string | undefined; retryAfterSeconds?: number | undefined }>({
    says: ({ by, retryAfterSeconds }) =>
      `rate-limited${by === undefined ? "" : ` by ${by}`}${retryAfterSeconds === undefined ? "" : ` retry after ${retryAfterSeconds}s`}`,
    fix: ({ tool, retryAfterSeconds }) =>
      `wait ${retryAfterSeconds === undefined ? "a minute" : `${retryAfterSeconds} s`}, then call ${tool} again`,
    exit: "failed",
  }),
  provider_error: row<Unusable & { status: number; body: string; retryAfterSeconds?: number | undefined }>({
    says: ({ status, body }) => withBody(`provider error (${status}).`, body),
    fix: (details) =>
      checkFirst(
        details,
        details.retryAfterSeconds === undefined
          ? "try again later: the fault is the provider's"
          : `try again in ${details.retryAfterSeconds} s: the fault is the provider's`,
      ),
    exit: "failed",
  }),
  request_failed: row<Call & { status: number; body: string }>({
    says: ({ status, body }) => withBody(`request failed (${status}).`, body),
    fix: ({ status }) => statusFix(status),
    exit: "failed",
  }),
  /** A failure that came with a status of success; `reported` is the provider's own code for it. */
  provider_failed: row<Call & { status: number; reported: string; explained: string; hint?: string | undefined }>({
    says: ({ plugin, status, reported, explained }) =>
      withBody(
        `${plugin} answered ${status} and reports a failure: ${plain(reported)}${explained === "" ? "." : ":"}`,
        explained,
      ),
    fix: ({ hint }) => hint ?? ANSWER_FIX,
    exit: "failed",
  }),
  redirect_refused: row<Call & { status: number; location: string | undefined }>({
    says: ({ status, location }) =>
      `The API answered ${status} and points to ${
        location === undefined ? "an unstated location" : quote(location)
      }; plugin requests do not follow redirects, and the manifest must use the final URL.`,
    fix: ({ plugin }) => `check the arguments, or report the address to the author of ${plugin}`,
    exit: "refused",
  }),
  compressed_response_refused: row<Unusable & { encoding: string }>({
    says: ({ encoding }) => `response used content-encoding ${plain(encoding)}; expected identity`,
    fix: (call) => checkFirst(call, `report it to the author of ${call.plugin}: the API must answer uncompressed`),
    exit: "refused",
  }),
  response_too_large: row<Unusable & { limitBytes: number }>({
    says: ({ limitBytes }) => `response exceeds the ${limitBytes}-byte size cap (downloads belong on the mcp rail)`,
    fix: (call) => checkFirst(call, "ask for less: a smaller page, fewer fields, a narrower search"),
    exit: "failed",
  }),
  non_json_response: row<Unusable & { found: string }>({
    says: ({ found }) => `unexpected non-JSON response (${found})`,
    fix: (call) => checkFirst(call, "try again later; if it stays, report the address to the plugin's author"),
    exit: "failed",
  }),
  response_not_utf8: row<Unusable>({
    says: () => "The response holds bytes that are not UTF-8, so it is not JSON.",
    fix: (call) => checkFirst(call, `report it to the author of ${call.plugin}: JSON must be UTF-8`),
    exit: "failed",
  }),
  response_too_deep: row<Unusable & { limit: number }>({
    says: ({ limit }) => `The response nests in more than ${limit} levels.`,
    fix: (call) => checkFirst(call, "ask for less: fewer fields, or no nested objects"),
    exit: "failed",
  }),
  response_cut_short: row<Unusable & { receivedBytes: number; declaredBytes: number }>({
    says: ({ receivedBytes, declaredBytes }) =>
      `The response broke off after ${receivedBytes} of ${declaredBytes} bytes.`,
    fix: (call) => checkFirst(call, "try again"),
    exit: "failed",
  }),
} as const;
