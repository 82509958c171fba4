/** Decides whether an answer with a status of success reports a failure, by the table of hosts and by `ok_field` (DECISIONS 18, 20). */
import type { GuardedReply } from "../../egress/guarded-fetch.ts";
import { FermixError } from "../../kernel/error.ts";
import type { JsonValue } from "../../kernel/json.ts";
import { type AnswerContext, callOf, credentialRejected, scopeMissing } from "./answer-context.ts";
import type { ApiRequest } from "./api.ts";
import { shownText } from "./error-text.ts";
import { valueAt } from "./extract.ts";
import { type InsideFailure, insideFailure, text } from "./inside-failure.ts";
import { retryAfterSeconds } from "./retry-after.ts";

/** A provider's code for a failure, and a scope's name, are words; it controls their length and number. */
const MAX_WORD = 200;
const MAX_SCOPES = 20;

/** Where providers put the code of a failure; the first that holds a word or a number is named. */
const CODE_PATHS = ["error.code", "error.type", "error", "code", "error_code", "errcode", "errors[*].code", "status"];

/** The refusal that the body means; undefined when it is the success that its status says. */
export function providerFailure(
  reply: Pick<GuardedReply, "url" | "status" | "headers">,
  request: ApiRequest,
  body: JsonValue,
  context: AnswerContext,
): FermixError | undefined {
  const failure = insideFailure(reply.url, body) ?? okFieldFailure(request.okField, body);
  return failure && asError(failure, reply, context);
}

function okFieldFailure(okField: string | undefined, body: JsonValue): InsideFailure | undefined {
  if (okField === undefined || valueAt(body, okField) === true) return undefined;
  const codes = CODE_PATHS.map((path) => valueAt(body, path)).map((value) =>
    text(Array.isArray(value) ? value[0] : value),
  );
  const reported = codes.find((code) => code !== "") ?? `${okField} is not true`;
  return { kind: "failed", reported, explained: JSON.stringify(body) };
}

function asError(
  failure: InsideFailure,
  { status, headers }: Pick<GuardedReply, "status" | "headers">,
  context: AnswerContext,
): FermixError {
  const word = (from: string): string => shownText(from, true, context.mask, MAX_WORD);
  switch (failure.kind) {
    case "credential":
      return credentialRejected(context);
    case "scope": {
      const named = failure.scopes.slice(0, MAX_SCOPES).map(word);
      return scopeMissing(context, named.length === 0 ? undefined : named);
    }
    case "rate_limited":
      return new FermixError("rate_limited", {
        ...callOf(context),
        retryAfterSeconds: retryAfterSeconds(headers, context.now()),
      });
    case "failed":
      return new FermixError("provider_failed", {
        ...callOf(context),
        status,
        reported: word(failure.reported),
        explained: shownText(failure.explained, true, context.mask),
        hint: failure.hint,
      });
  }
}
