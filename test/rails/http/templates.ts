/** Request templates for tests: the grammar's defaults, with what a test is about changed. */
import type { JsonValue } from "../../../src/kernel/json.ts";
import type { RequestTemplate } from "../../../src/manifest/manifest.ts";
import type { Arguments } from "../../../src/rails/http/api.ts";

/** A GET of https://api.example.com/v1/items, unless said otherwise. */
export function template(changed: Partial<RequestTemplate> = {}): RequestTemplate {
  return {
    method: "GET",
    url: "https://api.example.com/v1/items",
    regionalUrls: undefined,
    query: {},
    headers: {},
    body: undefined,
    success: [200],
    extract: undefined,
    paginate: undefined,
    queryStyle: "repeat",
    queryEmpty: "omit",
    okField: undefined,
    ...changed,
  };
}

export function args(given: Readonly<Record<string, JsonValue>>): Arguments {
  return new Map(Object.entries(given));
}
