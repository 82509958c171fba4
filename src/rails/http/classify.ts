/** Decides what an answer whose status is no success means, in the order and the words of spec 3.6. */
import type { GuardedReply } from "../../egress/guarded-fetch.ts";
import { FermixError } from "../../kernel/error.ts";
import { isJsonObject, type JsonValue } from "../../kernel/json.ts";
import { type AnswerContext, callOf, credentialRejected, unusable } from "./answer-context.ts";
import type { ApiRequest } from "./api.ts";
import { type ErrorBody, readErrorBody, shownText } from "./error-text.ts";
import { googleForbidden } from "./google-failure.ts";
import { isUsedUp, retryAfterSeconds } from "./retry-after.ts";

/**
 * The refusal that this status means. Reads the body, bounded, where the message shows or needs it; otherwise cancels
 * it, which frees the host's slot. Throws the caller's abort reason when the call is given up meanwhile.
 */
export async function statusFailure(
  reply: GuardedReply,
  request: ApiRequest,
  context: AnswerContext,
): Promise<FermixError> {
  const { status, headers } = reply;
  const wait = retryAfterSeconds(headers, context.now());
  if (status >= 300 && status < 400) return unread(reply, redirected(reply, context));
  if (status === 401) return unread(reply, credentialRejected(context));
  if (status === 429)
    return unread(reply, new FermixError("rate_limited", { ...callOf(context), retryAfterSeconds: wait }));
  const body = await readErrorBody(reply, context.mask);
  if (status === 403) return forbidden(reply, body, context, wait);
  if (status >= 500) {
    const details = { ...unusable(request, context), status, body: body.text, retryAfterSeconds: wait };
    return new FermixError("provider_error", details);
  }
  return new FermixError("request_failed", { ...callOf(context), status, body: body.text });
}

function unread({ body }: GuardedReply, refusal: FermixError): FermixError {
  body?.cancel().catch(() => undefined);
  return refusal;
}

function redirected({ status, headers }: GuardedReply, context: AnswerContext): FermixError {
  const location = headers.get("location");
  return new FermixError("redirect_refused", {
    ...callOf(context),
    status,
    location: location === null ? undefined : shownText(location, true, context.mask),
  });
}

function forbidden(
  reply: GuardedReply,
  body: ErrorBody,
  context: AnswerContext,
  wait: number | undefined,
): FermixError {
  const { auth, requiresScopes } = context;
  if (auth.type === "oauth2" && auth.provider === "google") return googleForbidden(body, context, wait);
  if (isRateLimit(reply.headers, body.json)) {
    return new FermixError("rate_limited", { ...callOf(context), retryAfterSeconds: wait });
  }
  return new FermixError("permission_denied", {
    ...callOf(context),
    auth: auth.type,
    scopes: requiresScopes,
    body: body.text,
  });
}

/**
 * GitHub answers 403 for its rate limits: with Retry-After, with nothing left of the budget, or, for a secondary
 * limit, with neither and only its message ("Rate limits for the REST API" in its documentation).
 */
function isRateLimit(headers: Headers, json: JsonValue | undefined): boolean {
  if (headers.has("retry-after")) return true;
  const remaining = headers.get("x-ratelimit-remaining");
  if (remaining !== null && isUsedUp(remaining)) return true;
  const message = isJsonObject(json) ? json["message"] : undefined;
  return typeof message === "string" && /\brate limit\b/i.test(message);
}
