/** The stand-in of Notion is as strict as its reference: what Fermix must never send is refused with Notion's codes. */
import { expect, test } from "bun:test";
import { standIn } from "./notion.ts";

const HEADERS = { authorization: "Bearer lab-notion-token", "notion-version": "2026-03-11" };
const PAGE = "59833787-2cf9-4fdf-8782-e53db20768a5";

async function ask(path: string, init: RequestInit = {}): Promise<Record<string, unknown>> {
  const headers = new Headers({ ...HEADERS, ...init.headers });
  for (const [name, value] of [...headers]) if (value === "") headers.delete(name);
  const reply = await standIn.handle(new Request(`https://api.notion.com${path}`, { ...init, headers }));
  return (await reply.json()) as Record<string, unknown>;
}

const send = (method: string, body: unknown): RequestInit => ({
  method,
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

const NAME = { Name: { title: [] } };
const TEXT_BLOCK = { type: "paragraph", paragraph: { rich_text: [] } };

test.each([
  ["an unknown route", "/v1/databases", {}, 400, "invalid_request_url"],
  ["another method", "/v1/users/me", { method: "POST" }, 400, "invalid_request_url"],
  ["no token", "/v1/users/me", { headers: { authorization: "" } }, 401, "unauthorized"],
  ["a token it never gave", "/v1/users/me", { headers: { authorization: "Bearer x" } }, 401, "unauthorized"],
  ["no version", "/v1/users/me", { headers: { "notion-version": "" } }, 400, "missing_version"],
  ["an older version", "/v1/users/me", { headers: { "notion-version": "2022-06-28" } }, 400, "validation_error"],
  ["a page of someone else", `/v1/pages/${PAGE.replace("5", "6")}`, {}, 404, "object_not_found"],
  ["an unknown query parameter", `/v1/pages/${PAGE}?depth=2`, {}, 400, "validation_error"],
  ["a page size of 101", `/v1/blocks/${PAGE}/children?page_size=101`, {}, 400, "validation_error"],
  ["a cursor it never gave", `/v1/blocks/${PAGE}/children?start_cursor=`, {}, 400, "validation_error"],
  ["an unknown body field", "/v1/search", send("POST", { text: "x" }), 400, "validation_error"],
  [
    "a filter for databases",
    "/v1/search",
    send("POST", { filter: { property: "object", value: "database" } }),
    400,
    "validation_error",
  ],
  ["a filter as text", "/v1/search", send("POST", { filter: "{}" }), 400, "validation_error"],
  ["a null cursor", "/v1/search", send("POST", { start_cursor: null }), 400, "validation_error"],
  ["no properties", "/v1/pages", send("POST", { parent: { page_id: PAGE } }), 400, "validation_error"],
  ["a parent of two kinds", "/v1/pages", send("POST", { parent: {}, properties: NAME }), 400, "validation_error"],
  ["the old archived field", `/v1/pages/${PAGE}`, send("PATCH", { archived: true }), 400, "validation_error"],
  [
    "the old after field",
    `/v1/blocks/${PAGE}/children`,
    send("PATCH", { children: [], after: PAGE }),
    400,
    "validation_error",
  ],
  [
    "101 blocks",
    `/v1/blocks/${PAGE}/children`,
    send("PATCH", { children: Array(101).fill(TEXT_BLOCK) }),
    400,
    "validation_error",
  ],
  ["broken JSON", "/v1/search", send("POST", "{"), 400, "invalid_json"],
  ["JSON that is not said to be JSON", "/v1/search", { method: "POST", body: "{}" }, 400, "invalid_json"],
] as const)("refuses %s", async (_what, path, init, status, code) => {
  expect(await ask(path, init)).toMatchObject({ object: "error", status, code });
});

test("a token without the capability to insert may read and not write", async () => {
  const headers = { authorization: "Bearer lab-notion-reader", "content-type": "application/json" };
  expect(await ask("/v1/users/me", { headers })).toMatchObject({ object: "user", type: "bot" });
  const body = JSON.stringify({ parent: { page_id: PAGE }, properties: NAME });
  expect(await ask("/v1/pages", { method: "POST", headers, body })).toMatchObject({
    status: 403,
    code: "restricted_resource",
  });
});

test("hands out two at a time with a cursor until the list ends", async () => {
  const path = `/v1/blocks/${PAGE}/children`;
  const first = await ask(path);
  expect(first).toMatchObject({ has_more: true, next_cursor: "00000002-cccc-4ccc-8ccc-cccccccccccc" });
  const last = await ask(`${path}?start_cursor=0000000c-cccc-4ccc-8ccc-cccccccccccc`);
  expect(last).toMatchObject({ has_more: false, next_cursor: null, results: [{ object: "block" }] });
});

async function refresh(token: string, authorization: string): Promise<unknown> {
  const body = JSON.stringify({ grant_type: "refresh_token", refresh_token: token });
  const url = "https://api.notion.com/v1/oauth/token";
  const reply = await standIn.handle(
    new Request(url, { method: "POST", headers: { authorization, "content-type": "application/json" }, body }),
  );
  return { status: reply.status, ...((await reply.json()) as object) };
}

test("a refresh token buys one session, and only for the client in HTTP Basic", async () => {
  const basic = `Basic ${btoa("lab-client-id:lab-client-secret")}`;
  expect(await refresh("lab-notion-refresh-unit-1", "Basic eDp5")).toMatchObject({
    status: 401,
    error: "invalid_client",
  });
  expect(await refresh("lab-notion-refresh-unit-1", basic)).toMatchObject({
    status: 200,
    access_token: "lab-notion-token-unit-2",
    refresh_token: "lab-notion-refresh-unit-2",
  });
  expect(await refresh("lab-notion-refresh-unit-1", basic)).toMatchObject({ status: 400, error: "invalid_grant" });
});
