/** Turns the bytes of an answer into JSON whose numbers keep their digits, or refuses them by what they are. */

import { plain } from "../../kernel/codes/row.ts";
import { FermixError } from "../../kernel/error.ts";
import { mayLoseDigits, parseKeepingDigits } from "../../kernel/exact-json.ts";
import type { JsonValue } from "../../kernel/json.ts";
import { MAX_MESSAGE_DEPTH, nestsDeeper } from "../../kernel/json-depth.ts";
import { type AnswerContext, unusable } from "./answer-context.ts";
import type { ApiRequest } from "./api.ts";
import { shownText } from "./error-text.ts";

/** A content type is a few words; whoever answers controls its length. */
const MAX_TYPE = 100;

/** The refusal of a content type that is not JSON's; undefined for JSON's (spec 3.3). */
export function typeProblem(headers: Headers, request: ApiRequest, context: AnswerContext): FermixError | undefined {
  const type = headers.get("content-type");
  if (isJsonType(type)) return undefined;
  const found =
    type === null ? "no content-type" : `content-type ${plain(shownText(type, true, context.mask, MAX_TYPE))}`;
  return new FermixError("non_json_response", { ...unusable(request, context), found });
}

/** `application/json` and every type with the suffix `+json`; what else a type may say about itself is ignored. */
function isJsonType(type: string | null): boolean {
  const essence = (type ?? "").toLowerCase();
  return essence.includes("application/json") || essence.includes("+json");
}

/** The value in these bytes. Throws response_not_utf8, non_json_response or response_too_deep. */
export function parseJsonBody(bytes: Uint8Array, request: ApiRequest, context: AnswerContext): JsonValue {
  const facts = unusable(request, context);
  const text = decoded(bytes);
  if (text === undefined) throw new FermixError("response_not_utf8", facts);
  const value = parsed(text);
  if (value === undefined) {
    const found = /^\s*</.test(text) ? "HTML that says it is application/json" : "text that does not parse as JSON";
    throw new FermixError("non_json_response", { ...facts, found });
  }
  // A reviver runs out of stack on what JSON.parse alone takes, so depth is judged before digits are kept.
  if (nestsDeeper(value, MAX_MESSAGE_DEPTH)) {
    throw new FermixError("response_too_deep", { ...facts, limit: MAX_MESSAGE_DEPTH });
  }
  return mayLoseDigits(text) ? (parseKeepingDigits(text) as JsonValue) : value;
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

function parsed(text: string): JsonValue | undefined {
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
