/** Requests to Google's JSON APIs: an address template filled in, a JSON body, and the statuses that mean success. */
import type { JsonValue } from "../../../kernel/json.ts";
import type { ApiRequest, Arguments } from "../api.ts";
import { renderUrl } from "../render-url.ts";

/** Writes of the trio succeed with any of these (spec 11). */
const WRITTEN = [200, 201, 204];

/** A request that reads. Throws what `renderUrl` throws: an argument that is missing or cannot be part of an address. */
export function getJson(address: string, args: Arguments): ApiRequest {
  return { method: "GET", url: renderUrl(address, args).href, headers: {}, success: [200] };
}

/** A request that writes JSON. Throws what `renderUrl` throws. */
export function sendJson(
  method: "POST" | "PATCH",
  address: string,
  args: Arguments,
  body: JsonValue,
  headers: Readonly<Record<string, string>> = {},
): ApiRequest {
  return {
    method,
    url: renderUrl(address, args).href,
    headers: { ...headers, "content-type": "application/json" },
    body: JSON.stringify(body),
    success: WRITTEN,
  };
}

/** A request that writes something else than JSON to a fixed address. */
export function sendBytes(url: string, contentType: string, body: Uint8Array): ApiRequest {
  return { method: "POST", url, headers: { "content-type": contentType }, body, success: WRITTEN };
}
