/** X's API, version 2, and its token endpoint, from docs.x.com/x-api. */
import type { JsonValue } from "../../../src/kernel/json.ts";
import { SignInDesk } from "../sign-in-desk.ts";
import { json, type StandIn } from "../stand-in.ts";
import {
  type Admitted,
  answerStrictly,
  type Checks,
  like,
  type Operation,
  oneOf,
  shaped,
  someOf,
  text,
  type Where,
  whole,
} from "../strict-api.ts";
import { bearerOf, isBasicClient, TokenBook } from "../token-book.ts";
import { account, ME, OTHER, POSTS, post } from "./x-data.ts";

const SCOPES = ["tweet.read", "users.read", "tweet.write", "like.write", "offline.access"];
const tokens = new TokenBook("lab-x", SCOPES, { "lab-x-reader": ["tweet.read", "users.read"] });
/** docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code: one redirect URI letter by letter. */
const desk = new SignInDesk({
  tokens,
  prefix: "lab-x",
  redirectUri: "http://127.0.0.1:1459/auth/callback",
  members: { scope: SCOPES.join(" ") },
});

/** docs.x.com/x-api/fundamentals/rate-limits */
const RATE = { "x-rate-limit-limit": "900", "x-rate-limit-remaining": "847", "x-rate-limit-reset": "1796076000" };
const PROBLEMS = "https://api.x.com/2/problems";

const answer = (body: unknown, status = 200): Response => json(body, status, RATE);

/** docs.x.com/x-api/fundamentals/response-codes-and-errors */
const problem = (status: number, title: string, detail: string, more: object = {}, type = "about:blank"): Response =>
  json({ ...more, title, detail, type, status }, status, { ...RATE, "content-type": "application/problem+json" });

const invalid = (name: string, value: JsonValue | undefined, message: string): Response =>
  problem(
    400,
    "Invalid Request",
    "One or more parameters to your request was invalid.",
    { errors: [{ parameters: { [name]: value === undefined ? [] : [String(value)] }, message }] },
    `${PROBLEMS}/invalid-request`,
  );

/** A lookup of one thing that is not there: status 200, `errors` and no `data`. */
const notFound = (kind: string, parameter: string, value: string): Response =>
  answer({
    errors: [
      {
        value,
        detail: `Could not find ${kind} with ${parameter}: [${value}].`,
        title: "Not Found Error",
        resource_type: kind,
        parameter,
        resource_id: value,
        type: `${PROBLEMS}/resource-not-found`,
      },
    ],
  });

const refusals = {
  unknownRoute: () => problem(404, "Not Found", "Not Found"),
  admit,
  notJson: () => problem(400, "Invalid Request", "Requests with bodies must have content-type of application/json."),
  unknownField: (where: Where, name: string, value: JsonValue) =>
    where === "query"
      ? invalid(name, value, `The query parameter [${name}] is not one of the documented ones`)
      : invalid(
          name,
          undefined,
          `$.${name}: is not defined in the schema and the schema does not allow additional properties`,
        ),
  missingField: (_where: Where, name: string) => invalid(name, "", `The \`${name}\` query parameter can not be empty`),
  wrongField: (_where: Where, name: string, value: JsonValue, reason: string) =>
    invalid(name, value, `The \`${name}\` query parameter value [${String(value)}] ${reason}`),
};

function admit(request: Request, scopes: readonly string[]): Response | undefined {
  const token = bearerOf(request);
  const granted = token === undefined ? undefined : tokens.scopesOf(token);
  if (granted === undefined) return problem(401, "Unauthorized", "Unauthorized");
  return scopes.every((scope) => granted.includes(scope)) ? undefined : problem(403, "Forbidden", "Forbidden");
}

const ID = like(/^\d{1,19}$/);
const FIELDS: Checks = {
  "tweet.fields": someOf("author_id", "created_at", "id", "lang", "public_metrics", "text", "conversation_id"),
  "user.fields": someOf("created_at", "description", "id", "name", "public_metrics", "url", "username", "verified"),
  expansions: someOf("author_id", "in_reply_to_user_id", "referenced_tweets.id"),
};
const { expansions: _, ...USER_FIELDS } = FIELDS;
const WINDOW: Checks = { since_id: ID, until_id: ID, start_time: text, end_time: text };
const CURSOR = like(/^labpage[0-9]+$/);

