/** Reads a tool's `request`: the template of one HTTP call, checked as far as it can be before a call (spec 1.6, HTTP-1). */

import * as v from "valibot";
import type { JsonObject, JsonValue } from "../kernel/json.ts";
import { isJsonObject } from "../kernel/json.ts";
import type { RequestTemplate } from "./manifest.ts";
import { fieldNames, pathExpression, readPaginate } from "./paginate.ts";
import { hasControl, jsonObject, objectOr, oneOf, text, wholeNumber } from "./parts.ts";
import { below, type Place } from "./place.ts";
import { eachBracedText, fillPlaceholders, placeholdersIn } from "./placeholders.ts";
import type { Problems } from "./problems.ts";
import type { Reading } from "./reading.ts";
import { checkTemplateUrl } from "./request-url.ts";

const METHODS = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const;
const DEFAULT_SUCCESS: readonly number[] = [200];

const fields = {
  method: v.optional(v.pipe(v.string(), v.toUpperCase(), v.picklist(METHODS, "invalid_method")), "GET"),
  url: v.optional(text),
  regional_urls: v.optional(objectOr("invalid_regional_urls")),
  query: v.optional(jsonObject, {}),
  headers: v.optional(jsonObject, {}),
  body: v.optional(v.custom<JsonValue>((value) => value !== null, "wrong_type")),
  success: v.optional(
    v.pipe(v.array(wholeNumber(100, 599, "invalid_success"), "invalid_success"), v.minLength(1, "invalid_success")),
    [...DEFAULT_SUCCESS],
  ),
  extract: v.optional(jsonObject),
  paginate: v.optional(jsonObject),
  query_style: v.optional(oneOf(["repeat", "comma", "bracket"], "wrong_type"), "repeat"),
  query_empty: v.optional(oneOf(["omit", "send"], "wrong_type"), "omit"),
  ok_field: v.optional(pathExpression),
};
const KEYS: ReadonlySet<string> = new Set(Object.keys(fields));
const extractFields = { path: v.optional(pathExpression), fields: v.optional(fieldNames, []) };
const EXTRACT_KEYS: ReadonlySet<string> = new Set(Object.keys(extractFields));
const REGION = /^[a-z][a-z0-9_-]{0,31}$/;
const HEADER_NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}$/;
/** A header's characters are single bytes (RFC 9110 5.5). */
const UNSENDABLE = /[^\u0000-\u00ff]/;
/** Fermix writes these itself: who is called, how the body is framed, and who is calling (spec 1.6). */
const RESERVED_HEADERS: ReadonlySet<string> = new Set([
  "authorization",
  "host",
  "content-length",
  "transfer-encoding",
  "connection",
]);

export interface RequestContext {
  readonly path: Place;
  /** The tool's parameters, whose properties are what placeholders may name; undefined when they are unsound. */
  readonly parameters: JsonObject | undefined;
  /** The header that carries the credential. */
  readonly authHeader: string | undefined;
}

/** The template; undefined when a rule was broken. Keys outside the set are refused (DECISIONS 8). */
export function readRequest(reading: Reading, raw: JsonObject, context: RequestContext): RequestTemplate | undefined {
  const { problems } = reading;
  const { path } = context;
  problems.closed(raw, path, KEYS);
  const read = problems.fields(raw, path, fields);
  const regionalUrls = readRegionalUrls(problems, read.regional_urls, below(path, "regional_urls"));
  const url = readUrl(problems, raw, read.url, regionalUrls, path);
  checkQuery(problems, read.query, below(path, "query"));
  const headers = readHeaders(problems, read.headers, context);
  checkPlaceholders(problems, raw, context);
  const extract = readExtract(problems, read.extract, below(path, "extract"));
  const paginate = readPaginate(reading, read.paginate, below(path, "paginate"));
  if (paginate?.cursorIn === "body" && read.body !== undefined && !isJsonObject(read.body)) {
    problems.add(
      below(below(path, "paginate"), "cursor_in"),
      "invalid_paginate",
      "the body is no object to put a cursor in",
    );
  }
  warnOfUnsendable(problems, raw, { method: read.method, paginate }, path);
  const { method, query, success, query_style, query_empty } = read;
  if (url === undefined || method === undefined || query === undefined || success === undefined) return undefined;
  if (headers === undefined || query_style === undefined || query_empty === undefined) return undefined;
  return {
    method,
    url,
    regionalUrls,
    query: query as Readonly<Record<string, JsonValue>>,
    headers,
    body: read.body,
    success,
    extract,
    paginate,
    queryStyle: query_style,
    queryEmpty: query_empty,
    okField: read.ok_field,
  };
}

