/** The GitHub plugin, unmodified, against a stand-in of GitHub: every tool's request whole, and GitHub's own refusals. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

/** Each call is a process of its own, on a machine that may be busy. */
setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const API = "https://api.github.com";
const HEADERS = {
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
  authorization: "Bearer lab-github-token",
};
const SIGN_IN = {
  provider: "github",
  accessToken: "lab-github-token",
  refreshToken: null,
  endsInSeconds: null,
} as const;
const HELLO = { owner: "octocat", repo: "Hello-World" };

const BUG = {
  id: 9007199254740992,
  node_id: "MDU6TGFiZWwyMDgwNDU5NDY=",
  url: `${API}/repos/octocat/Hello-World/labels/bug`,
  name: "bug",
  description: "Something isn't working",
  color: "f29513",
  default: true,
};
const ISSUE = {
  number: 1347,
  title: "Found a bug",
  state: "open",
  html_url: "https://github.com/octocat/Hello-World/issues/1347",
  body: "I'm having a problem with this. 🐙",
  labels: [BUG],
  created_at: "2011-04-22T13:33:48Z",
  updated_at: "2011-04-23T13:33:48Z",
};
const PULL = {
  number: 1349,
  title: "Amazing new feature",
  state: "open",
  html_url: "https://github.com/octocat/Hello-World/pull/1349",
  body: null,
  labels: [],
  created_at: "2011-04-22T13:33:48Z",
  updated_at: "2011-04-23T13:33:48Z",
};
const CLOSED = {
  ...ISSUE,
  number: 1348,
  title: "Fixed long ago",
  state: "closed",
  html_url: "https://github.com/octocat/Hello-World/issues/1348",
  body: null,
  labels: [],
};
const REPO = {
  full_name: "octocat/Hello-World",
  description: "This your first repo!",
  private: false,
  html_url: "https://github.com/octocat/Hello-World",
  updated_at: "2026-11-20T10:00:00Z",
};
const SECRET_REPO = {
  full_name: "octocat/secret-plans",
  description: null,
  private: true,
  html_url: "https://github.com/octocat/secret-plans",
  updated_at: "2026-11-19T10:00:00Z",
};

interface Flow {
  readonly tool: string;
  /** The page below https://docs.github.com/en/rest that documents the request. */
  readonly page: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly line: string;
  readonly body?: string;
  readonly value: unknown;
}

