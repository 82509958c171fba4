/** What each template of the catalog and the bundled plugins sends, with the least and with all of its arguments. */
import { expect, test } from "bun:test";
import type { JsonObject, JsonValue } from "../../../src/kernel/json.ts";
import type { ApiRequest } from "../../../src/rails/http/api.ts";
import { readArguments } from "../../../src/rails/http/read-arguments.ts";
import { renderRequest } from "../../../src/rails/http/render-request.ts";
import { expectGolden } from "../../golden.ts";
import { catalogTemplates, propertiesOf, type TemplateTool } from "./catalog-templates.ts";

/** A typical value for each parameter name of any of them; a name that is not here fails the test. */
const TYPICAL: JsonObject = {
  add_label_ids: ["STARRED"],
  add_parent_id: "1AbC-folder",
  after: "2026-01-01T00:00:00Z",
  bcc: ["hidden@example.com"],
  before: "1300000000000000000",
  block_id: "c02fc1d3-db8b-45c5-a222-27595b15aea7",
  body: "Line one\n\n**Line two** & more",
  calendar_id: "team@group.calendar.google.com",
  cc: ["copy@example.com"],
  channel: "C0123456789",
  channel_id: "1200000000000000000",
  children: [{ object: "block", type: "divider", divider: {} }],
  client_id: "inbox-1",
  data_source_id: "248104cd-477e-80af-bc30-000bd28de8f9",
  description: "Bring the plans",
  destination_calendar_id: "other@group.calendar.google.com",
  display_name: "Sales & Support",
  domain: "agentmail.to",
  end: "2026-12-01T11:00:00+01:00",
  event_id: "abc123_20261201T100000Z",
  exclude: "replies,retweets",
  exclude_archived: false,
  file_id: "1AbC_dEf-GhI",
  filter: { property: "object", value: "page" },
  from: "alice@example.com",
  guild_id: "1100000000000000000",
  html: "<p>Hello</p>",
  id: "18c2f0a1b2c3d4e5",
  inbox_id: "sales@agentmail.to",
  label_list_visibility: "labelShow",
  labels: ["bug", "help wanted"],
  latest: "1735689600.000100",
  limit: 25,
  location: "Room 5/2",
  max_results: 20,
  message_id: "<0100018c-a1b2@mail.example.com>",
  message_list_visibility: "show",
  name: "Größe 100 %",
  number: 1347,
  oldest: "1704067200.000000",
  owner: "octo-org",
  page: 2,
  page_id: "59833787-2cf9-4fdf-8782-e53db20768a5",
  page_size: 50,
  pagination_token: "7140dibdnow9c7btw482",
  parent: { page_id: "59833787-2cf9-4fdf-8782-e53db20768a5" },
  parent_id: "1AbC-parent",
  per_page: 100,
  post_id: "1346889436626259968",
  properties: { title: [{ text: { content: "Minutes" } }] },
  q: "repo:octo-org/hello is:open crash in:title,body",
  query: 'roadmap "Q4 + Q1" & more',
  remove_label_ids: ["INBOX", "UNREAD"],
  remove_parent_id: "1AbC-old",
  reply_to_post_id: "1346889436626259968",
  repo: "hello-world",
  send_updates: "all",
  since_id: "1346889436626259968",
  sort: "full_name",
  sorts: [{ property: "Name", direction: "ascending" }],
  start: "2026-12-01T10:00:00+01:00",
  state: "closed",
  subject: "Offer #5",
  summary: "Planning",
  text: "Hello, wörld",
  thread_id: "6f9c2a",
  time_zone: "Europe/Berlin",
  title: "Crash on start",
  to: ["bob@example.com"],
  ts: "1704067200.000100",
  types: "public_channel,mpim",
  user_id: "2244994945",
  username: "XDevelopers",
  visibility: "private",
  with_counts: false,
};

function typical(tool: TemplateTool, names: readonly string[]): JsonObject {
  return Object.fromEntries(
    names.map((name) => {
      const value = TYPICAL[name];
      if (value === undefined) throw new Error(`${tool.name}: no typical value for ${name}`);
      return [name, propertiesOf(tool)[name]?.["type"] === "string" && Array.isArray(value) ? value.join(",") : value];
    }),
  );
}

function written({ method, url, headers, body, success, okField }: ApiRequest): readonly string[] {
  return [
    `  ${method} ${url}`,
    ...Object.entries(headers).map(([name, value]) => `    ${name}: ${value}`),
    ...(body === undefined ? [] : [`    ${String(body)}`]),
    `    -> ${success.join(", ")}${okField === undefined ? "" : ` and ${okField}`}`,
  ];
}

test("HTTP-7/path-encoded: every template of the catalog and the bundled plugins makes the request it is meant to", () => {
  expect(catalogTemplates.length).toBeGreaterThan(40);
  const lines = catalogTemplates.flatMap((tool) => {
    const request = (names: readonly string[]) =>
      written(renderRequest(tool.request, readArguments(tool.name, tool.parameters, typical(tool, names))));
    const least = request(((tool.parameters["required"] ?? []) as readonly JsonValue[]).map(String));
    const whole = request(Object.keys(propertiesOf(tool)));
    return [tool.name, ...least, ...(whole.join() === least.join() ? [] : whole)];
  });
  expectGolden("http-requests.txt", `${lines.join("\n")}\n`);
});
