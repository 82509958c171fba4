/** Follows a listing page by page, within bounds, and says how to go on where they end it (spec 3.4, DECISIONS 19). */
import { isFermixError } from "../../kernel/error.ts";
import { rawDigits } from "../../kernel/exact-json.ts";
import type { JsonObject, JsonValue } from "../../kernel/json.ts";
import type { Paginate } from "../../manifest/manifest.ts";
import { MAX_RESULT_MESSAGE_BYTES } from "../rail.ts";
import type { ApiRequest, Ask } from "./api.ts";
import { cursorFromText, cursorText } from "./cursor-text.ts";
import { keepFields, memberOf, valueAt } from "./extract.ts";
import { withCursor } from "./with-cursor.ts";

/** The provider controls how much a page holds; looked at between pages. */
const MAX_LISTING_BYTES = 10 * 1024 * 1024;
/** What all items may be together as the agent gets them; the rest of the message has room beside them. */
const MAX_ITEMS_BYTES = MAX_RESULT_MESSAGE_BYTES - 256 * 1024;
/** A template's own `success` is for single answers (spec 3.3). */
const PAGE_SUCCESS = [200, 201];

interface ListingOptions {
  /** Where to begin: the `next_cursor` of an earlier answer. */
  readonly firstCursor?: string;
  /** Told after each page: its number, and the items so far. */
  readonly onPage?: (page: number, items: number) => void;
}

/** How a page says what comes after it. */
type Next =
  | { readonly kind: "end" }
  /** There is more, and nothing that leads to it. */
  | { readonly kind: "lost" }
  | { readonly kind: "cursor"; readonly cursor: string; readonly native: JsonValue };

/**
 * `{items, truncated}` of all pages together; with `next_cursor` when more is there that a further call can get. The
 * listing ends at an empty cursor, after `maxPages` pages, at 10 MiB of bodies, before the page with which it would no
 * longer fit into a message to an agent, or at a cursor that was used before.
 * A later page that fails gives what came before it, with the failure as `stopped_by` and its cursor as `next_cursor`.
 * Throws what `ask` throws for the first page, and a given-up call always.
 */
export async function listPages(
  request: ApiRequest,
  paginate: Paginate,
  ask: Ask,
  { firstCursor, onPage }: ListingOptions,
): Promise<JsonObject> {
  const first: ApiRequest = { ...request, success: PAGE_SUCCESS };
  const used = new Set<string>();
  const items: JsonValue[] = [];
  let cursor = firstCursor;
  let native = firstCursor === undefined ? undefined : cursorFromText(firstCursor, paginate.cursorIn);
  let bytes = 0;
  let itemsBytes = 0;
  for (let page = 1; ; page += 1) {
    if (cursor !== undefined) used.add(cursor);
    let body: JsonValue;
    try {
      const reply = await ask(native === undefined ? first : withCursor(first, paginate, native));
      body = reply.body;
      bytes += reply.bytes;
    } catch (error) {
      if (page === 1 || !isFermixError(error) || error.code === "call_cancelled") throw error;
      return {
        ...result(items, true, cursor),
        stopped_by: { code: error.code, message: error.message, fix: error.fix },
      };
    }
    const found = itemsOf(body, paginate);
    const picked = found.map((item) => pick(item, paginate.fields));
    itemsBytes += bytesInMessage(picked);
    if (page > 1 && itemsBytes > MAX_ITEMS_BYTES) return result(items, true, cursor);
    const next = nextOf(body, found, paginate);
    const isRepeated = next.kind === "cursor" && used.has(next.cursor);
    // A window that did not move shows the same items again.
    if (!isRepeated || paginate.mode === "cursor") {
      // One by one: a page of 5 MiB may hold more items than one call takes arguments.
      for (const item of picked) items.push(item);
    }
    onPage?.(page, items.length);
    if (next.kind === "end") return result(items, false);
    if (next.kind === "lost" || isRepeated) return result(items, true);
    if (page >= paginate.maxPages || bytes >= MAX_LISTING_BYTES) return result(items, true, next.cursor);
    ({ cursor, native } = next);
  }
}

function result(items: readonly JsonValue[], truncated: boolean, nextCursor?: string): JsonObject {
  return { items, truncated, ...(nextCursor === undefined ? {} : { next_cursor: nextCursor }) };
}

/** As JSON inside the text of a result, where each quote takes a backslash of its own. */
function bytesInMessage(value: JsonValue): number {
  return Buffer.byteLength(JSON.stringify(JSON.stringify(value)));
}

/** The value at `items_path`, or the whole body, as a list. */
function itemsOf(body: JsonValue, { itemsPath }: Paginate): readonly JsonValue[] {
  const value = itemsPath === undefined ? body : valueAt(body, itemsPath);
  if (value === null) return [];
  return Array.isArray(value) ? value : [value];
}

function nextOf(body: JsonValue, items: readonly JsonValue[], paginate: Paginate): Next {
  const { mode, cursorPath, idField, cursorIn } = paginate;
  if (mode === "id_window") return nextFrom(memberOf(items.at(-1) ?? null, idField), cursorIn);
  return nextFrom(cursorPath === undefined ? null : valueAt(body, cursorPath), cursorIn);
}

/** Null, absent, false and the empty text end a listing: Slack's last page has `""`. */
function nextFrom(value: JsonValue, place: Paginate["cursorIn"]): Next {
  if (isNothing(value) || (Array.isArray(value) && value.every(isNothing))) return { kind: "end" };
  const leads = typeof value === "string" || typeof value === "number" || rawDigits(value) !== undefined;
  return leads ? { kind: "cursor", cursor: cursorText(value, place), native: value } : { kind: "lost" };
}

function isNothing(value: JsonValue): boolean {
  return value === null || value === "" || value === false;
}

/** An item that is an object keeps these fields; a list among the items is no list of them. */
function pick(item: JsonValue, fields: readonly string[]): JsonValue {
  return Array.isArray(item) ? item : keepFields(item, fields);
}