const FLOWS: readonly Flow[] = [
  {
    tool: "github_get_me",
    page: "users/users#get-the-authenticated-user",
    args: {},
    line: `GET ${API}/user`,
    value: {
      login: "octocat",
      name: "Mona Octocat",
      email: "octocat@example.com",
      html_url: "https://github.com/octocat",
      company: null,
      created_at: "2008-01-14T04:33:35Z",
    },
  },
  {
    tool: "github_list_repos",
    page: "repos/repos#list-repositories-for-the-authenticated-user",
    args: {},
    line: `GET ${API}/user/repos?visibility=all&sort=updated&per_page=30&page=1`,
    value: [REPO, SECRET_REPO],
  },
  {
    tool: "github_list_repos",
    page: "repos/repos#list-repositories-for-the-authenticated-user",
    args: { visibility: "private", sort: "full_name", per_page: 100, page: 1, made_up: "dropped" },
    line: `GET ${API}/user/repos?visibility=private&sort=full_name&per_page=100&page=1`,
    value: [SECRET_REPO],
  },
  {
    tool: "github_list_issues",
    page: "issues/issues#list-repository-issues",
    args: HELLO,
    line: `GET ${API}/repos/octocat/Hello-World/issues?state=open&per_page=30&page=1`,
    value: [ISSUE, PULL],
  },
  {
    tool: "github_list_issues",
    page: "issues/issues#list-repository-issues",
    args: { ...HELLO, state: "all", labels: "bug,good first issue & more", per_page: 5 },
    line: `GET ${API}/repos/octocat/Hello-World/issues?state=all&labels=bug%2Cgood%20first%20issue%20%26%20more&per_page=5&page=1`,
    value: [],
  },
  {
    tool: "github_get_issue",
    page: "issues/issues#get-an-issue",
    args: { ...HELLO, number: 1347 },
    line: `GET ${API}/repos/octocat/Hello-World/issues/1347`,
    value: ISSUE,
  },
  {
    tool: "github_create_issue",
    page: "issues/issues#create-an-issue",
    args: { ...HELLO, title: "Ein Fehler: „ü“ 🐙", body: "line one\nline two", labels: ["bug", "help wanted"] },
    line: `POST ${API}/repos/octocat/Hello-World/issues`,
    body: `{"title":"Ein Fehler: „ü“ 🐙","body":"line one\\nline two","labels":["bug","help wanted"]}`,
    value: {
      number: 1350,
      title: "Ein Fehler: „ü“ 🐙",
      state: "open",
      html_url: "https://github.com/octocat/Hello-World/issues/1350",
      created_at: "2011-04-22T13:33:48Z",
    },
  },
  {
    tool: "github_create_issue",
    page: "issues/issues#create-an-issue",
    args: { ...HELLO, title: "Only a title", labels: '["bug"]' },
    line: `POST ${API}/repos/octocat/Hello-World/issues`,
    body: `{"title":"Only a title","labels":["bug"]}`,
    value: {
      number: 1350,
      title: "Only a title",
      state: "open",
      html_url: "https://github.com/octocat/Hello-World/issues/1350",
      created_at: "2011-04-22T13:33:48Z",
    },
  },
  {
    tool: "github_add_issue_comment",
    page: "issues/comments#create-an-issue-comment",
    args: { ...HELLO, number: 1347, body: "Me too" },
    line: `POST ${API}/repos/octocat/Hello-World/issues/1347/comments`,
    body: `{"body":"Me too"}`,
    value: {
      id: 9007199254740992,
      html_url: "https://github.com/octocat/Hello-World/issues/1347#issuecomment-9007199254740993",
      created_at: "2026-11-30T20:09:31Z",
    },
  },
  {
    tool: "github_list_pull_requests",
    page: "pulls/pulls#list-pull-requests",
    args: { ...HELLO, state: "all" },
    line: `GET ${API}/repos/octocat/Hello-World/pulls?state=all&per_page=30&page=1`,
    value: [PULL],
  },
  {
    tool: "github_get_pull_request",
    page: "pulls/pulls#get-a-pull-request",
    args: { ...HELLO, number: 1349 },
    line: `GET ${API}/repos/octocat/Hello-World/pulls/1349`,
    value: PULL,
  },
  {
    tool: "github_search_issues",
    page: "search/search#search-issues-and-pull-requests",
    args: { q: 'repo:octocat/Hello-World is:open label:"help wanted"' },
    line: `GET ${API}/search/issues?q=repo%3Aoctocat%2FHello-World%20is%3Aopen%20label%3A%22help%20wanted%22&per_page=30&page=1`,
    value: [ISSUE, CLOSED, PULL],
  },
  {
    tool: "github_search_repos",
    page: "search/search#search-repositories",
    args: { q: "language:c++ stars:>10", per_page: 1, page: 2 },
    line: `GET ${API}/search/repositories?q=language%3Ac%2B%2B%20stars%3A%3E10&per_page=1&page=2`,
    value: [SECRET_REPO],
  },
];

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["github"]);
    home = await lab.home({ plugins: ["github"], signIns: { "github:primary": SIGN_IN } });
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test.each([...FLOWS])("$tool sends what docs.github.com/en/rest/$page documents: $line", async (flow) => {
    expect(await home.call(flow.tool, flow.args)).toEqual({ code: 0, value: flow.value });
    expect(await lab.calls()).toEqual([sent(flow.line, HEADERS, flow.body)]);
  });

  test("every tool of the plugin has a flow", async () => {
    const listed = await home.agent(async (client) => (await client.listTools()).tools.map(({ name }) => name));
    expect([...new Set(FLOWS.map(({ tool }) => tool))].sort()).toEqual(listed.sort());
    expect(await lab.calls()).toEqual([]);
  });

  test("ids above 2^53 keep their digits on their way to the agent", async () => {
    const { stdout } = await home.inLab([
      "call",
      "github_add_issue_comment",
      "--json",
      "--args",
      JSON.stringify({ ...HELLO, number: 1347, body: "b" }),
    ]);
    expect(JSON.parse(stdout).content[0].text).toContain(`"id":9007199254740993,`);
    const text = await home.agent(async (client) => {
      const { content } = await client.callTool({ name: "github_get_issue", arguments: { ...HELLO, number: 1347 } });
      return (content as { text: string }[])[0]?.text;
    });
    expect(text).toContain(`"labels":[{"id":9007199254740993,`);
    await lab.calls();
  });

  test("a path value stays one segment: slashes, dots and percent signs reach GitHub encoded", async () => {
    const answer = await home.call("github_get_issue", { owner: "octo/cat", repo: "../../user?x=#%2e", number: 1 });
    expect(answer).toMatchObject({ code: 1, error: { code: "request_failed", details: { status: 404 } } });
    const [call, ...others] = await lab.calls();
    expect([call?.path, call?.query, others]).toEqual([
      "/repos/octo%2Fcat/..%2F..%2Fuser%3Fx%3D%23%252e/issues/1",
      "",
      [],
    ]);
  });

  test("HTTP-10/own-message GitHub's 404 and 422 come with what GitHub says", async () => {
    expect(await home.call("github_get_issue", { ...HELLO, number: 77 })).toMatchObject({
      code: 1,
      error: {
        code: "request_failed",
        message: `request failed (404). {"message":"Not Found","documentation_url":"https://docs.github.com/rest","status":"404"}`,
      },
    });
    expect(await home.call("github_list_repos", { per_page: 500 })).toMatchObject({
      error: {
        message: `request failed (422). {"message":"Invalid request.\\n\\nFor 'per_page', \\"500\\" is not between 1 and 100.","documentation_url":"https://docs.github.com/rest","status":"422"}`,
      },
    });
    await lab.calls();
  });

  // docs.github.com/en/rest/using-the-rest-api/best-practices-for-using-the-rest-api#follow-redirects: a renamed repository
  test("HTTP-3/names-status-and-location a repository that moved is named with where it went, and not followed", async () => {
    const path = "/repos/octocat/Hello-World/issues/1347";
    const location = "https://api.github.com/repositories/1296269/issues/1347";
    const body = { message: "Moved Permanently", url: location };
    await lab.prepare({ host: "api.github.com", path, answers: [{ status: 301, headers: { location }, body }] });
    expect(await home.call("github_get_issue", { ...HELLO, number: 1347 })).toMatchObject({
      code: 5,
      error: { code: "redirect_refused", details: { status: 301, location } },
    });
    expect(await lab.calls()).toEqual([sent(`GET https://api.github.com${path}`, HEADERS)]);
  });

  test.each([
    [410, "Issues are disabled for this repo", "request_failed", "request failed (410)."],
    [451, "Repository access blocked", "request_failed", "request failed (451)."],
    [503, "Service unavailable", "provider_error", "provider error (503)."],
  ])("HTTP-10/own-message a write that GitHub answers with %i is sent once", async (status, message, code, starts) => {
    const path = "/repos/octocat/Hello-World/issues";
    const body = { message, documentation_url: "https://docs.github.com/rest" };
    await lab.prepare({ host: "api.github.com", method: "POST", path, answers: [{ status, body }] });
    expect(await home.call("github_create_issue", { ...HELLO, title: "t" })).toMatchObject({
      code: 1,
      error: { code, message: `${starts} ${JSON.stringify(body)}` },
    });
    expect((await lab.calls()).length).toBe(1);
  });

  const LIMITED = {
    message: "API rate limit exceeded for user ID 1.",
    documentation_url: "https://docs.github.com/rest",
  };
  test.each([
    [
      "a 403 with nothing left",
      403,
      { "x-ratelimit-remaining": "0", "x-ratelimit-limit": "5000" },
      LIMITED,
      "rate-limited",
    ],
    ["a 429 with Retry-After", 429, { "retry-after": "17" }, LIMITED, "rate-limited retry after 17s"],
    ["a 403 with Retry-After", 403, { "retry-after": "60" }, LIMITED, "rate-limited retry after 60s"],
    [
      "a secondary limit that only its message tells",
      403,
      { "x-ratelimit-remaining": "14" },
      { message: "You have exceeded a secondary rate limit. Please wait a few minutes before you try again." },
      "rate-limited",
    ],
  ])("HTTP-10/rate-limit %s is a rate limit, asked once", async (_what, status, headers, body, message) => {
    await lab.prepare({ host: "api.github.com", path: "/user", answers: [{ status, headers, body }] });
    expect(await home.call("github_get_me")).toMatchObject({ code: 1, error: { code: "rate_limited", message } });
    expect(await lab.calls()).toEqual([sent(`GET ${API}/user`, HEADERS)]);
  });

  test("HTTP-10/rate-limit a used-up budget with a reset moment says how long to wait", async () => {
    const reset = Math.ceil(Date.now() / 1000) + 900;
    const headers = { "x-ratelimit-remaining": "0", "x-ratelimit-reset": `${reset}` };
    await lab.prepare({ host: "api.github.com", path: "/user", answers: [{ status: 403, headers, body: LIMITED }] });
    const answer = await home.call("github_get_me");
    const { retryAfterSeconds } = ("error" in answer ? answer.error.details : {}) as { retryAfterSeconds?: number };
    expect(retryAfterSeconds).toBeGreaterThan(600);
    expect(retryAfterSeconds).toBeLessThanOrEqual(901);
    await lab.calls();
  });
});
