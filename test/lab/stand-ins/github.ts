/** GitHub's REST API and its token endpoint, from docs.github.com/en/rest and docs.github.com/en/apps. */

import { SignInDesk } from "../sign-in-desk.ts";
import { json, type StandIn } from "../stand-in.ts";
import {
  type Admitted,
  answerStrictly,
  type Checks,
  like,
  list,
  type Operation,
  oneOf,
  text,
  whole,
} from "../strict-api.ts";
import { bearerOf, LAB_CLIENT, type Session, TokenBook } from "../token-book.ts";
import { createdComment, createdIssue, ISSUES, ME, PEOPLE, PULLS, REPOSITORIES } from "./github-data.ts";

const DOCS = "https://docs.github.com/rest";
const VERSION = "2022-11-28";

const SCOPES = ["read:user", "repo"];
const tokens = new TokenBook("lab-github", SCOPES, { "lab-github-narrow": ["read:user"] });
/** docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps: a loopback address may have any port. */
const desk = new SignInDesk({
  tokens,
  prefix: "lab-github",
  redirectUri: "http://127.0.0.1/auth/callback",
  anyPort: true,
  members: { scope: SCOPES.join(" ") },
  issuer: "https://github.com/login/oauth",
});

const RATE = {
  "x-ratelimit-limit": "5000",
  "x-ratelimit-remaining": "4987",
  "x-ratelimit-used": "13",
  "x-ratelimit-reset": "1796076000",
  "x-ratelimit-resource": "core",
  "x-github-media-type": "github.v3; format=json",
};

