/** The stand-ins of Slack, Discord and AgentMail take only what is documented; everything else gets the provider's own error (DECISIONS 46). */
import { describe, expect, test } from "bun:test";
import { standIn as agentmail } from "./agentmail.ts";
import { standIn as discord } from "./discord.ts";
import { standIn as slack } from "./slack.ts";

const SLACK = { authorization: "Bearer xoxb-lab-token" };
const AGENT = "DiscordBot (https://example.com, 1.0.0)";
const DISCORD = { authorization: "Bot lab-discord-token", "user-agent": AGENT };
const AGENTMAIL = { authorization: "Bearer am_lab_key" };
const JSON_TYPE = { "content-type": "application/json" };

type Headers = Readonly<Record<string, string>>;
type Row = readonly [what: string, line: string, headers: Headers, body: string, answer: string];

const CASES: readonly (readonly [string, typeof slack, readonly Row[]])[] = [
  [
    "slack",
    slack,
    [
      [
        "method",
        "GET /api/files.list",
        SLACK,
        "",
        '200 {"ok":false,"error":"unknown_method","req_method":"files.list"}',
      ],
      ["verb", "POST /api/team.info", SLACK, "", '200 {"ok":false,"error":"unknown_method","req_method":"team.info"}'],
      ["no token", "GET /api/team.info", {}, "", '200 {"ok":false,"error":"not_authed"}'],
      [
        "scheme",
        "GET /api/team.info",
        { authorization: "Bot xoxb-lab-token" },
        "",
        '200 {"ok":false,"error":"invalid_auth"}',
      ],
      ["limit", "GET /api/users.list?limit=1001", SLACK, "", '200 {"ok":false,"error":"invalid_limit"}'],
      ["types", "GET /api/conversations.list?types=all", SLACK, "", '200 {"ok":false,"error":"invalid_types"}'],
      ["twice", "GET /api/users.list?limit=1&limit=2", SLACK, "", '200 {"ok":false,"error":"invalid_limit"}'],
      [
        "argument",
        "GET /api/users.list?page=2",
        SLACK,
        "",
        '200 {"ok":false,"error":"invalid_arguments","response_metadata":{"messages":["[ERROR] unknown argument: page"]}}',
      ],
      [
        "required",
        "GET /api/conversations.history",
        SLACK,
        "",
        '200 {"ok":false,"error":"invalid_arguments","response_metadata":{"messages":["[ERROR] missing required field: channel"]}}',
      ],
    ],
  ],
  [
    "discord",
    discord,
    [
      ["route", "GET /api/v9/users/@me/guilds", DISCORD, "", '404 {"message":"404: Not Found","code":0}'],
      [
        "scheme",
        "GET /api/v10/users/@me/guilds",
        { ...DISCORD, authorization: "Bearer lab-discord-token" },
        "",
        '401 {"message":"401: Unauthorized","code":0}',
      ],
      [
        "user agent",
        "GET /api/v10/users/@me/guilds",
        { ...DISCORD, "user-agent": "fermix" },
        "",
        "403 <!DOCTYPE html><title>Access denied | discord.com used Cloudflare to restrict access</title>error 1010",
      ],
      [
        "limit",
        "GET /api/v10/users/@me/guilds?limit=0",
        DISCORD,
        "",
        '400 {"message":"Invalid Form Body","code":50035,"errors":{"limit":{"_errors":[{"code":"BASE_TYPE_BAD_VALUE","message":"Value \\"0\\" is not between 1 and 200."}]}}}',
      ],
      [
        "parameter",
        "GET /api/v10/users/@me/guilds?cursor=1",
        DISCORD,
        "",
        '400 {"message":"Invalid Form Body","code":50035,"errors":{"cursor":{"_errors":[{"code":"UNKNOWN_FIELD","message":"Unknown field."}]}}}',
      ],
    ],
  ],
  [
    "agentmail",
    agentmail,
    [
      ["route", "GET /v1/inboxes", AGENTMAIL, "", '403 {"message":"Forbidden"}'],
      ["no key", "GET /v0/inboxes", {}, "", '403 {"message":"Forbidden"}'],
      [
        "limit",
        "GET /v0/inboxes?limit=101",
        AGENTMAIL,
        "",
        '400 {"name":"ValidationError","errors":[{"path":["limit"],"message":"\\"101\\" is not between 1 and 100"}]}',
      ],
      [
        "field",
        "POST /v0/inboxes",
        { ...AGENTMAIL, ...JSON_TYPE },
        '{"user":"a"}',
        '400 {"name":"ValidationError","errors":[{"path":["user"],"message":"Unrecognized key"}]}',
      ],
      [
        "no type",
        "POST /v0/inboxes",
        AGENTMAIL,
        '{"username":"a"}',
        '400 {"name":"ValidationError","errors":[{"path":[""],"message":"Invalid JSON"}]}',
      ],
    ],
  ],
];

for (const [name, standIn, rows] of CASES) {
  describe(name, () => {
    test.each(rows)("%s", async (_what, line, headers, body, answer) => {
      const [method, path] = line.split(" ");
      const url = `https://${standIn.hosts[0]}${path}`;
      const init = { method: method ?? "", headers, ...(body === "" ? {} : { body: new TextEncoder().encode(body) }) };
      const reply = await standIn.handle(new Request(url, init));
      expect(`${reply.status} ${await reply.text()}`).toBe(answer);
    });
  });
}
