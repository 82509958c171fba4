/** Notion's API, version 2026-03-11, and its token endpoint, from developers.notion.com/reference. */
import type { JsonValue } from "../../../src/kernel/json.ts";
import { SignInDesk } from "../sign-in-desk.ts";
import { json, type StandIn } from "../stand-in.ts";
import {
  answerStrictly,
  type Check,
  like,
  list,
  listOf,
  type Operation,
  object,
  oneOf,
  shaped,
  text,
  type Where,
  whole,
} from "../strict-api.ts";
import { bearerOf, isBasicClient, TokenBook } from "../token-book.ts";
import { BLOCKS, BOT, block, DATA_SOURCE, DATA_SOURCE_ID, PAGE_ID, page, TASKS } from "./notion-data.ts";

const VERSION = "2026-03-11";
/** Every list answers this many at most; the reference allows fewer than `page_size`. */
const MOST_IN_A_PAGE = 2;

/** Notion has capabilities instead of scopes: a token without `insert` may only read. */
const ALL = ["read", "insert", "update"];
const tokens = new TokenBook("lab-notion", ALL, { "lab-notion-reader": ["read"] });
/** developers.notion.com/docs/authorization: no scopes, and one redirect URI letter by letter. */
const desk = new SignInDesk({
  tokens,
  prefix: "lab-notion",
  redirectUri: "http://localhost:1458/auth/callback",
  members: { owner: "user" },
});

/** developers.notion.com/reference/status-codes */
const failure = (status: number, code: string, message: string): Response =>
  json({ object: "error", status, code, message, request_id: "f3a5c6d1-5f27-4f08-9ab4-2b7f4d9f1b62" }, status);

const invalid = (where: Where, message: string): Response =>
  failure(400, "validation_error", `${where} failed validation: ${where}.${message}`);

const refusals = {
  unknownRoute: () => failure(400, "invalid_request_url", "Invalid request URL."),
  admit,
  notJson: () => failure(400, "invalid_json", "Error parsing JSON body."),
  unknownField: (where: Where, name: string, value: JsonValue) =>
    invalid(where, `${name} should be not present, instead was \`${JSON.stringify(value)}\`.`),
  missingField: (where: Where, name: string) => invalid(where, `${name} should be defined, instead was \`undefined\`.`),
  wrongField: (where: Where, name: string, value: JsonValue, reason: string) =>
    name.endsWith("_id")
      ? failure(404, "object_not_found", `Could not find ${name.slice(0, -3)} with ID: ${String(value)}.`)
      : invalid(where, `${name} ${reason}, instead was \`${JSON.stringify(value)}\`.`),
};

function admit(request: Request, capabilities: readonly string[]): Response | undefined {
  const token = bearerOf(request);
  const granted = token === undefined ? undefined : tokens.scopesOf(token);
  if (granted === undefined) return failure(401, "unauthorized", "API token is invalid.");
  const version = request.headers.get("notion-version");
  if (version === null) {
    const message =
      "Notion-Version header failed validation: Notion-Version header should be defined, instead was `undefined`.";
    return failure(400, "missing_version", message);
  }
  if (version !== VERSION) {
    const message = `Notion-Version header failed validation: Notion-Version header should be \`"${VERSION}"\`, instead was \`"${version}"\`.`;
    return failure(400, "validation_error", message);
  }
  return capabilities.every((capability) => granted.includes(capability))
    ? undefined
    : failure(403, "restricted_resource", "Insufficient permissions for this endpoint.");
}

/** An id with or without dashes. */
const isId = (id: string): Check => like(new RegExp(`^(?:${id}|${id.replaceAll("-", "")})$`, "i"));

const CURSOR = like(/^[0-9a-f]{8}-cccc-4ccc-8ccc-cccccccccccc$/);
const cursorAt = (at: number): string => `${at.toString(16).padStart(8, "0")}-cccc-4ccc-8ccc-cccccccccccc`;

/** developers.notion.com/reference/intro#pagination */
function listed(items: readonly object[], type: string, start: JsonValue | undefined, size: number): Response {
  const from = typeof start === "string" ? Number.parseInt(start.slice(0, 8), 16) : 0;
  const to = from + Math.min(size, MOST_IN_A_PAGE);
  const more = to < items.length;
  return json({
    object: "list",
    results: items.slice(from, to),
    next_cursor: more ? cursorAt(to) : null,
    has_more: more,
    type,
    [type]: {},
    request_id: "b8a1c0de-0000-4000-8000-000000000001",
  });
}

const BLOCK = shaped({
  object: oneOf("block"),
  type: oneOf("paragraph", "heading_1", "to_do"),
  paragraph: object,
  heading_1: object,
  to_do: object,
});
const BLOCK_LIST = listOf(BLOCK);
const PARENT: Check = (value) =>
  [
    shaped({ page_id: isId(PAGE_ID), type: oneOf("page_id") }, ["page_id"]),
    shaped({ data_source_id: isId(DATA_SOURCE_ID), type: oneOf("data_source_id") }, ["data_source_id"]),
  ].some((check) => check(value) === undefined)
    ? undefined
    : "should be a page or data source";
const PROPERTIES: Check = (value) =>
  shaped({ Name: object, Done: shaped({ checkbox: () => undefined, type: oneOf("checkbox") }), title: object })(value);

const PAGING = { start_cursor: CURSOR, page_size: whole(1, 100) };
const sizeOf = (value: JsonValue | undefined): number => Number(value ?? 100);

