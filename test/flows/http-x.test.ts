/** The X plugin, unmodified, against a stand-in of X: every tool's request whole, its pages, its problem details. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

/** Each call is a process of its own, on a machine that may be busy. */
setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const API = "https://api.x.com/2";
const HEADERS = { authorization: "Bearer lab-x-token" };
const SCOPES = ["tweet.read", "users.read", "tweet.write", "like.write", "offline.access"];
const SIGN_IN = { provider: "x", accessToken: "lab-x-token", grantedScopes: SCOPES } as const;

const ME = "2244994945";
const POST = "1850000000000000000";
const ADA = { id: "783214", name: "Ada", username: "ada" };
/** What every reading of posts asks for besides. */
const FIELDS = "expansions=author_id&user.fields=username%2Cname&tweet.fields=created_at%2Cpublic_metrics";

/** The n-th post of the stand-in, newest first. */
const post = (n: number) => {
  const id = String(1_850_000_000_000_000_000n - BigInt(n - 1) * 1000n);
  return {
    id,
    text: `Post ${n}`,
    edit_history_tweet_ids: [id],
    created_at: "2026-11-30T10:00:00.000Z",
    public_metrics: { retweet_count: 1, reply_count: 2, like_count: 3, quote_count: 4 },
    author_id: "783214",
  };
};
const timeline = (from: number, to: number, next?: string) => ({
  data: Array.from({ length: to - from + 1 }, (_, at) => post(from + at)),
  includes: { users: [ADA] },
  meta: {
    result_count: to - from + 1,
    newest_id: post(from).id,
    oldest_id: post(to).id,
    ...(next === undefined ? {} : { next_token: next }),
  },
});

interface Flow {
  readonly tool: string;
  /** The page below https://docs.x.com/x-api that documents the request. */
  readonly page: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly line: string;
  readonly body?: string;
  readonly value: unknown;
}

