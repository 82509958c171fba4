/** Puts the cursor of the next page into a request, where the template says that it goes (spec 3.4). */
import { FermixError } from "../../kernel/error.ts";
import { mayLoseDigits, parseKeepingDigits } from "../../kernel/exact-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../kernel/json.ts";
import type { Paginate } from "../../manifest/manifest.ts";
import type { ApiRequest } from "./api.ts";
import { bodyOf, withJsonType } from "./render-request.ts";
import { urlTextOf } from "./url-text.ts";

/**
 * The request of the page that the cursor stands for: in the query it takes the place of every parameter of that name,
 * in the body it is a member and keeps its own type. Throws request_unsound when the body cannot take it, and
 * argument_invalid for a cursor that no URL can carry.
 */
export function withCursor(
  request: ApiRequest,
  { cursorIn, cursorParam }: Pick<Paginate, "cursorIn" | "cursorParam">,
  cursor: JsonValue,
): ApiRequest {
  return cursorIn === "query" ? inQuery(request, cursorParam, cursor) : inBody(request, cursorParam, cursor);
}

function inQuery(request: ApiRequest, param: string, cursor: JsonValue): ApiRequest {
  const url = new URL(request.url);
  const pairs = url.search
    .slice(1)
    .split("&")
    .filter((pair) => pair !== "" && keyOf(pair) !== param);
  url.search = [...pairs, `${encodeURIComponent(param)}=${urlTextOf(cursor, param)}`].join("&");
  return { ...request, url: url.href };
}

/** As servers read it; the template's author may have written the pair, with whatever escapes. */
function keyOf(pair: string): string | undefined {
  return new URLSearchParams(pair).keys().next().value;
}

function inBody(request: ApiRequest, param: string, cursor: JsonValue): ApiRequest {
  const body = bodyOf(request.method, { ...objectIn(request.body), [param]: cursor });
  return { ...request, headers: withJsonType(request.headers), ...(body === undefined ? {} : { body }) };
}

/** The members of a body that `renderRequest` wrote, every digit kept. */
function objectIn(body: ApiRequest["body"]): JsonObject {
  if (body === undefined) return {};
  if (typeof body === "string") {
    const value: unknown = mayLoseDigits(body) ? parseKeepingDigits(body) : JSON.parse(body);
    if (isJsonObject(value)) return value;
  }
  throw new FermixError("request_unsound", { reason: "the body is no object to put a cursor in" });
}
