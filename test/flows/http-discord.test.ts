/** Discord through the compiled binary: every tool's request as docs.discord.com/developers has it, and Discord's ways to fail. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** developers/reference: the `Bot` scheme, and a user agent of the form `DiscordBot ($url, $versionNumber)`. */
const HEADERS = { authorization: "Bot lab-discord-token", "user-agent": "DiscordBot (https://fermix.ai, 1.0.0)" };
const get = (path: string, query?: string) =>
  sent(`GET https://discord.com${path}${query === undefined ? "" : `?${query}`}`, HEADERS);

const GUILD = "197038439483310086";
const CHANNEL = "41771983423143937";
const MESSAGES = `/api/v10/channels/${CHANNEL}/messages`;

const author = { id: "53908099506183680", username: "mason", discriminator: "9999" };
const message = (id: string, content: string, more: object = {}): object => ({
  id,
  type: 0,
  content,
  author: { ...author, avatar: "a_bab14f271d565501444b2ca3be944b25" },
  timestamp: "2017-07-11T17:27:07.299000+00:00",
  edited_timestamp: null,
  attachments: [],
  ...more,
});
const FIVE = message("334385199974967049", "five");
const FOUR = message("334385199974967048", "four", {
  type: 19,
  message_reference: { type: 0, channel_id: CHANNEL, message_id: "334385199974967046" },
});
const THREE = message("334385199974967047", "three", { edited_timestamp: "2017-07-11T17:30:00.000000+00:00" });
const TWO = message("334385199974967046", "Supa Hot", {
  attachments: [{ id: "1", filename: "fire.png", size: 1024, url: "https://cdn.discordapp.com/fire.png" }],
});
const ONE = message("334385199974967045", "one");

