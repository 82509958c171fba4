/** The stand-in of GitHub is as strict as its documentation: what Fermix must never send is refused in GitHub's words. */
import { expect, test } from "bun:test";
import { standIn } from "./github.ts";

const HEADERS = {
  "user-agent": "fermix",
  accept: "application/vnd.github+json",
  "x-github-api-version": "2022-11-28",
  authorization: "Bearer lab-github-token",
};

async function ask(path: string, init: RequestInit = {}): Promise<{ status: number; message: unknown }> {
  const reply = await standIn.handle(
    new Request(`https://api.github.com${path}`, { ...init, headers: { ...HEADERS, ...init.headers } }),
  );
  const text = await reply.text();
  return { status: reply.status, message: text.startsWith("{") ? JSON.parse(text).message : text };
}

const post = (body: unknown): RequestInit => ({
  method: "POST",
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

const ISSUES = "/repos/octocat/Hello-World/issues";

test.each([
  ["an unknown route", "/user/repositories", {}, 404, "Not Found"],
  ["a trailing slash", "/user/", {}, 404, "Not Found"],
  ["another method", "/user", { method: "DELETE" }, 404, "Not Found"],
  ["another repository", "/repos/octocat/nothing/issues", {}, 404, "Not Found"],
  ["an unencoded slash in a path value", "/repos/octo/cat/Hello-World/issues", {}, 404, "Not Found"],
  ["a number that is none", `${ISSUES}/first`, {}, 404, "Not Found"],
  ["no token", "/user", { headers: { authorization: "" } }, 401, "Requires authentication"],
  ["another scheme", "/user", { headers: { authorization: "Basic x" } }, 401, "Requires authentication"],
  ["a token it never gave", "/user", { headers: { authorization: "Bearer x" } }, 401, "Bad credentials"],
  [
    "a token without the scope",
    "/user/repos",
    { headers: { authorization: "Bearer lab-github-narrow" } },
    403,
    "Resource not accessible by integration",
  ],
  [
    "another version",
    "/user",
    { headers: { "x-github-api-version": "2020-01-01" } },
    400,
    `"2020-01-01" is not a supported version.`,
  ],
  [
    "another media type",
    "/user",
    { headers: { accept: "*/*" } },
    415,
    "Unsupported 'Accept' header: */*. Must accept 'application/json'.",
  ],
  ["an unknown query parameter", "/user/repos?limit=5", {}, 422, `Invalid request.\n\n"limit" is not a permitted key.`],
  [
    "a parameter given twice",
    "/user/repos?page=1&page=2",
    {},
    422,
    `Invalid request.\n\nFor 'page', "2" is given more than once.`,
  ],
  [
    "a page beyond what is allowed",
    "/user/repos?per_page=101",
    {},
    422,
    `Invalid request.\n\nFor 'per_page', "101" is not between 1 and 100.`,
  ],
  [
    "a value outside an enum",
    `${ISSUES}?state=opened`,
    {},
    422,
    `Invalid request.\n\nFor 'state', "opened" is not one of open, closed, all.`,
  ],
  ["a search for nothing", "/search/issues", {}, 422, `Invalid request.\n\n"q" wasn't supplied.`],
  ["no title", ISSUES, post({ body: "b" }), 422, `Invalid request.\n\n"title" wasn't supplied.`],
  [
    "labels as text",
    ISSUES,
    post({ title: "t", labels: "bug" }),
    422,
    `Invalid request.\n\nFor 'labels', "bug" is not an array.`,
  ],
  [
    "an unknown body field",
    ISSUES,
    post({ title: "t", draft: true }),
    422,
    `Invalid request.\n\n"draft" is not a permitted key.`,
  ],
  ["broken JSON", ISSUES, post("{"), 400, "Problems parsing JSON"],
  ["a list as the body", ISSUES, post([1]), 400, "Problems parsing JSON"],
] as const)("refuses %s", async (_what, path, init, status, message) => {
  expect(await ask(path, init)).toEqual({ status, message });
});

test("refuses a request without a user agent before anything else", async () => {
  const reply = await standIn.handle(new Request("https://api.github.com/user", { headers: { "user-agent": "" } }));
  expect([reply.status, (await reply.text()).slice(0, 40)]).toEqual([403, "Request forbidden by administrative rule"]);
});

test("lists in pages, filtered as asked", async () => {
  const numbers = async (query: string): Promise<unknown> => {
    const reply = await standIn.handle(new Request(`https://api.github.com${ISSUES}?${query}`, { headers: HEADERS }));
    const items = (await reply.json()) as readonly { readonly number: number }[];
    return items.map(({ number }) => number);
  };
  expect(await numbers("")).toEqual([1347, 1349]);
  expect(await numbers("state=all&per_page=2&page=2")).toEqual([1349]);
  expect(await numbers("state=all&labels=bug")).toEqual([1347]);
});

const refresh = async (fields: Record<string, string>, accept = "application/json"): Promise<unknown> => {
  const reply = await standIn.handle(
    new Request("https://github.com/login/oauth/access_token", {
      method: "POST",
      headers: { accept },
      body: new URLSearchParams({ client_id: "lab-client-id", client_secret: "lab-client-secret", ...fields }),
    }),
  );
  const text = await reply.text();
  return { status: reply.status, said: text.startsWith("{") ? JSON.parse(text) : text };
};

test("a refresh token buys one session, and every fault is an answer with status 200", async () => {
  const grant = { grant_type: "refresh_token", refresh_token: "lab-github-refresh-unit-1" };
  expect(await refresh(grant)).toMatchObject({
    status: 200,
    said: { access_token: "lab-github-token-unit-2", refresh_token: "lab-github-refresh-unit-2", scope: "" },
  });
  expect(await refresh(grant)).toMatchObject({ status: 200, said: { error: "bad_refresh_token" } });
  expect(await refresh({ ...grant, client_secret: "x" })).toMatchObject({
    status: 200,
    said: { error: "incorrect_client_credentials" },
  });
  expect(await refresh(grant, "*/*")).toMatchObject({ said: expect.stringContaining("error=bad_refresh_token&") });
});
