/** Judges a provider's answer: JSON of a bounded size with a status of success, or the refusal that an agent can act on. */
import type { GuardedReply } from "../../egress/guarded-fetch.ts";
import { readCapped } from "../../egress/read-capped.ts";
import { FermixError } from "../../kernel/error.ts";
import type { JsonValue } from "../../kernel/json.ts";
import { type AnswerContext, unusable } from "./answer-context.ts";
import type { ApiReply, ApiRequest } from "./api.ts";
import { statusFailure } from "./classify.ts";
import { shownText } from "./error-text.ts";
import { parseJsonBody, typeProblem } from "./json-body.ts";
import { providerFailure } from "./provider-failure.ts";

/** The provider controls the length (spec 3.3). */
const MAX_REPLY_BYTES = 5 * 1024 * 1024;

/** The name of an encoding is a word; whoever answers controls its length. */
const MAX_ENCODING = 40;

/** These have no body by definition, whatever their headers say. */
const BODILESS: ReadonlySet<number> = new Set([204, 205]);

/**
 * The answer as data (spec 3.3, 3.6; DECISIONS 18). Throws the FermixError that the agent reads: a status that is no
 * success, a redirect, a compressed, oversized, cut, non-JSON or too deeply nested body, a failure reported inside a
 * success; a 401 is reauthorization_required, api_key_rejected or unauthorized. However it ends, the body is read to
 * its end or cancelled, so that the host's slot is free.
 */
export async function readReply(reply: GuardedReply, request: ApiRequest, context: AnswerContext): Promise<ApiReply> {
  const { status } = reply;
  const isRedirect = status >= 300 && status < 400;
  if (isRedirect || !request.success.includes(status)) throw await statusFailure(reply, request, context);
  const bytes = await readBody(reply, request, context);
  const body: JsonValue = bytes.byteLength === 0 ? {} : parseJsonBody(bytes, request, context);
  const failure = providerFailure(reply, request, body, context);
  if (failure !== undefined) throw failure;
  return { status, body, bytes: bytes.byteLength };
}

async function readBody(reply: GuardedReply, request: ApiRequest, context: AnswerContext): Promise<Uint8Array> {
  const { status, headers, body } = reply;
  if (BODILESS.has(status)) {
    body?.cancel().catch(() => undefined);
    return new Uint8Array(0);
  }
  // A body that says it is no JSON may only be empty.
  const problem = typeProblem(headers, request, context);
  const limit = problem === undefined ? MAX_REPLY_BYTES : 0;
  const tooLarge = (): FermixError =>
    problem ?? new FermixError("response_too_large", { ...unusable(request, context), limitBytes: MAX_REPLY_BYTES });
  const refusal =
    compressed(headers, request, context) ?? ((declaredLength(headers) ?? 0) > limit ? tooLarge() : undefined);
  if (refusal !== undefined) {
    body?.cancel().catch(() => undefined);
    throw refusal;
  }
  const bytes = await readCapped(body, limit, tooLarge);
  assertWhole(headers, bytes.byteLength, request, context);
  return bytes;
}

/** What was asked for is identity; a compressed body could inflate past every cap. */
function compressed(headers: Headers, request: ApiRequest, context: AnswerContext): FermixError | undefined {
  const encoding = headers.get("content-encoding")?.trim().toLowerCase();
  if (encoding === undefined || encoding === "identity") return undefined;
  return new FermixError("compressed_response_refused", {
    ...unusable(request, context),
    encoding: shownText(encoding, true, context.mask, MAX_ENCODING),
  });
}

/** Bun gives an error where a body breaks off; a proxy or another transport may just end it. */
function assertWhole(headers: Headers, receivedBytes: number, request: ApiRequest, context: AnswerContext): void {
  const declaredBytes = declaredLength(headers);
  if (declaredBytes === undefined || receivedBytes >= declaredBytes) return;
  throw new FermixError("response_cut_short", { ...unusable(request, context), receivedBytes, declaredBytes });
}

/** What Content-Length says; a chunked body's length is its own, whatever that header says (RFC 9112 6.3). */
function declaredLength(headers: Headers): number | undefined {
  const length = headers.get("content-length");
  if (length === null || !/^\d+$/.test(length) || headers.has("transfer-encoding")) return undefined;
  return Number(length);
}
