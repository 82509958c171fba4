/** The Notion plugin, unmodified, against a stand-in of Notion: every tool's request whole, its listings, its own refusals. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";
import { BLOCKS, BOT, block, DATA_SOURCE, page, TASKS } from "../lab/stand-ins/notion-data.ts";

/** Each call is a process of its own, on a machine that may be busy. */
setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const API = "https://api.notion.com/v1";
const HEADERS = { "notion-version": "2026-03-11", authorization: "Bearer lab-notion-token" };
const SIGN_IN = { provider: "notion", accessToken: "lab-notion-token", endsInSeconds: null } as const;

const PAGE = "59833787-2cf9-4fdf-8782-e53db20768a5";
const SOURCE = "c174b72c-d782-432f-8dc0-b647e1c96df6";
const cursor = (at: string): string => `000000${at}-cccc-4ccc-8ccc-cccccccccccc`;

const TITLE = { Name: { title: [{ text: { content: "Grüße 🐙" } }] } };
const TITLE_TEXT = `{"Name":{"title":[{"text":{"content":"Grüße 🐙"}}]}}`;
const PARAGRAPH = { object: "block", type: "paragraph", paragraph: { rich_text: [{ text: { content: "a" } }] } };
const PARAGRAPH_TEXT = `{"object":"block","type":"paragraph","paragraph":{"rich_text":[{"text":{"content":"a"}}]}}`;

interface Flow {
  readonly tool: string;
  /** The page below https://developers.notion.com/reference that documents the request. */
  readonly page: string;
  readonly args: Readonly<Record<string, unknown>>;
  /** Each request: its line, and its body. */
  readonly requests: readonly (readonly [line: string, body?: string])[];
  readonly value: unknown;
}