/** What loads and no call can ever send: an author should hear of it before an agent does. */
function warnOfUnsendable(
  problems: Problems,
  raw: JsonObject,
  read: {
    readonly method: RequestTemplate["method"] | undefined;
    readonly paginate: RequestTemplate["paginate"];
  },
  path: Place,
): void {
  for (const key of ["url", "regional_urls"]) {
    eachBracedText(raw[key], below(path, key), (address, at) => {
      if (/[{}]/.test(fillPlaceholders(address, () => ""))) problems.warn(at, "braces_in_url");
    });
  }
  if (read.method !== "GET") return;
  const { body } = raw;
  if (body !== undefined && !(isJsonObject(body) && Object.keys(body).length === 0)) {
    problems.warn(below(path, "body"), "body_of_get");
  }
  if (read.paginate?.cursorIn === "body") problems.warn(below(below(path, "paginate"), "cursor_in"), "body_of_get");
}

/** The address, or that of the first region by name when only those are given. */
function readUrl(
  problems: Problems,
  raw: JsonObject,
  url: string | undefined,
  regional: Readonly<Record<string, string>> | undefined,
  path: Place,
): string | undefined {
  if (url !== undefined) return checkTemplateUrl(problems, url, below(path, "url")) ? url : undefined;
  if (Object.hasOwn(raw, "url")) return undefined;
  if (!Object.hasOwn(raw, "regional_urls")) problems.add(below(path, "url"), "missing_required");
  const first = Object.keys(regional ?? {}).sort()[0];
  return first === undefined ? undefined : regional?.[first];
}

function readRegionalUrls(
  problems: Problems,
  raw: JsonObject | undefined,
  path: Place,
): Readonly<Record<string, string>> | undefined {
  if (raw === undefined) return undefined;
  const urls: [string, string][] = [];
  const regions = Object.keys(raw);
  if (regions.length === 0) problems.add(path, "invalid_regional_urls");
  for (const region of regions) {
    const at = below(path, region);
    if (!REGION.test(region))
      problems.add(at, "invalid_regional_urls", "a region is lower-case letters, digits, _ and -");
    const url = problems.value(raw[region], at, text);
    if (url !== undefined && checkTemplateUrl(problems, url, at)) urls.push([region, url]);
  }
  return urls.length === regions.length && urls.length > 0 ? Object.fromEntries(urls) : undefined;
}

function checkQuery(problems: Problems, query: JsonObject | undefined, path: Place): void {
  if (query === undefined) return;
  for (const key of Object.keys(query)) {
    if (typeof query[key] === "object") problems.add(below(path, key), "invalid_query_value");
  }
}

function readHeaders(
  problems: Problems,
  raw: JsonObject | undefined,
  { path, authHeader }: RequestContext,
): Readonly<Record<string, string>> | undefined {
  if (raw === undefined) return undefined;
  const headers: [string, string][] = [];
  const seen = new Set<string>();
  for (const name of Object.keys(raw)) {
    const at = below(below(path, "headers"), name);
    const lower = name.toLowerCase();
    if (!HEADER_NAME.test(name)) problems.add(at, "invalid_header");
    else if (RESERVED_HEADERS.has(lower) || lower === authHeader?.toLowerCase()) problems.add(at, "reserved_header");
    else if (seen.has(lower)) problems.add(at, "duplicate_header");
    seen.add(lower);
    const value = problems.value(raw[name], at, text);
    if (value === undefined) continue;
    if (hasControl(value)) problems.add(at, "invalid_header");
    else if (UNSENDABLE.test(value)) problems.add(at, "invalid_header", "a header carries no character past U+00FF");
    if (placeholdersIn(value).length > 0) problems.add(at, "placeholder_in_header");
    headers.push([name, value]);
  }
  return Object.fromEntries(headers);
}

function readExtract(problems: Problems, raw: JsonObject | undefined, path: Place): RequestTemplate["extract"] {
  if (raw === undefined) return undefined;
  problems.closed(raw, path, EXTRACT_KEYS);
  const read = problems.fields(raw, path, extractFields);
  return { path: read.path, fields: read.fields ?? [] };
}

/** Every placeholder of url, query and body must be a declared property, and nothing may be left to another engine. */
function checkPlaceholders(problems: Problems, raw: JsonObject, { path, parameters }: RequestContext): void {
  const declared = isJsonObject(parameters?.["properties"]) ? parameters["properties"] : {};
  for (const key of ["url", "regional_urls", "query", "headers", "body"]) {
    eachBracedText(raw[key], below(path, key), (value, at) => {
      if (value.includes("${")) problems.add(at, "unsubstituted_placeholder");
      // Without sound parameters every placeholder would look undeclared; that problem is already noted.
      if (key === "headers" || parameters === undefined) return;
      for (const name of placeholdersIn(value)) {
        if (!Object.hasOwn(declared, name)) problems.add(at, "undeclared_placeholder", `it is {${name}}`);
      }
    });
  }
}