const asked = (given: string | undefined): readonly string[] => given?.split(",") ?? [];

/** docs.x.com/x-api/fundamentals/pagination: `meta.next_token` only while there is more. */
function timeline({ query }: Admitted): Response {
  const size = Number(query["max_results"] ?? 10);
  const from = Number((query["pagination_token"] ?? query["next_token"] ?? "labpage0").slice("labpage".length));
  const since = BigInt(query["since_id"] ?? 0);
  const all = POSTS.filter(({ id }) => BigInt(id) > since);
  const posts = all.slice(from, from + size);
  const expansions = asked(query["expansions"]);
  if (posts.length === 0) return answer({ meta: { result_count: 0 } });
  return answer({
    data: posts.map((basic) => post(basic, asked(query["tweet.fields"]), expansions)),
    ...(expansions.includes("author_id") ? { includes: { users: [account(OTHER, asked(query["user.fields"]))] } } : {}),
    meta: {
      result_count: posts.length,
      newest_id: posts[0]?.id,
      oldest_id: posts.at(-1)?.id,
      ...(from + size < all.length ? { next_token: `labpage${from + size}` } : {}),
    },
  });
}

/** A user in the path that must be the one whose token it is. */
const asMyself =
  (act: (admitted: Admitted) => Response) =>
  (admitted: Admitted): Response => {
    const { id } = admitted.path;
    const message = `The \`id\` query parameter value [${id}] must be the same as the authenticating user [${ME.id}]`;
    return id === ME.id ? act(admitted) : invalid("id", id, message);
  };

const READ = ["tweet.read", "users.read"];
const WRITE = [...READ, "tweet.write"];
const EXCLUDE = someOf("replies", "retweets");