const FLOWS: readonly Flow[] = [
  {
    tool: "notion_search",
    page: "post-search",
    args: { query: "Tasks & more" },
    requests: [
      [`POST ${API}/search`, `{"query":"Tasks & more"}`],
      [`POST ${API}/search`, `{"query":"Tasks & more","start_cursor":"${cursor("02")}"}`],
    ],
    value: { items: [...TASKS, DATA_SOURCE], truncated: false },
  },
  {
    tool: "notion_search",
    page: "post-search",
    args: { query: "Tasks", filter: `{"property":"object","value":"data_source"}` },
    requests: [[`POST ${API}/search`, `{"query":"Tasks","filter":{"property":"object","value":"data_source"}}`]],
    value: { items: [DATA_SOURCE], truncated: false },
  },
  {
    tool: "notion_get_page",
    page: "retrieve-a-page",
    args: { page_id: PAGE },
    requests: [[`GET ${API}/pages/${PAGE}`]],
    value: TASKS[0],
  },
  {
    tool: "notion_get_block_children",
    page: "get-block-children",
    args: { block_id: PAGE, page_size: 50 },
    requests: ["", "02", "04", "06", "08"].map((at) => [
      `GET ${API}/blocks/${PAGE}/children?page_size=50${at === "" ? "" : `&start_cursor=${cursor(at)}`}`,
    ]),
    value: { items: BLOCKS.slice(0, 10), truncated: true, next_cursor: cursor("0a") },
  },
  {
    tool: "notion_get_block_children",
    page: "get-block-children",
    args: { block_id: PAGE, page_cursor: cursor("0a") },
    requests: [
      [`GET ${API}/blocks/${PAGE}/children?page_size=100&start_cursor=${cursor("0a")}`],
      [`GET ${API}/blocks/${PAGE}/children?page_size=100&start_cursor=${cursor("0c")}`],
    ],
    value: { items: BLOCKS.slice(10), truncated: false },
  },
  {
    tool: "notion_create_page",
    page: "post-page",
    args: { parent: { data_source_id: SOURCE }, properties: TITLE, children: [PARAGRAPH] },
    requests: [
      [
        `POST ${API}/pages`,
        `{"parent":{"data_source_id":"${SOURCE}"},"properties":${TITLE_TEXT},"children":[${PARAGRAPH_TEXT}]}`,
      ],
    ],
    value: page("77777777-2cf9-4fdf-8782-e53db20768a5", "New", { data_source_id: SOURCE }, { given: TITLE }),
  },
  {
    tool: "notion_create_page",
    page: "post-page",
    args: { parent: JSON.stringify({ page_id: PAGE }), properties: JSON.stringify(TITLE) },
    requests: [[`POST ${API}/pages`, `{"parent":{"page_id":"${PAGE}"},"properties":${TITLE_TEXT}}`]],
    value: page("77777777-2cf9-4fdf-8782-e53db20768a5", "New", { page_id: PAGE }, { given: TITLE }),
  },
  {
    tool: "notion_update_page",
    page: "patch-page",
    args: { page_id: PAGE, properties: { Done: { checkbox: true } } },
    requests: [[`PATCH ${API}/pages/${PAGE}`, `{"properties":{"Done":{"checkbox":true}}}`]],
    value: page(PAGE, "Write", { type: "workspace", workspace: true }, { Done: { checkbox: true } }),
  },
  {
    tool: "notion_append_blocks",
    page: "patch-block-children",
    args: { block_id: PAGE, children: [PARAGRAPH] },
    requests: [[`PATCH ${API}/blocks/${PAGE}/children`, `{"children":[${PARAGRAPH_TEXT}]}`]],
    value: {
      object: "list",
      results: [block(14, "added")],
      next_cursor: null,
      has_more: false,
      type: "block",
      block: {},
    },
  },
  {
    tool: "notion_get_data_source",
    page: "retrieve-a-data-source",
    args: { data_source_id: SOURCE.replaceAll("-", "") },
    requests: [[`GET ${API}/data_sources/${SOURCE.replaceAll("-", "")}`]],
    value: DATA_SOURCE,
  },
  {
    tool: "notion_query_data_source",
    page: "query-a-data-source",
    args: {
      data_source_id: SOURCE,
      filter: { property: "Done", checkbox: { equals: false } },
      sorts: [{ property: "Name", direction: "ascending" }],
    },
    requests: [
      [
        `POST ${API}/data_sources/${SOURCE}/query`,
        `{"filter":{"property":"Done","checkbox":{"equals":false}},"sorts":[{"property":"Name","direction":"ascending"}]}`,
      ],
      [
        `POST ${API}/data_sources/${SOURCE}/query`,
        `{"filter":{"property":"Done","checkbox":{"equals":false}},"sorts":[{"property":"Name","direction":"ascending"}],"start_cursor":"${cursor("02")}"}`,
      ],
    ],
    value: { items: TASKS, truncated: false },
  },
  {
    tool: "notion_query_data_source",
    page: "query-a-data-source",
    args: { data_source_id: SOURCE, page_cursor: cursor("02") },
    requests: [[`POST ${API}/data_sources/${SOURCE}/query`, `{"start_cursor":"${cursor("02")}"}`]],
    value: { items: TASKS.slice(2), truncated: false },
  },
  {
    tool: "notion_get_me",
    page: "get-self",
    args: {},
    requests: [[`GET ${API}/users/me`]],
    value: BOT,
  },
];

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["notion"]);
    home = await lab.home({ plugins: ["notion"], signIns: { "notion:primary": SIGN_IN } });
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test.each([...FLOWS])("$tool sends what developers.notion.com/reference/$page documents", async (flow) => {
    expect(await home.call(flow.tool, flow.args)).toEqual({ code: 0, value: flow.value });
    expect(await lab.calls()).toEqual(flow.requests.map(([line, body]) => sent(line, HEADERS, body)));
  });

  test("every tool of the plugin has a flow", async () => {
    const listed = await home.agent(async (client) => (await client.listTools()).tools.map(({ name }) => name));
    expect([...new Set(FLOWS.map(({ tool }) => tool))].sort()).toEqual(listed.sort());
  });

  test("only listings take page_cursor, and the agent is told how to go on", async () => {
    const schemas = await home.agent(async (client) =>
      (await client.listTools()).tools.map(({ name, inputSchema }) => [
        name,
        Object.keys(inputSchema.properties ?? {}),
      ]),
    );
    const paged = schemas.filter(([, names]) => names?.includes("page_cursor")).map(([name]) => name);
    expect(paged).toEqual(["notion_get_block_children", "notion_query_data_source", "notion_search"]);
    const { value } = await home.callAsAgent("notion_get_block_children", { block_id: PAGE });
    expect(value).toMatchObject({ truncated: true, next_cursor: cursor("0a") });
    await lab.calls();
  });

  test("a page that fails in the middle loses none of the pages before it", async () => {
    const path = `/v1/blocks/${PAGE}/children`;
    const busy = {
      status: 503,
      body: { object: "error", status: 503, code: "service_unavailable", message: "Later." },
    };
    await lab.prepare({ host: "api.notion.com", path, answers: [null, null, busy] });
    const answer = await home.call("notion_get_block_children", { block_id: PAGE });
    expect(answer).toMatchObject({
      code: 0,
      value: { items: BLOCKS.slice(0, 4), truncated: true, next_cursor: cursor("04") },
    });
    expect((await lab.calls()).length).toBe(3);
  });

  test.each([
    [400, "validation_error", "request_failed", "request failed (400)."],
    [403, "restricted_resource", "permission_denied", "permission denied."],
    [404, "object_not_found", "request_failed", "request failed (404)."],
    [409, "conflict_error", "request_failed", "request failed (409)."],
    [500, "internal_server_error", "provider_error", "provider error (500)."],
    [503, "database_connection_unavailable", "provider_error", "provider error (503)."],
  ])("HTTP-10/own-message %i %s keeps Notion's code and message", async (status, notionCode, code, starts) => {
    const body = { object: "error", status, code: notionCode, message: "What Notion says.", request_id: "r" };
    await lab.prepare({ host: "api.notion.com", path: "/v1/users/me", answers: [{ status, body }] });
    expect(await home.call("notion_get_me")).toMatchObject({
      code: 1,
      error: { code, message: `${starts} ${JSON.stringify(body)}` },
    });
    expect(await lab.calls()).toEqual([sent(`GET ${API}/users/me`, HEADERS)]);
  });

  // developers.notion.com/reference/request-limits: Retry-After in whole seconds
  test("HTTP-10/rate-limit a 429 names how long to wait", async () => {
    const body = { object: "error", status: 429, code: "rate_limited", message: "You have been rate limited." };
    const headers = { "retry-after": "3" };
    await lab.prepare({ host: "api.notion.com", path: "/v1/users/me", answers: [{ status: 429, headers, body }] });
    expect(await home.call("notion_get_me")).toMatchObject({
      error: { code: "rate_limited", message: "rate-limited retry after 3s" },
    });
    await lab.calls();
  });

  test("a connection without the capability gets Notion's own 403", async () => {
    using reader = await lab.home({
      plugins: ["notion"],
      signIns: { "notion:primary": { ...SIGN_IN, accessToken: "lab-notion-reader" } },
    });
    const answer = await reader.call("notion_append_blocks", { block_id: PAGE, children: [PARAGRAPH] });
    expect(answer).toMatchObject({ code: 1, error: { code: "permission_denied" } });
    expect("error" in answer && answer.error.message).toStartWith(
      `permission denied. {"object":"error","status":403,"code":"restricted_resource"`,
    );
    await lab.calls();
  });
});