describe.if(missing === undefined)("discord", () => {
  let lab: HttpLab;
  let home: HttpHome;

  beforeAll(async () => {
    lab = await openHttpLab(["discord"]);
    home = await lab.home({ plugins: ["discord"], keys: { discord: "lab-discord-token" } });
  }, 60_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test("AUTH-1/bot discord_list_guilds: resources/user#get-current-user-guilds", async () => {
    const guild = (id: string, name: string): object => ({
      ...{ id, name, icon: "8342729096ea3675442027381ff50dfe", banner: null, owner: false, permissions: "36953089" },
      ...{ features: ["COMMUNITY", "NEWS"], approximate_member_count: 3268, approximate_presence_count: 784 },
    });
    expect(await home.call("discord_list_guilds")).toEqual({
      code: 0,
      value: [guild("80351110224678912", "1337 Krew"), guild(GUILD, "Fermix Testers")],
    });
    expect(await lab.calls()).toEqual([get("/api/v10/users/@me/guilds", "limit=100&with_counts=true")]);
  });

  test("HTTP-8/fields discord_get_guild: resources/guild#get-guild", async () => {
    expect(await home.call("discord_get_guild", { guild_id: GUILD })).toEqual({
      code: 0,
      value: {
        id: GUILD,
        name: "Fermix Testers",
        description: "People who test.",
        owner_id: "114941315417899012",
        approximate_member_count: 3268,
        approximate_presence_count: 784,
        preferred_locale: "en-US",
      },
    });
    expect(await lab.calls()).toEqual([get(`/api/v10/guilds/${GUILD}`, "with_counts=true")]);
  });

  test("HTTP-8/path discord_list_channels: resources/guild#get-guild-channels", async () => {
    expect(await home.call("discord_list_channels", { guild_id: GUILD })).toEqual({
      code: 0,
      value: [
        { id: "41771983423143930", type: 4, name: "Text", parent_id: null, position: 0 },
        {
          id: CHANNEL,
          type: 0,
          name: "general",
          topic: "24/7 chat about how to gank Mike #2",
          parent_id: "41771983423143930",
          position: 1,
        },
        { id: "155101607195836416", type: 2, name: "ROCKET CHEESE", parent_id: null, position: 5 },
      ],
    });
    expect(await lab.calls()).toEqual([get(`/api/v10/guilds/${GUILD}/channels`)]);
  });

  test("HTTP-6/id-window discord_channel_messages follows `before`: resources/message#get-channel-messages", async () => {
    expect(await home.call("discord_channel_messages", { channel_id: CHANNEL, limit: 2 })).toEqual({
      code: 0,
      value: { items: [FIVE, FOUR, THREE, TWO, ONE], truncated: false },
    });
    expect(await lab.calls()).toEqual([
      get(MESSAGES, "limit=2"),
      get(MESSAGES, "limit=2&before=334385199974967048"),
      get(MESSAGES, "limit=2&before=334385199974967046"),
      get(MESSAGES, "limit=2&before=334385199974967045"),
    ]);
  });

  test("HTTP-6/continued discord_channel_messages stops after five pages and goes on from page_cursor", async () => {
    expect(await home.call("discord_channel_messages", { channel_id: CHANNEL, limit: 1 })).toEqual({
      code: 0,
      value: { items: [FIVE, FOUR, THREE, TWO, ONE], truncated: true, next_cursor: "334385199974967045" },
    });
    expect(await lab.calls()).toHaveLength(5);
    const given = { channel_id: CHANNEL, limit: 1, page_cursor: "334385199974967045" };
    expect(await home.callAsAgent("discord_channel_messages", given)).toEqual({
      isError: false,
      value: { items: [], truncated: false },
    });
    expect(await lab.calls()).toEqual([get(MESSAGES, "limit=1&before=334385199974967045")]);
  });

  test("HTTP-6/id-window discord_channel_messages replaces a `before` that was given", async () => {
    const given = { channel_id: CHANNEL, limit: 2, before: "334385199974967048" };
    expect(await home.call("discord_channel_messages", given)).toEqual({
      code: 0,
      value: { items: [THREE, TWO, ONE], truncated: false },
    });
    expect((await lab.calls()).map(({ query }) => query)).toEqual([
      "limit=2&before=334385199974967048",
      "limit=2&before=334385199974967046",
      "limit=2&before=334385199974967045",
    ]);
  });

  test("HTTP-6/id-window a window that Discord does not move is not read twice", async () => {
    const given = { channel_id: CHANNEL, limit: 2, after: "334385199974967046" };
    expect(await home.call("discord_channel_messages", given)).toEqual({
      code: 0,
      value: { items: [FOUR, THREE], truncated: true },
    });
    expect((await lab.calls()).map(({ query }) => query)).toEqual([
      "limit=2&after=334385199974967046",
      "limit=2&after=334385199974967046&before=334385199974967047",
    ]);
  });

  test("discord_list_members: resources/guild#list-guild-members", async () => {
    const member = (id: string, username: string, nick: string | null): object => ({
      user: { id, username, discriminator: "0", global_name: null, avatar: null },
      nick,
      roles: ["41771983423143936"],
      joined_at: "2015-04-26T06:26:56.936000+00:00",
    });
    const given = { guild_id: GUILD, limit: 2, after: "53908099506183680" };
    expect(await home.call("discord_list_members", given)).toEqual({
      code: 0,
      value: [member("80351110224678912", "nelly", null), member("114941315417899012", "owner", "the owner")],
    });
    expect(await lab.calls()).toEqual([get(`/api/v10/guilds/${GUILD}/members`, "limit=2&after=53908099506183680")]);
  });

  test("HTTP-7/path-encoded an id that is a path stays one segment and finds nothing", async () => {
    const refused = await home.call("discord_get_guild", { guild_id: "../users/@me?x=1#y" });
    expect(refused).toMatchObject({
      code: 1,
      error: { code: "request_failed", message: expect.stringMatching(/^request failed \(400\)\. .*"code":50035/) },
    });
    expect(await lab.calls()).toEqual([get("/api/v10/guilds/..%2Fusers%2F%40me%3Fx%3D1%23y", "with_counts=true")]);
  });

  test("HTTP-10/own-message a server it is not in, an unknown one, and a form that Discord refuses", async () => {
    expect(await home.call("discord_list_channels", { guild_id: "613425648685547541" })).toMatchObject({
      code: 1,
      error: { code: "permission_denied", message: 'permission denied. {"message":"Missing Access","code":50001}' },
    });
    expect(await home.call("discord_get_guild", { guild_id: "1" })).toMatchObject({
      code: 1,
      error: { code: "request_failed", message: 'request failed (404). {"message":"Unknown Guild","code":10004}' },
    });
    expect(await home.call("discord_channel_messages", { channel_id: CHANNEL, limit: 101 })).toMatchObject({
      code: 1,
      error: { code: "request_failed", message: expect.stringContaining('{"limit":{"_errors":[{"code":') },
    });
    expect(await lab.calls()).toHaveLength(3);
  });

  test("HTTP-10/rate-limit 429 names how long to wait: topics/rate-limits", async () => {
    await lab.prepare({
      host: "discord.com",
      path: MESSAGES,
      answers: [
        {
          status: 429,
          headers: { "retry-after": "65", "x-ratelimit-scope": "user", "x-ratelimit-reset-after": "64.57" },
          body: { message: "You are being rate limited.", retry_after: 64.57, global: false },
        },
      ],
    });
    expect(await home.call("discord_channel_messages", { channel_id: CHANNEL })).toMatchObject({
      code: 1,
      error: { code: "rate_limited", message: "rate-limited retry after 65s" },
    });
    expect(await lab.calls()).toEqual([get(MESSAGES, "limit=50")]);
  });

  test("AUTH-6/api-key a wrong token is told from a right one, and sent once", async () => {
    using wrong = await lab.home({ plugins: ["discord"], keys: { discord: "not-the-token" } });
    expect(await wrong.call("discord_list_guilds")).toMatchObject({
      code: 4,
      error: {
        code: "api_key_rejected",
        message: "API key rejected — update it with `fermix plugins auth set discord`",
      },
    });
    expect(await lab.calls()).toMatchObject([{ headers: { authorization: "Bot not-the-token" } }]);
  });
});
