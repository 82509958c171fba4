/** The stand-in of X is as strict as its reference: what Fermix must never send is refused with X's problem details. */
import { expect, test } from "bun:test";
import { standIn } from "./x.ts";

const ME = "2244994945";
const POST_ID = "1850000000000000000";

async function reply(path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { authorization: "Bearer lab-x-token", ...init.headers };
  return await standIn.handle(new Request(`https://api.x.com${path}`, { ...init, headers }));
}

const post = (body: unknown): RequestInit => ({
  method: "POST",
  body: typeof body === "string" ? body : JSON.stringify(body),
  headers: { "content-type": "application/json" },
});

test.each([
  ["an unknown route", "/2/users", {}, 404, "Not Found"],
  ["version 1.1", "/1.1/account/verify_credentials.json", {}, 404, "Not Found"],
  ["no token", "/2/users/me", { headers: { authorization: "" } }, 401, "Unauthorized"],
  ["a token it never gave", "/2/users/me", { headers: { authorization: "Bearer x" } }, 401, "Unauthorized"],
  [
    "a token that may not write",
    "/2/tweets",
    { ...post({ text: "t" }), headers: { authorization: "Bearer lab-x-reader" } },
    403,
    "Forbidden",
  ],
  ["an unknown query parameter", "/2/users/me?fields=id", {}, 400, "Invalid Request"],
  ["an unknown field", "/2/users/me?user.fields=password", {}, 400, "Invalid Request"],
  ["a field twice", "/2/users/me?user.fields=url,url", {}, 400, "Invalid Request"],
  ["a handle with @", "/2/users/by/username/%40ada", {}, 400, "Invalid Request"],
  ["a search for nothing", "/2/tweets/search/recent", {}, 400, "Invalid Request"],
  ["nine results of a search", "/2/tweets/search/recent?query=a&max_results=9", {}, 400, "Invalid Request"],
  ["four posts of a user", `/2/users/${ME}/tweets?max_results=4`, {}, 400, "Invalid Request"],
  ["an exclusion of mentions", `/2/users/${ME}/mentions?exclude=replies`, {}, 400, "Invalid Request"],
  ["a cursor it never gave", `/2/users/${ME}/tweets?pagination_token=7140`, {}, 400, "Invalid Request"],
  ["a handle for an id", "/2/users/ada/tweets", {}, 400, "Invalid Request"],
  ["the home timeline of another", "/2/users/783214/timelines/reverse_chronological", {}, 400, "Invalid Request"],
  ["a like by another", "/2/users/783214/likes", post({ tweet_id: POST_ID }), 400, "Invalid Request"],
  ["an empty reply", "/2/tweets", post({ text: "t", reply: {} }), 400, "Invalid Request"],
  ["an id as a number", `/2/users/${ME}/likes`, post({ tweet_id: 1 }), 400, "Invalid Request"],
  ["an unknown body field", "/2/tweets", post({ text: "t", status: "t" }), 400, "Invalid Request"],
  ["the same text again", "/2/tweets", post({ text: "Post 1" }), 403, "Forbidden"],
  ["broken JSON", "/2/tweets", post("{"), 400, "Invalid Request"],
] as const)("refuses %s", async (_what, path, init, status, title) => {
  const refused = await reply(path, init);
  expect(refused.headers.get("content-type")).toBe("application/problem+json");
  expect([refused.status, await refused.json()]).toEqual([status, expect.objectContaining({ title, status })]);
});

test("one thing that is not there is a 200 with errors and no data", async () => {
  for (const path of ["/2/tweets/20", "/2/users/by/username/nobody"]) {
    const answer = await reply(path);
    expect([answer.status, Object.keys((await answer.json()) as object)]).toEqual([200, ["errors"]]);
  }
});

test("a timeline has a next token while there is more", async () => {
  const meta = async (query: string): Promise<unknown> =>
    ((await (await reply(`/2/users/${ME}/tweets?max_results=10${query}`)).json()) as { meta: unknown }).meta;
  expect(await meta("")).toMatchObject({ result_count: 10, next_token: "labpage10" });
  expect(await meta("&pagination_token=labpage20")).toEqual({
    result_count: 5,
    newest_id: "1849999999999980000",
    oldest_id: "1849999999999976000",
  });
  expect(await meta("&since_id=1850000000000000000")).toEqual({ result_count: 0 });
});

test("a dead refresh token is an invalid_request, and a client out of HTTP Basic is refused", async () => {
  const refresh = async (authorization: string): Promise<unknown> => {
    const body = new URLSearchParams({ grant_type: "refresh_token", refresh_token: "lab-x-refresh-unit-1" });
    const answer = await reply("/2/oauth2/token", { method: "POST", headers: { authorization }, body });
    return { status: answer.status, ...((await answer.json()) as object) };
  };
  const basic = `Basic ${btoa("lab-client-id:lab-client-secret")}`;
  expect(await refresh("Bearer lab-x-token")).toMatchObject({ status: 401, error: "unauthorized_client" });
  expect(await refresh(basic)).toMatchObject({ status: 200, refresh_token: "lab-x-refresh-unit-2", expires_in: 7200 });
  expect(await refresh(basic)).toMatchObject({ status: 400, error: "invalid_request" });
});