const answer = (body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response =>
  json(body, status, { ...RATE, ...headers });

const failure = (status: number, message: string, more: object = {}, page = DOCS): Response =>
  answer({ message, ...more, documentation_url: page, status: String(status) }, status);

const invalid = (message: string): Response => failure(422, `Invalid request.\n\n${message}`);

/** What https://docs.github.com/en/rest/using-the-rest-api/troubleshooting-the-rest-api says of each fault. */
const refusals = {
  unknownRoute: () => failure(404, "Not Found"),
  admit,
  notJson: () => failure(400, "Problems parsing JSON"),
  unknownField: (_where: unknown, name: string) => invalid(`"${name}" is not a permitted key.`),
  missingField: (_where: unknown, name: string) => invalid(`"${name}" wasn't supplied.`),
  wrongField: (_where: unknown, name: string, value: unknown, reason: string) =>
    name in WHOLE_PATH ? failure(404, "Not Found") : invalid(`For '${name}', ${JSON.stringify(value)} ${reason}.`),
};

function admit(request: Request, scopes: readonly string[]): Response | undefined {
  const { headers } = request;
  if (!headers.get("user-agent")) {
    return new Response(
      "Request forbidden by administrative rules. Please make sure your request has a User-Agent header.",
      {
        status: 403,
      },
    );
  }
  if (headers.get("accept") !== "application/vnd.github+json") {
    return failure(415, `Unsupported 'Accept' header: ${headers.get("accept")}. Must accept 'application/json'.`);
  }
  const version = headers.get("x-github-api-version");
  if (version !== VERSION) return failure(400, `"${version}" is not a supported version.`);
  const token = bearerOf(request);
  if (token === undefined) return failure(401, "Requires authentication");
  const granted = tokens.scopesOf(token);
  if (granted === undefined) return failure(401, "Bad credentials");
  if (scopes.every((scope) => granted.includes(scope))) return undefined;
  return answer({ message: "Resource not accessible by integration", documentation_url: DOCS, status: "403" }, 403, {
    "x-oauth-scopes": granted.join(", "),
    "x-accepted-oauth-scopes": scopes.join(", "),
  });
}

const PAGES: Checks = { per_page: whole(1, 100), page: whole(1, 1_000_000) };
const STATE = oneOf("open", "closed", "all");
const DIRECTION = oneOf("asc", "desc");
/** Only this owner and this repository exist; another one is not found, and so is another number. */
const WHOLE_PATH: Checks = { owner: like(/^octocat$/i), repo: like(/^hello-world$/i), number: whole(1, 99_999) };
const REPO_PATH: Checks = { owner: WHOLE_PATH["owner"] ?? text, repo: WHOLE_PATH["repo"] ?? text };

function page<Item>(items: readonly Item[], { query }: Admitted): readonly Item[] {
  const size = Number(query["per_page"] ?? 30);
  const from = (Number(query["page"] ?? 1) - 1) * size;
  return items.slice(from, from + size);
}

function byNumber<Item extends { readonly number: number }>(items: readonly Item[], { path }: Admitted): Response {
  const found = items.find(({ number }) => String(number) === path["number"]);
  return found === undefined ? failure(404, "Not Found") : answer(found);
}

const inState = <Item extends { readonly state: string }>(items: readonly Item[], state = "open"): readonly Item[] =>
  items.filter((item) => state === "all" || item.state === state);

const found = (items: readonly object[], { query }: Admitted): Response =>
  answer({
    total_count: items.length,
    incomplete_results: false,
    items: page(items, { query } as Admitted).map((item) => ({ ...item, score: 1 })),
  });

/** Each with every parameter of its page in the reference, named beside it. */
const OPERATIONS: readonly Operation[] = [
  // /en/rest/users/users#get-the-authenticated-user
  { route: "GET /user", scopes: ["read:user"], answer: () => answer(ME) },
  // /en/rest/users/users#list-users
  {
    route: "GET /users",
    query: { since: whole(0, 999_999_999), per_page: whole(1, 100) },
    answer: ({ query: { since = 0, per_page = 30 } }) =>
      answer(PEOPLE.filter(({ id }) => id > Number(since)).slice(0, Number(per_page))),
  },
  // /en/rest/repos/repos#list-repositories-for-the-authenticated-user
  {
    route: "GET /user/repos",
    scopes: ["repo"],
    query: {
      ...PAGES,
      visibility: oneOf("all", "public", "private"),
      affiliation: text,
      type: oneOf("all", "owner", "public", "private", "member"),
      sort: oneOf("created", "updated", "pushed", "full_name"),
      direction: DIRECTION,
      since: text,
      before: text,
    },
    answer: (admitted) => {
      const { visibility = "all" } = admitted.query;
      const visible = REPOSITORIES.filter((repo) => visibility === "all" || repo.visibility === visibility);
      return answer(page(visible, admitted));
    },
  },
  // /en/rest/issues/issues#list-repository-issues
  {
    route: "GET /repos/{owner}/{repo}/issues",
    scopes: ["repo"],
    path: REPO_PATH,
    query: {
      ...PAGES,
      milestone: text,
      state: STATE,
      assignee: text,
      type: text,
      creator: text,
      mentioned: text,
      labels: text,
      sort: oneOf("created", "updated", "comments"),
      direction: DIRECTION,
      since: text,
    },
    answer: (admitted) => {
      const wanted = admitted.query["labels"]?.split(",") ?? [];
      const fitting = inState(ISSUES, admitted.query["state"]).filter(({ labels }) =>
        wanted.every((name) => labels.some((label) => (label as { name: string }).name === name)),
      );
      return answer(page(fitting, admitted));
    },
  },
  // /en/rest/issues/issues#get-an-issue
  {
    route: "GET /repos/{owner}/{repo}/issues/{number}",
    scopes: ["repo"],
    path: WHOLE_PATH,
    answer: (admitted) => byNumber(ISSUES, admitted),
  },
  // /en/rest/issues/issues#create-an-issue
  {
    route: "POST /repos/{owner}/{repo}/issues",
    scopes: ["repo"],
    path: REPO_PATH,
    body: { title: text, body: text, assignee: text, milestone: text, labels: list, assignees: list, type: text },
    required: ["title"],
    answer: ({ body: { title, body = null, labels } }) => {
      const names = Array.isArray(labels) ? labels : [];
      return answer(
        createdIssue(
          String(title),
          body,
          names.map((name) => ({ name })),
        ),
        201,
        {
          location: "https://api.github.com/repos/octocat/Hello-World/issues/1350",
        },
      );
    },
  },
  // /en/rest/issues/comments#create-an-issue-comment
  {
    route: "POST /repos/{owner}/{repo}/issues/{number}/comments",
    scopes: ["repo"],
    path: WHOLE_PATH,
    body: { body: text },
    required: ["body"],
    answer: ({ path, body }) => answer(createdComment(path["number"] ?? "", body["body"]), 201),
  },
  // /en/rest/pulls/pulls#list-pull-requests
  {
    route: "GET /repos/{owner}/{repo}/pulls",
    scopes: ["repo"],
    path: REPO_PATH,
    query: {
      ...PAGES,
      state: STATE,
      head: text,
      base: text,
      sort: oneOf("created", "updated", "popularity", "long-running"),
      direction: DIRECTION,
    },
    answer: (admitted) => answer(page(inState(PULLS, admitted.query["state"]), admitted)),
  },
  // /en/rest/pulls/pulls#get-a-pull-request
  {
    route: "GET /repos/{owner}/{repo}/pulls/{number}",
    scopes: ["repo"],
    path: WHOLE_PATH,
    answer: (admitted) => byNumber(PULLS, admitted),
  },
  // /en/rest/search/search#search-issues-and-pull-requests
  {
    route: "GET /search/issues",
    scopes: ["repo"],
    query: { ...PAGES, q: text, sort: text, order: DIRECTION, advanced_search: text },
    required: ["q"],
    answer: (admitted) => found(ISSUES, admitted),
  },
  // /en/rest/search/search#search-repositories
  {
    route: "GET /search/repositories",
    scopes: ["repo"],
    query: { ...PAGES, q: text, sort: oneOf("stars", "forks", "help-wanted-issues", "updated"), order: DIRECTION },
    required: ["q"],
    answer: (admitted) => found(REPOSITORIES, admitted),
  },
  // /en/rest/activity/starring#star-a-repository-for-the-authenticated-user
  {
    route: "PUT /user/starred/{owner}/{repo}",
    scopes: ["repo"],
    path: REPO_PATH,
    answer: () => new Response(null, { status: 204, headers: RATE }),
  },
];

/**
 * The page of docs.github.com/en/apps/oauth-apps, and the token endpoint of
 * docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens:
 * JSON only for those who accept it, faults in an answer with status 200, an empty scope, a refresh token for one use.
 */
async function tokenEndpoint(request: Request): Promise<Response> {
  const { pathname } = new URL(request.url);
  if (pathname === "/login/oauth/authorize") return desk.page(request);
  const form = new URLSearchParams(await request.text());
  const answer = (fields: Readonly<Record<string, string | number>>): Response =>
    request.headers.get("accept")?.includes("application/json")
      ? json(fields)
      : new Response(
          new URLSearchParams(Object.entries(fields).map(([name, value]): [string, string] => [name, `${value}`])),
        );
  const fault = (error: string, description: string): Response =>
    answer({ error, error_description: description, error_uri: "https://docs.github.com/apps/troubleshooting" });
  if (request.method !== "POST" || pathname !== "/login/oauth/access_token") {
    return new Response("Not Found", { status: 404 });
  }
  if (form.get("client_id") !== LAB_CLIENT.id || form.get("client_secret") !== LAB_CLIENT.secret) {
    return fault("incorrect_client_credentials", "The client_id and/or client_secret passed are incorrect.");
  }
  const tokensFor = (session: Session, scope: string): Response =>
    answer({
      access_token: session.access,
      expires_in: 28_800,
      refresh_token: session.refresh,
      refresh_token_expires_in: 15_897_600,
      scope,
      token_type: "bearer",
    });
  switch (form.get("grant_type")) {
    case "refresh_token": {
      const session = tokens.redeem(form.get("refresh_token") ?? "");
      return session === undefined
        ? fault("bad_refresh_token", "The refresh token passed is incorrect or expired.")
        : tokensFor(session, "");
    }
    case "authorization_code": {
      const session = desk.redeem(Object.fromEntries(form));
      return session === undefined
        ? fault("bad_verification_code", "The code passed is incorrect or expired.")
        : tokensFor(session, SCOPES.join(","));
    }
    default:
      return fault("unsupported_grant_type", "The grant type is not supported.");
  }
}

export const standIn: StandIn = {
  hosts: ["api.github.com", "github.com"],
  handle: (request) =>
    new URL(request.url).hostname === "github.com"
      ? tokenEndpoint(request)
      : answerStrictly(OPERATIONS, refusals, request),
};
