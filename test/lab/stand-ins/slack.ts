/** Slack's Web API, from docs.slack.dev/reference/methods and docs.slack.dev/apis/web-api: reading channels and members. */
import { json, type StandIn } from "../stand-in.ts";
import { type Admitted, answerStrictly, type Check, like, type Operation, someOf, text, whole } from "../strict-api.ts";
import { bearerOf } from "../token-book.ts";
import { CHANNELS, HISTORY, MEMBERS, type Message, TEAM, THREAD } from "./slack-data.ts";

const ALL = ["channels:read", "groups:read", "channels:history", "groups:history", "team:read", "users:read"];
/** `xoxb-lab-revoked` was once a token. */
const TOKENS: ReadonlyMap<string, readonly string[]> = new Map([
  ["xoxb-lab-token", ALL],
  ["xoxb-lab-narrow", ["channels:read", "groups:read"]],
]);

/** Slack reports a failure inside 200 with `ok: false`. */
const fail = (error: string, more: object = {}): Response => json({ ok: false, error, ...more });
const invalidArguments = (message: string): Response =>
  fail("invalid_arguments", { response_metadata: { messages: [`[ERROR] ${message}`] } });

/** Arguments whose faults have an error of their own in the methods' tables of errors. */
const FAULTS: Readonly<Record<string, string>> = {
  limit: "invalid_limit",
  types: "invalid_types",
  cursor: "invalid_cursor",
  oldest: "invalid_ts_oldest",
  latest: "invalid_ts_latest",
};

const refusals = {
  unknownRoute: (request: Request) =>
    fail("unknown_method", { req_method: new URL(request.url).pathname.replace("/api/", "") }),
  admit,
  notJson: () => fail("invalid_json"),
  unknownField: (_where: unknown, name: string) => invalidArguments(`unknown argument: ${name}`),
  missingField: (_where: unknown, name: string) => invalidArguments(`missing required field: ${name}`),
  wrongField: (_where: unknown, name: string, value: unknown, reason: string) =>
    Object.hasOwn(FAULTS, name)
      ? fail(FAULTS[name] ?? "")
      : invalidArguments(`${name}: ${JSON.stringify(value)} ${reason}`),
};

function admit(request: Request, scopes: readonly string[]): Response | undefined {
  if (request.headers.get("authorization") === null) return fail("not_authed");
  const token = bearerOf(request);
  const granted = TOKENS.get(token ?? "");
  if (granted === undefined) return fail(token === "xoxb-lab-revoked" ? "token_revoked" : "invalid_auth");
  const needed = scopes.filter((scope) => !granted.includes(scope));
  if (needed.length === 0) return undefined;
  return fail("missing_scope", { needed: needed.join(","), provided: granted.join(",") });
}

const TRUE_OR_FALSE: Check = like(/^(?:true|false)$/);
const TS: Check = like(/^\d{10}\.\d{6}$/);
const CURSOR: Check = text;

interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string;
}

/** One page from a cursor, which is base64 of a word and the next item's id, as in the documentation's examples. */
function pageOf<Item>(
  { query }: Admitted,
  items: readonly Item[],
  word: string,
  idOf: (item: Item) => string,
): Page<Item> | undefined {
  const cursorOf = (item: Item | undefined): string => (item === undefined ? "" : btoa(`${word}:${idOf(item)}`));
  const { cursor } = query;
  const from = cursor === undefined ? 0 : items.findIndex((item) => cursorOf(item) === cursor);
  if (from < 0) return undefined;
  const to = from + Number(query["limit"] ?? 100);
  return { items: items.slice(from, to), next: cursorOf(items[to]) };
}

const OPERATIONS: readonly Operation[] = [
  {
    route: "GET /api/conversations.list",
    query: {
      types: someOf("public_channel", "private_channel", "mpim", "im"),
      limit: whole(1, 999),
      exclude_archived: TRUE_OR_FALSE,
      cursor: CURSOR,
    },
    scopes: ["channels:read", "groups:read"],
    answer(admitted) {
      const page = pageOf(admitted, CHANNELS, "team", ({ id }) => id);
      if (page === undefined) return fail("invalid_cursor");
      const kinds = (admitted.query["types"] ?? "public_channel").split(",");
      // "Any filters are applied after retrieving a virtual page", so that a page may hold fewer than asked for.
      const channels = page.items.filter(
        ({ is_private, is_archived }) =>
          kinds.includes(is_private ? "private_channel" : "public_channel") &&
          !(is_archived && admitted.query["exclude_archived"] === "true"),
      );
      return json({ ok: true, channels, response_metadata: { next_cursor: page.next } });
    },
  },
  {
    route: "GET /api/conversations.history",
    query: { channel: text, limit: whole(1, 999), oldest: TS, latest: TS, inclusive: TRUE_OR_FALSE, cursor: CURSOR },
    required: ["channel"],
    scopes: ["channels:history", "groups:history"],
    answer(admitted) {
      const { oldest = "0", latest = "9999999999.999999" } = admitted.query;
      const messages = HISTORY.filter(({ ts }) => ts > oldest && ts < latest);
      return refusedChannel(admitted) ?? messagePage(admitted, messages, { pin_count: 0, channel_actions_ts: null });
    },
  },
  {
    route: "GET /api/conversations.replies",
    query: { channel: text, ts: TS, limit: whole(1, 1000), oldest: TS, latest: TS, cursor: CURSOR },
    required: ["channel", "ts"],
    scopes: ["channels:history", "groups:history"],
    answer(admitted) {
      const { ts } = admitted.query;
      const [first] = THREAD;
      const messages = ts === first?.ts ? THREAD : HISTORY.filter((message) => message.ts === ts);
      if (messages.length === 0) return fail("thread_not_found");
      return refusedChannel(admitted) ?? messagePage(admitted, messages, {});
    },
  },
  {
    // "Most methods accept POST": this one takes nothing but the token, and needs no scope.
    route: "POST /api/auth.test",
    query: {},
    answer: () => json({ ok: true, url: "https://subarachnoid.slack.com/", team: TEAM.name, team_id: TEAM.id }),
  },
  { route: "GET /api/team.info", query: {}, scopes: ["team:read"], answer: () => json({ ok: true, team: TEAM }) },
  {
    route: "GET /api/users.list",
    query: { limit: whole(1, 1000), cursor: CURSOR, include_locale: TRUE_OR_FALSE },
    scopes: ["users:read"],
    answer(admitted) {
      const page = pageOf(admitted, MEMBERS, "user", ({ id }) => id);
      if (page === undefined) return fail("invalid_cursor");
      const { items: members, next } = page;
      return json({ ok: true, members, cache_ts: 1498777272, response_metadata: { next_cursor: next } });
    },
  },
];

function refusedChannel({ query }: Admitted): Response | undefined {
  const channel = CHANNELS.find(({ id }) => id === query["channel"]);
  if (channel === undefined) return fail("channel_not_found");
  return channel.is_member ? undefined : fail("not_in_channel");
}

/** "You've reached the end when next_cursor is empty, null or missing": on the last page of messages it is missing. */
function messagePage(admitted: Admitted, all: readonly Message[], more: object): Response {
  const page = pageOf(admitted, all, "next_ts", ({ ts }) => ts.replace(".", ""));
  if (page === undefined) return fail("invalid_cursor");
  const { items: messages, next } = page;
  const end = next === "" ? {} : { response_metadata: { next_cursor: next } };
  return json({ ok: true, messages, has_more: next !== "", ...more, ...end });
}

export const standIn: StandIn = {
  hosts: ["slack.com"],
  handle: (request) => answerStrictly(OPERATIONS, refusals, request),
};
