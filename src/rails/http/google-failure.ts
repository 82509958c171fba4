/** Tells Google's 403s apart: a missing scope, an item out of reach, an organizer's right, a rate limit (spec 3.6, BUN-4). */
import { FermixError } from "../../kernel/error.ts";
import { isJsonObject, type JsonValue } from "../../kernel/json.ts";
import { type AnswerContext, callOf, scopeMissing } from "./answer-context.ts";
import type { ErrorBody } from "./error-text.ts";

/** A reason is one word; whoever answers controls its length. */
const MAX_REASON = 100;

type Class = "scope" | "item" | "organizer" | "rate";

/** Google's reasons, from the error pages of Drive, Calendar and Gmail and from google.api.ErrorReason. */
const CLASSES: Readonly<Record<string, Class>> = {
  ACCESS_TOKEN_SCOPE_INSUFFICIENT: "scope",
  insufficientPermissions: "scope",
  insufficientScopes: "scope",
  insufficientFilePermissions: "item",
  appNotAuthorizedToFile: "item",
  forbiddenForNonOrganizer: "organizer",
  rateLimitExceeded: "rate",
  userRateLimitExceeded: "rate",
  dailyLimitExceeded: "rate",
  quotaExceeded: "rate",
  sharingRateLimitExceeded: "rate",
  RATE_LIMIT_EXCEEDED: "rate",
};

/** What a 403 of Google means; `waitSeconds` is what its Retry-After says. */
export function googleForbidden(
  { json, text }: ErrorBody,
  context: AnswerContext,
  waitSeconds: number | undefined,
): FermixError {
  const reasons = reasonsOf(json);
  const known = reasons.find((reason) => Object.hasOwn(CLASSES, reason));
  const call = callOf(context);
  switch (known === undefined ? undefined : CLASSES[known]) {
    case "scope":
      return scopeMissing(context);
    case "item":
      return new FermixError("item_access_denied", call);
    case "organizer":
      return new FermixError("organizer_only", call);
    case "rate":
      return new FermixError("rate_limited", { ...call, by: "Google", retryAfterSeconds: waitSeconds });
    default:
      return new FermixError("google_refused", { ...call, reason: reasons[0], body: text });
  }
}

/** `error.details[].reason` first, then `error.errors[].reason`: the newer and the older shape, often both at once. */
function reasonsOf(json: JsonValue | undefined): readonly string[] {
  const error = isJsonObject(json) ? json["error"] : undefined;
  if (!isJsonObject(error)) return [];
  return [...reasonsIn(error["details"]), ...reasonsIn(error["errors"])];
}

function reasonsIn(list: JsonValue | undefined): readonly string[] {
  if (!Array.isArray(list)) return [];
  return list.flatMap((entry: JsonValue) => {
    const reason = isJsonObject(entry) ? entry["reason"] : undefined;
    return typeof reason === "string" && reason.length <= MAX_REASON ? [reason] : [];
  });
}
