/** Slack through the compiled binary: every tool's request as docs.slack.dev/reference/methods has it, and Slack's ways to fail. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const get = (path: string, query?: string) =>
  sent(`GET https://slack.com${path}${query === undefined ? "" : `?${query}`}`, {
    authorization: "Bearer xoxb-lab-token",
  });

const GENERAL = {
  id: "C012AB3CD",
  name: "general",
  is_private: false,
  is_archived: false,
  is_member: true,
  num_members: 4,
  topic: { value: "About general", creator: "U012A3CDE", last_set: 0 },
  purpose: { value: "For general", creator: "", last_set: 0 },
};
const channel = (id: string, name: string, more: object = {}): object => ({
  ...GENERAL,
  id,
  name,
  topic: { ...GENERAL.topic, value: `About ${name}` },
  purpose: { ...GENERAL.purpose, value: `For ${name}` },
  ...more,
});
const RANDOM = channel("C061EG9T2", "random");
const OLD_PLANS = channel("C0ARCHIVE1", "old-plans", { is_archived: true });
const SECRETS = channel("G0AKFJBEU", "secrets", { is_private: true });
const ELSEWHERE = channel("C07NOTAMEM", "elsewhere", { is_member: false });
const LAST = channel("C08LAST000", "last");

describe.if(missing === undefined)("slack", () => {
  let lab: HttpLab;
  let home: HttpHome;

  beforeAll(async () => {
    lab = await openHttpLab(["slack"]);
    home = await lab.home({ plugins: ["slack"], keys: { slack: "xoxb-lab-token" } });
  }, 60_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test("HTTP-8/path slack_team_info: methods/team.info", async () => {
    expect(await home.call("slack_team_info")).toEqual({
      code: 0,
      value: { id: "T12345", name: "My Team", domain: "example", email_domain: "example.com" },
    });
    expect(await lab.calls()).toEqual([get("/api/team.info")]);
  });

  test("HTTP-7/defaults slack_list_channels with nothing given: methods/conversations.list", async () => {
    expect(await home.call("slack_list_channels")).toEqual({
      code: 0,
      value: { items: [GENERAL, RANDOM, SECRETS, ELSEWHERE, LAST], truncated: false },
    });
    expect(await lab.calls()).toEqual([
      get("/api/conversations.list", "types=public_channel%2Cprivate_channel&limit=100&exclude_archived=true"),
    ]);
  });

  test("HTTP-6/empty-cursor slack_list_channels ends at the empty cursor: apis/web-api/pagination", async () => {
    const given = { types: "public_channel", limit: 2, exclude_archived: false };
    expect(await home.call("slack_list_channels", given)).toEqual({
      code: 0,
      value: { items: [GENERAL, RANDOM, OLD_PLANS, ELSEWHERE, LAST], truncated: false },
    });
    const query = "types=public_channel&limit=2&exclude_archived=false";
    expect(await lab.calls()).toEqual([
      get("/api/conversations.list", query),
      get("/api/conversations.list", `${query}&cursor=dGVhbTpDMEFSQ0hJVkUx`),
      get("/api/conversations.list", `${query}&cursor=dGVhbTpDMDdOT1RBTUVN`),
    ]);
  });

  test("HTTP-6/continued slack_list_channels stops after five pages and goes on from page_cursor", async () => {
    const query = "types=public_channel%2Cprivate_channel&limit=1&exclude_archived=true";
    expect(await home.call("slack_list_channels", { limit: 1 })).toEqual({
      code: 0,
      value: {
        items: [GENERAL, RANDOM, SECRETS, ELSEWHERE],
        truncated: true,
        next_cursor: "dGVhbTpDMDhMQVNUMDAw",
      },
    });
    expect((await lab.calls()).map((call) => call.query)).toEqual([
      query,
      `${query}&cursor=dGVhbTpDMDYxRUc5VDI%3D`,
      `${query}&cursor=dGVhbTpDMEFSQ0hJVkUx`,
      `${query}&cursor=dGVhbTpHMEFLRkpCRVU%3D`,
      `${query}&cursor=dGVhbTpDMDdOT1RBTUVN`,
    ]);
    const rest = await home.call("slack_list_channels", { limit: 1, page_cursor: "dGVhbTpDMDhMQVNUMDAw" });
    expect(rest).toEqual({ code: 0, value: { items: [LAST], truncated: false } });
    expect(await lab.calls()).toEqual([get("/api/conversations.list", `${query}&cursor=dGVhbTpDMDhMQVNUMDAw`)]);
  });

  test("HTTP-8/fields slack_channel_history: methods/conversations.history", async () => {
    const given = { channel: "C012AB3CD", oldest: "1500000000.000000", latest: "1512104434.000490" };
    expect(await home.call("slack_channel_history", given)).toEqual({
      code: 0,
      value: {
        items: [
          {
            type: "message",
            subtype: "bot_message",
            bot_id: "B0DEPLOYER",
            text: "Deployed <https://example.com|1.2>",
            ts: "1512085950.218404",
          },
          {
            type: "message",
            user: "U123ABC456",
            text: "I find you punny and would like to smell your nose letter",
            ts: "1512085950.000216",
            reactions: [{ name: "smile", users: ["U222BBB222"], count: 1 }],
          },
        ],
        truncated: false,
      },
    });
    expect(await lab.calls()).toEqual([
      get("/api/conversations.history", "channel=C012AB3CD&limit=50&oldest=1500000000.000000&latest=1512104434.000490"),
    ]);
  });

  test("HTTP-6/cursor slack_channel_history goes on until no cursor is left", async () => {
    const answer = await home.call("slack_channel_history", { channel: "C012AB3CD", limit: 3 });
    expect(answer).toMatchObject({ code: 0, value: { truncated: false } });
    expect(answer).toHaveProperty("value.items.length", 4);
    expect((await lab.calls()).map(({ query }) => query)).toEqual([
      "channel=C012AB3CD&limit=3",
      "channel=C012AB3CD&limit=3&cursor=bmV4dF90czoxNDgyOTYwMTM3MDAzNTQz",
    ]);
  });

  test("slack_channel_replies: methods/conversations.replies", async () => {
    const said = (text: string, ts: string, more: object = {}): object => ({
      type: "message",
      user: "U061F7AUR",
      text,
      ts,
      thread_ts: "1482960137.003543",
      ...more,
    });
    expect(await home.call("slack_channel_replies", { channel: "C012AB3CD", ts: "1482960137.003543" })).toEqual({
      code: 0,
      value: {
        items: [
          said("island", "1482960137.003543", { reply_count: 3 }),
          said("one island", "1483037603.017503"),
          said("two island", "1483051909.018632"),
          said("three for the land", "1483125339.020269"),
        ],
        truncated: false,
      },
    });
    expect(await lab.calls()).toEqual([
      get("/api/conversations.replies", "channel=C012AB3CD&ts=1482960137.003543&limit=50"),
    ]);
  });

  test("slack_list_members, through an MCP client: methods/users.list", async () => {
    const member = (id: string, name: string, real_name: string, more: object = {}): object => ({
      ...{ id, name, real_name, is_bot: false, deleted: false, tz: "America/Los_Angeles" },
      ...more,
    });
    expect(await home.callAsAgent("slack_list_members", { limit: 2 })).toEqual({
      isError: false,
      value: {
        items: [
          member("W012A3CDE", "spengler", "Egon Spengler"),
          member("W07QCRPA4", "glinda", "Glinda Southgood"),
          member("U0DEPLOYER", "deployer", "deployer", { is_bot: true, tz: null }),
        ],
        truncated: false,
      },
    });
    expect(await lab.calls()).toEqual([
      get("/api/users.list", "limit=2"),
      get("/api/users.list", "limit=2&cursor=dXNlcjpVMERFUExPWUVS"),
    ]);
  });

  test("HTTP-6/page-cursor agents see the five tools, what they do, and page_cursor where there are pages", async () => {
    const tools = await home.agent(async (client) => (await client.listTools()).tools);
    expect(
      tools.map(({ name, annotations, inputSchema }) => [
        name,
        annotations?.readOnlyHint,
        Object.keys(inputSchema.properties ?? {}).join(" "),
      ]),
    ).toEqual([
      ["slack_channel_history", true, "channel limit oldest latest page_cursor"],
      ["slack_channel_replies", true, "channel ts limit page_cursor"],
      ["slack_list_channels", true, "types limit exclude_archived page_cursor"],
      ["slack_list_members", true, "limit page_cursor"],
      ["slack_team_info", true, ""],
    ]);
    expect(await lab.calls()).toEqual([]);
  });
});