const FLOWS: readonly Flow[] = [
  {
    tool: "x_whoami",
    page: "users/get-my-user",
    args: {},
    line: `GET ${API}/users/me`,
    value: { data: { id: ME, name: "X Dev", username: "XDevelopers" } },
  },
  {
    tool: "x_get_user",
    page: "users/get-user-by-username",
    args: { username: "ada" },
    line: `GET ${API}/users/by/username/ada?user.fields=description%2Cpublic_metrics%2Cverified%2Ccreated_at`,
    value: {
      data: {
        ...ADA,
        created_at: "2013-12-14T04:35:55.000Z",
        description: "The voice of the X Dev team",
        verified: true,
        public_metrics: { followers_count: 513_868, following_count: 2018, tweet_count: 3961, listed_count: 1672 },
      },
    },
  },
  {
    tool: "x_search_posts",
    page: "posts/search-recent-posts",
    args: { query: "from:ada (snow OR #❄) -is:retweet" },
    line: `GET ${API}/tweets/search/recent?query=from%3Aada%20(snow%20OR%20%23%E2%9D%84)%20-is%3Aretweet&max_results=10&${FIELDS}`,
    value: timeline(1, 10, "labpage10"),
  },
  {
    tool: "x_search_posts",
    page: "posts/search/integrate/paginate",
    args: { query: "snow", max_results: 20, since_id: "1849999999999970000", pagination_token: "labpage20" },
    line: `GET ${API}/tweets/search/recent?query=snow&max_results=20&since_id=1849999999999970000&pagination_token=labpage20&${FIELDS}`,
    value: timeline(21, 25),
  },
  {
    tool: "x_get_post",
    page: "posts/get-post-by-id",
    args: { id: POST },
    line: `GET ${API}/tweets/${POST}?${FIELDS}`,
    value: { data: post(1), includes: { users: [ADA] } },
  },
  {
    tool: "x_user_posts",
    page: "users/get-posts",
    args: { user_id: ADA.id, max_results: 5, exclude: "replies,retweets" },
    line: `GET ${API}/users/783214/tweets?max_results=5&exclude=replies%2Cretweets&${FIELDS}`,
    value: timeline(1, 5, "labpage5"),
  },
  {
    tool: "x_mentions",
    page: "users/get-mentions",
    args: { user_id: ME, since_id: POST },
    line: `GET ${API}/users/${ME}/mentions?max_results=10&since_id=${POST}&${FIELDS}`,
    value: { meta: { result_count: 0 } },
  },
  {
    tool: "x_home_timeline",
    page: "users/get-timeline",
    args: { user_id: ME, max_results: 1, pagination_token: "labpage24" },
    line: `GET ${API}/users/${ME}/timelines/reverse_chronological?max_results=1&pagination_token=labpage24&${FIELDS}`,
    value: timeline(25, 25),
  },
  {
    tool: "x_create_post",
    page: "posts/create-post",
    args: { text: "Hello, wörld 🐙" },
    line: `POST ${API}/tweets`,
    body: `{"text":"Hello, wörld 🐙"}`,
    value: {
      data: { id: "1850000000000001000", text: "Hello, wörld 🐙", edit_history_tweet_ids: ["1850000000000001000"] },
    },
  },
  {
    tool: "x_create_post",
    page: "posts/create-post",
    args: { text: "Indeed", reply_to_post_id: POST },
    line: `POST ${API}/tweets`,
    body: `{"text":"Indeed","reply":{"in_reply_to_tweet_id":"${POST}"}}`,
    value: { data: { id: "1850000000000001000", text: "Indeed", edit_history_tweet_ids: ["1850000000000001000"] } },
  },
  {
    tool: "x_delete_post",
    page: "posts/delete-post",
    args: { id: POST },
    line: `DELETE ${API}/tweets/${POST}`,
    value: { data: { deleted: true } },
  },
  {
    tool: "x_like_post",
    page: "users/like-post",
    args: { user_id: ME, post_id: POST },
    line: `POST ${API}/users/${ME}/likes`,
    body: `{"tweet_id":"${POST}"}`,
    value: { data: { liked: true } },
  },
  {
    tool: "x_repost",
    page: "users/repost-post",
    args: { user_id: ME, post_id: POST },
    line: `POST ${API}/users/${ME}/retweets`,
    body: `{"tweet_id":"${POST}"}`,
    value: { data: { retweeted: true, rest_id: POST } },
  },
];

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["x"]);
    home = await lab.home({ plugins: ["x"], signIns: { "x:primary": SIGN_IN } });
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test.each([...FLOWS])("$tool sends what docs.x.com/x-api/$page documents: $line", async (flow) => {
    expect(await home.call(flow.tool, flow.args)).toEqual({ code: 0, value: flow.value });
    expect(await lab.calls()).toEqual([sent(flow.line, HEADERS, flow.body)]);
  });

  test("every tool of the plugin has a flow", async () => {
    const listed = await home.agent(async (client) => (await client.listTools()).tools.map(({ name }) => name));
    expect([...new Set(FLOWS.map(({ tool }) => tool))].sort()).toEqual(listed.sort());
  });

  test("an agent reads a whole timeline by the tokens it is given, which nothing masks", async () => {
    const seen: string[] = [];
    await home.agent(async (client) => {
      for (let token: string | undefined = ""; token !== undefined; ) {
        const args = { user_id: ADA.id, ...(token === "" ? {} : { pagination_token: token }) };
        const { content } = await client.callTool({ name: "x_user_posts", arguments: args });
        const page = JSON.parse((content as { text: string }[])[0]?.text ?? "");
        seen.push(...page.data.map(({ text }: { text: string }) => text));
        token = page.meta.next_token;
      }
    });
    expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => `Post ${at + 1}`));
    expect((await lab.calls()).length).toBe(3);
  });

  // docs.x.com/x-api/fundamentals/response-codes-and-errors
  test.each([
    ["x_get_post", { id: "20" }, "Could not find tweet with id: [20]."],
    ["x_get_user", { username: "nobody" }, "Could not find user with username: [nobody]."],
  ])("HTTP-9/x %s: a 200 with errors and no data is an error", async (tool, args, detail) => {
    const answer = await home.call(tool, args);
    expect(answer).toMatchObject({ code: 1, error: { code: "provider_failed", details: { status: 200 } } });
    expect("error" in answer && answer.error.message).toContain(detail);
    await lab.calls();
  });

  test("HTTP-9/x a 200 with data and errors is the part that X found", async () => {
    const partial = {
      data: [{ id: "1", text: "found" }],
      errors: [{ title: "Not Found Error", resource_id: "2", type: "https://api.x.com/2/problems/resource-not-found" }],
    };
    await lab.prepare({ host: "api.x.com", path: `/2/tweets/${POST}`, answers: [{ body: partial }] });
    expect(await home.call("x_get_post", { id: POST })).toEqual({ code: 0, value: partial });
    await lab.calls();
  });

  test.each([
    [
      "x_search_posts",
      { query: "snow", max_results: 5 },
      "request_failed",
      `request failed (400). {"errors":[{"parameters":{"max_results":["5"]},"message":"The \`max_results\` query parameter value [5] is not between 10 and 100"}],"title":"Invalid Request","detail":"One or more parameters to your request was invalid.","type":"https://api.x.com/2/problems/invalid-request","status":400}`,
    ],
    [
      "x_create_post",
      { text: "Post 1" },
      "permission_denied",
      `permission denied (requires: tweet.read, users.read, tweet.write). {"title":"Forbidden","detail":"You are not allowed to create a Tweet with duplicate content.","type":"about:blank","status":403}`,
    ],
    [
      "x_like_post",
      { user_id: ADA.id, post_id: POST },
      "request_failed",
      `request failed (400). {"errors":[{"parameters":{"id":["783214"]},"message":"The \`id\` query parameter value [783214] must be the same as the authenticating user [2244994945]"}],"title":"Invalid Request","detail":"One or more parameters to your request was invalid.","type":"https://api.x.com/2/problems/invalid-request","status":400}`,
    ],
  ])("HTTP-10/own-message %s %j keeps X's problem details", async (tool, args, code, message) => {
    expect(await home.call(tool, args)).toMatchObject({ code: 1, error: { code, message } });
    expect((await lab.calls()).length).toBe(1);
  });

  // docs.x.com/x-api/fundamentals/rate-limits: no Retry-After, but the moment at which the window ends
  test("HTTP-10/rate-limit a 429 names the wait until the window ends", async () => {
    const reset = Math.ceil(Date.now() / 1000) + 900;
    const headers = {
      "content-type": "application/problem+json",
      "x-rate-limit-limit": "900",
      "x-rate-limit-remaining": "0",
      "x-rate-limit-reset": `${reset}`,
    };
    const body = { title: "Too Many Requests", detail: "Too Many Requests", type: "about:blank", status: 429 };
    await lab.prepare({ host: "api.x.com", path: "/2/users/me", answers: [{ status: 429, headers, body }] });
    const answer = await home.call("x_whoami");
    expect(answer).toMatchObject({ code: 1, error: { code: "rate_limited" } });
    const { retryAfterSeconds } = ("error" in answer ? answer.error.details : {}) as { retryAfterSeconds?: number };
    expect(retryAfterSeconds).toBeGreaterThan(600);
    expect(retryAfterSeconds).toBeLessThanOrEqual(901);
    await lab.calls();
  });
});
