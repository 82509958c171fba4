/** Reads `request.paginate`: how a listing is followed page by page (spec 3.4). */

import * as v from "valibot";
import type { JsonValue } from "../kernel/json.ts";
import type { Paginate } from "./manifest.ts";
import { jsonObject, nonBlank, oneOf, texts, textThat, wholeNumber } from "./parts.ts";
import { below, type Place } from "./place.ts";
import type { Reading } from "./reading.ts";

const DEFAULT_PAGES = 10;
/** A listing is never followed further, whatever its author asks for. */
const MAX_PAGES = 50;

/** Each key of a path is one walk over all of an answer. */
const MAX_KEYS = 32;
const SEGMENT = /^(?:[^.[\]]+(?:\[\*\])?|\[\*\])$/;
/** `a.b[*].c`, the grammar of spec 3.5. */
export const pathExpression = textThat((path) => {
  const segments = path.split(".");
  return segments.length <= MAX_KEYS && segments.every((segment) => SEGMENT.test(segment));
}, "invalid_path_expression");

/** Each is looked for in every item of an answer. */
const MAX_FIELDS = 256;
export const fieldNames = v.pipe(texts, v.maxLength(MAX_FIELDS, "too_many_fields"));

const fields = {
  mode: v.optional(oneOf(["cursor", "id_window"], "invalid_paginate"), "cursor"),
  items_path: v.optional(pathExpression),
  cursor_path: v.optional(pathExpression),
  id_field: v.optional(nonBlank, "id"),
  cursor_param: nonBlank,
  cursor_in: v.optional(oneOf(["query", "body"], "invalid_paginate"), "query"),
  max_pages: v.optional(wholeNumber(1, Number.MAX_SAFE_INTEGER, "invalid_paginate"), DEFAULT_PAGES),
  fields: v.optional(fieldNames, []),
};
const KEYS: ReadonlySet<string> = new Set(Object.keys(fields));

/** The paging rule; `max_pages` above the cap is cut to it with a warning. Undefined when absent or broken. */
export function readPaginate(reading: Reading, raw: JsonValue | undefined, path: Place): Paginate | undefined {
  if (raw === undefined) return undefined;
  const { problems } = reading;
  const object = problems.value(raw, path, jsonObject);
  if (object === undefined) return undefined;
  problems.closed(object, path, KEYS);
  const read = problems.fields(object, path, fields);
  const { mode, id_field, cursor_param, cursor_in, max_pages } = read;
  if (mode === "cursor" && !Object.hasOwn(object, "cursor_path")) {
    problems.add(below(path, "cursor_path"), "missing_required", "the cursor mode reads the next cursor there");
  }
  if (mode === undefined || id_field === undefined || cursor_param === undefined) return undefined;
  if (cursor_in === undefined || max_pages === undefined || read.fields === undefined) return undefined;
  if (max_pages > MAX_PAGES) {
    problems.warn(below(path, "max_pages"), "invalid_paginate", `${MAX_PAGES} pages are the most that are followed`);
  }
  return {
    mode,
    itemsPath: read.items_path,
    cursorPath: read.cursor_path,
    idField: id_field,
    cursorParam: cursor_param,
    cursorIn: cursor_in,
    maxPages: Math.min(max_pages, MAX_PAGES),
    fields: read.fields,
  };
}