/** Each with every parameter of its page in the reference, named beside it. */
const OPERATIONS: readonly Operation[] = [
  // post-search
  {
    route: "POST /v1/search",
    scopes: ["read"],
    body: {
      query: text,
      sort: object,
      filter: shaped({ property: oneOf("object"), value: oneOf("page", "data_source") }, ["property", "value"]),
      ...PAGING,
    },
    answer: ({ body }) => {
      const wanted = (body["filter"] as { readonly value?: string } | undefined)?.value;
      const all = [...TASKS, DATA_SOURCE].filter(({ object: kind }) => wanted === undefined || kind === wanted);
      return listed(all, "page_or_data_source", body["start_cursor"], sizeOf(body["page_size"]));
    },
  },
  // retrieve-a-page
  {
    route: "GET /v1/pages/{page_id}",
    scopes: ["read"],
    path: { page_id: isId(PAGE_ID) },
    query: { filter_properties: text },
    answer: () => json(TASKS[0]),
  },
  // get-block-children
  {
    route: "GET /v1/blocks/{block_id}/children",
    scopes: ["read"],
    path: { block_id: isId(PAGE_ID) },
    query: PAGING,
    answer: ({ query }) => listed(BLOCKS, "block", query["start_cursor"], sizeOf(query["page_size"])),
  },
  // post-page
  {
    route: "POST /v1/pages",
    scopes: ["insert"],
    body: {
      parent: PARENT,
      properties: PROPERTIES,
      children: BLOCK_LIST,
      content: BLOCK_LIST,
      icon: object,
      cover: object,
      markdown: text,
      template: object,
      position: object,
    },
    required: ["parent", "properties"],
    answer: ({ body }) =>
      json(
        page("77777777-2cf9-4fdf-8782-e53db20768a5", "New", body["parent"] as object, { given: body["properties"] }),
      ),
  },
  // patch-page
  {
    route: "PATCH /v1/pages/{page_id}",
    scopes: ["update"],
    path: { page_id: isId(PAGE_ID) },
    body: {
      properties: PROPERTIES,
      icon: object,
      cover: object,
      is_locked: () => undefined,
      template: object,
      erase_content: () => undefined,
      in_trash: () => undefined,
    },
    answer: ({ body }) =>
      json(page(PAGE_ID, "Write", { type: "workspace", workspace: true }, body["properties"] as object)),
  },
  // patch-block-children; `after` is gone since 2026-03-11
  {
    route: "PATCH /v1/blocks/{block_id}/children",
    scopes: ["insert"],
    path: { block_id: isId(PAGE_ID) },
    body: { children: BLOCK_LIST, position: object },
    required: ["children"],
    answer: ({ body }) => {
      const added = (body["children"] as readonly unknown[]).map((_, at) => block(14 + at, "added"));
      return json({ object: "list", results: added, next_cursor: null, has_more: false, type: "block", block: {} });
    },
  },
  // retrieve-a-data-source
  {
    route: "GET /v1/data_sources/{data_source_id}",
    scopes: ["read"],
    path: { data_source_id: isId(DATA_SOURCE_ID) },
    answer: () => json(DATA_SOURCE),
  },
  // query-a-data-source
  {
    route: "POST /v1/data_sources/{data_source_id}/query",
    scopes: ["read"],
    path: { data_source_id: isId(DATA_SOURCE_ID) },
    query: { filter_properties: text },
    body: {
      filter: object,
      sorts: list,
      ...PAGING,
      in_trash: () => undefined,
      result_type: oneOf("page", "data_source"),
    },
    answer: ({ body }) => listed(TASKS, "page_or_data_source", body["start_cursor"], sizeOf(body["page_size"])),
  },
  // get-self
  { route: "GET /v1/users/me", scopes: ["read"], answer: () => json(BOT) },
];

/** developers.notion.com/reference/refresh-a-token: HTTP Basic, both tokens new, the old refresh token worth nothing. */
async function tokenEndpoint(request: Request): Promise<Response> {
  const fault = (status: number, error: string, description: string): Response =>
    json({ error, error_description: description, request_id: "0a1b2c3d-0000-4000-8000-000000000002" }, status);
  if (!isBasicClient(request)) {
    return fault(401, "invalid_client", "Client authentication failed.");
  }
  if (!request.headers.get("content-type")?.startsWith("application/json")) return refusals.notJson();
  const fields = (await request.json()) as Readonly<Record<string, string>>;
  const grants = ["refresh_token", "authorization_code"];
  if (!grants.includes(String(fields["grant_type"])))
    return fault(400, "unsupported_grant_type", "Unsupported grant type.");
  const session =
    fields["grant_type"] === "refresh_token" ? tokens.redeem(String(fields["refresh_token"])) : desk.redeem(fields);
  if (session === undefined) return fault(400, "invalid_grant", "The refresh token is invalid, expired or revoked.");
  return json({
    access_token: session.access,
    token_type: "bearer",
    refresh_token: session.refresh,
    bot_id: BOT.id,
    workspace_id: BOT.bot.workspace_id,
    workspace_name: BOT.bot.workspace_name,
    workspace_icon: null,
    owner: BOT.bot.owner,
    duplicated_template_id: null,
    request_id: "0a1b2c3d-0000-4000-8000-000000000003",
  });
}

export const standIn: StandIn = {
  hosts: ["api.notion.com"],
  handle(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/v1/oauth/authorize") return desk.page(request);
    return request.method === "POST" && pathname === "/v1/oauth/token"
      ? tokenEndpoint(request)
      : answerStrictly(OPERATIONS, refusals, request);
  },
};