/** Each with the parameters of its page under docs.x.com/x-api, named beside it. */
const OPERATIONS: readonly Operation[] = [
  // users/get-my-user
  {
    route: "GET /2/users/me",
    scopes: READ,
    query: USER_FIELDS,
    answer: ({ query }) => answer({ data: account(ME, asked(query["user.fields"])) }),
  },
  // users/get-user-by-username
  {
    route: "GET /2/users/by/username/{username}",
    scopes: READ,
    path: { username: like(/^[A-Za-z0-9_]{1,15}$/) },
    query: USER_FIELDS,
    answer: ({ path: { username = "" }, query }) => {
      const found = [ME, OTHER].find((user) => user.username.toLowerCase() === username.toLowerCase());
      if (found === undefined) return notFound("user", "username", username);
      return answer({ data: account(found, asked(query["user.fields"])) });
    },
  },
  // posts/search-recent-posts
  {
    route: "GET /2/tweets/search/recent",
    scopes: READ,
    query: {
      ...FIELDS,
      ...WINDOW,
      query: like(/^.{1,512}$/su),
      max_results: whole(10, 100),
      next_token: CURSOR,
      pagination_token: CURSOR,
      sort_order: oneOf("recency", "relevancy"),
    },
    required: ["query"],
    answer: timeline,
  },
  // posts/get-post-by-id
  {
    route: "GET /2/tweets/{id}",
    scopes: READ,
    path: { id: ID },
    query: FIELDS,
    answer: ({ path: { id = "" }, query }) => {
      const found = POSTS.find((basic) => basic.id === id);
      if (found === undefined) return notFound("tweet", "id", id);
      const data = post(found, asked(query["tweet.fields"]), asked(query["expansions"]));
      return answer({ data, includes: { users: [account(OTHER, asked(query["user.fields"]))] } });
    },
  },
  // users/get-posts
  {
    route: "GET /2/users/{id}/tweets",
    scopes: READ,
    path: { id: ID },
    query: { ...FIELDS, ...WINDOW, max_results: whole(5, 100), pagination_token: CURSOR, exclude: EXCLUDE },
    answer: timeline,
  },
  // users/get-mentions
  {
    route: "GET /2/users/{id}/mentions",
    scopes: READ,
    path: { id: ID },
    query: { ...FIELDS, ...WINDOW, max_results: whole(5, 100), pagination_token: CURSOR },
    answer: timeline,
  },
  // users/get-timeline
  {
    route: "GET /2/users/{id}/timelines/reverse_chronological",
    scopes: READ,
    path: { id: ID },
    query: { ...FIELDS, ...WINDOW, max_results: whole(1, 100), pagination_token: CURSOR, exclude: EXCLUDE },
    answer: asMyself(timeline),
  },
  // posts/create-post
  {
    route: "POST /2/tweets",
    scopes: WRITE,
    body: {
      text,
      reply: shaped({ in_reply_to_tweet_id: ID }, ["in_reply_to_tweet_id"]),
      quote_tweet_id: ID,
      reply_settings: oneOf("following", "mentionedUsers", "subscribers", "verified"),
    },
    required: ["text"],
    answer: ({ body }) =>
      body["text"] === POSTS[0]?.text
        ? problem(403, "Forbidden", "You are not allowed to create a Tweet with duplicate content.")
        : answer(
            {
              data: { id: "1850000000000001000", text: body["text"], edit_history_tweet_ids: ["1850000000000001000"] },
            },
            201,
          ),
  },
  // posts/delete-post
  {
    route: "DELETE /2/tweets/{id}",
    scopes: WRITE,
    path: { id: ID },
    answer: () => answer({ data: { deleted: true } }),
  },
  // users/like-post
  {
    route: "POST /2/users/{id}/likes",
    scopes: [...READ, "like.write"],
    path: { id: ID },
    body: { tweet_id: ID },
    required: ["tweet_id"],
    answer: asMyself(() => answer({ data: { liked: true } })),
  },
  // users/repost-post
  {
    route: "POST /2/users/{id}/retweets",
    scopes: WRITE,
    path: { id: ID },
    body: { tweet_id: ID },
    required: ["tweet_id"],
    answer: asMyself(({ body }) => answer({ data: { retweeted: true, rest_id: body["tweet_id"] } })),
  },
];

/**
 * docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code: a form, HTTP Basic for confidential
 * clients, a refresh token for one use. A dead one is an `invalid_request` there, not an `invalid_grant`.
 */
async function tokenEndpoint(request: Request): Promise<Response> {
  const fault = (status: number, error: string, description: string): Response =>
    json({ error, error_description: description }, status);
  if (!isBasicClient(request)) return fault(401, "unauthorized_client", "Missing valid authorization header");
  if (!request.headers.get("content-type")?.startsWith("application/x-www-form-urlencoded")) {
    return fault(400, "invalid_request", "Missing required parameter [grant_type].");
  }
  const form = new URLSearchParams(await request.text());
  if (!["refresh_token", "authorization_code"].includes(form.get("grant_type") ?? ""))
    return fault(400, "unsupported_grant_type", "Unsupported grant type.");
  const session =
    form.get("grant_type") === "refresh_token"
      ? tokens.redeem(form.get("refresh_token") ?? "")
      : desk.redeem(Object.fromEntries(form));
  if (session === undefined) return fault(400, "invalid_request", "Value passed for the token was invalid.");
  return json({
    token_type: "bearer",
    expires_in: 7200,
    access_token: session.access,
    scope: session.scopes.join(" "),
    refresh_token: session.refresh,
  });
}

export const standIn: StandIn = {
  hosts: ["api.x.com", "x.com"],
  handle(request) {
    const { hostname, pathname } = new URL(request.url);
    if (hostname === "x.com") {
      return pathname === "/i/oauth2/authorize" ? desk.page(request) : new Response("Not Found", { status: 404 });
    }
    return request.method === "POST" && pathname === "/2/oauth2/token"
      ? tokenEndpoint(request)
      : answerStrictly(OPERATIONS, refusals, request);
  },
};
