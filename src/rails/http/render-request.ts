/** Makes one request to a provider out of a tool's template and a call's arguments: pure, and without the credential. */
import { FermixError } from "../../kernel/error.ts";
import { isJsonObject, type JsonValue } from "../../kernel/json.ts";
import type { RequestTemplate } from "../../manifest/manifest.ts";
import type { ApiRequest, Arguments } from "./api.ts";
import { renderBody } from "./render-body.ts";
import { renderQuery } from "./render-query.ts";
import { renderUrl } from "./render-url.ts";
import { assertBounded } from "./request-size.ts";

/**
 * The request (spec 1.6, DECISIONS 20). `url` replaces the template's address: that of the account's region. Headers
 * are the template's, which holds no placeholder there; a body is JSON and says so unless the template does. Throws
 * what `render-url.ts` and `render-query.ts` throw, request_too_large, and request_unsound for a GET that would have to
 * carry a body.
 */
export function renderRequest(
  template: RequestTemplate,
  args: Arguments,
  options: { readonly url?: string } = {},
): ApiRequest {
  const address = options.url ?? template.url;
  assertBounded([address, template.query, template.body ?? null], args);
  const url = renderUrl(address, args);
  url.search = joined(url.search.slice(1), renderQuery(template, args));
  const body = template.body === undefined ? undefined : bodyOf(template.method, renderBody(template.body, args));
  return {
    method: template.method,
    url: url.href,
    headers: body === undefined ? template.headers : withJsonType(template.headers),
    ...(body === undefined ? {} : { body }),
    success: template.success,
    ...(template.okField === undefined ? {} : { okField: template.okField }),
  };
}

/** A GET has no body that a server must read (RFC 9110 9.3.1), so one that says something is never dropped silently. */
export function bodyOf(method: ApiRequest["method"], body: JsonValue): string | undefined {
  if (method !== "GET") return JSON.stringify(body);
  if (isJsonObject(body) && Object.keys(body).length === 0) return undefined;
  throw new FermixError("request_unsound", { reason: "the template gives a GET a body" });
}

/** The headers with `content-type: application/json`, unless they name a type of their own. */
export function withJsonType(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const named = Object.keys(headers).some((name) => name.toLowerCase() === "content-type");
  return named ? headers : { ...headers, "content-type": "application/json" };
}

function joined(...queries: readonly string[]): string {
  return queries.filter((query) => query !== "").join("&");
}
