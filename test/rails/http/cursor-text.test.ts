/** A listing that goes on through an agent asks with the cursor that the provider gave, of the type it gave. */
import { expect, test } from "bun:test";
import { parseKeepingDigits } from "../../../src/kernel/exact-json.ts";
import type { JsonValue } from "../../../src/kernel/json.ts";
import type { Paginate } from "../../../src/manifest/manifest.ts";
import type { ApiRequest } from "../../../src/rails/http/api.ts";
import { listPages } from "../../../src/rails/http/paginate.ts";
import { request } from "./answers.ts";

const BODY: Paginate = {
  mode: "cursor",
  itemsPath: "items",
  cursorPath: "next",
  idField: "id",
  cursorParam: "cursor",
  cursorIn: "body",
  maxPages: 1,
  fields: [],
};
const WINDOW: Paginate = { ...BODY, mode: "id_window", itemsPath: undefined };

/** The one page's answer, and the request that asked for it. */
async function onePage(paginate: Paginate, body: JsonValue, firstCursor?: string) {
  const asked: ApiRequest[] = [];
  const ask = async (sent: ApiRequest) => {
    asked.push(sent);
    return { status: 200, body, bytes: 1 };
  };
  const first = request({ method: "POST", body: "{}" });
  const answer = await listPages(first, paginate, ask, firstCursor === undefined ? {} : { firstCursor });
  return { answer, asked: asked[0] };
}

const large = parseKeepingDigits("12345678901234567891") as JsonValue;
const CASES: readonly (readonly [cursor: JsonValue, text: string])[] = [
  [7, "7"],
  [-1.5, "-1.5"],
  [large, "12345678901234567891"],
  ["b c", "b c"],
  ["7", '"7"'],
  ["1e5", '"1e5"'],
  ["007", "007"],
  ["7a", "7a"],
  ['"', '"\\""'],
  ['"7"', '"\\"7\\""'],
  ["true", "true"],
  ["{}", "{}"],
];

test.each(CASES)("HTTP-6/continued %j in a body travels as %j", async (cursor, text) => {
  for (const [paginate, page] of [
    [BODY, { items: [1], next: cursor }],
    [WINDOW, [{ id: cursor }]],
  ] as const) {
    expect((await onePage(paginate, page)).answer).toMatchObject({ truncated: true, next_cursor: text });
    expect((await onePage(paginate, [], text)).asked?.body).toBe(JSON.stringify({ cursor }));
  }
});

test.each([7, "7", '"7"', "b"])("%j in a query travels as its text, and every text means itself", async (cursor) => {
  const inQuery: Paginate = { ...BODY, cursorIn: "query" };
  const text = String(cursor);
  expect((await onePage(inQuery, { items: [1], next: cursor })).answer).toMatchObject({ next_cursor: text });
  const { asked } = await onePage(inQuery, {}, text);
  expect(new URL(asked?.url ?? "").search).toBe(`?cursor=${encodeURIComponent(text)}`);
});

test.each(['"half', '"a" b'])("%j, which no listing gave, is sent as it is", async (text) => {
  expect((await onePage(BODY, {}, text)).asked?.body).toBe(JSON.stringify({ cursor: text }));
});
