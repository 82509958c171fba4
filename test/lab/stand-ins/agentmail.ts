/** AgentMail's API, from docs.agentmail.to/api-reference and its knowledge base: inboxes, messages and threads. */
import { json, type StandIn } from "../stand-in.ts";
import {
  type Admitted,
  answerStrictly,
  type Check,
  like,
  list,
  type Operation,
  text,
  whole as wholeNumber,
} from "../strict-api.ts";
import { bearerOf } from "../token-book.ts";
import { INBOXES, MESSAGES, THREADS, whole } from "./agentmail-data.ts";

const KEY = "am_lab_key";
/** Mail to it has bounced before, so that it is suppressed. */
const SUPPRESSED = "gone@example.com";

const fail = (status: number, name: string, message: string): Response => json({ name, message }, status);
const notFound = (what: string): Response => fail(404, "NotFoundError", `${what} not found`);
const invalid = (path: string, message: string): Response =>
  json({ name: "ValidationError", errors: [{ path: [path], message }] }, 400);

const refusals = {
  unknownRoute: () => json({ message: "Forbidden" }, 403),
  // A missing or wrong key is a 403 there, not a 401 (docs.agentmail.to/knowledge-base/api-403-error).
  admit: (request: Request) => (bearerOf(request) === KEY ? undefined : json({ message: "Forbidden" }, 403)),
  notJson: () => invalid("", "Invalid JSON"),
  unknownField: (_where: unknown, name: string) => invalid(name, "Unrecognized key"),
  missingField: (_where: unknown, name: string) => invalid(name, "Required"),
  wrongField: (_where: unknown, name: string, value: unknown, reason: string) =>
    invalid(name, `${JSON.stringify(value)} ${reason}`),
};

const LIMIT: Check = wholeNumber(1, 100);
const TIME: Check = like(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/);
const TRUE_OR_FALSE: Check = like(/^(?:true|false)$/);
/** "Recipient address or addresses." */
const ADDRESSES: Check = (value) => (text(value) === undefined ? undefined : list(value));
const PAGE = { limit: LIMIT, page_token: text, ascending: TRUE_OR_FALSE };
const CONTENT = { text, html: text, cc: ADDRESSES, bcc: ADDRESSES, to: ADDRESSES };

/** A page from a token, which is base64 of where it starts; without more there is no token at all. */
function pageOf({ query }: Admitted, name: string, items: readonly unknown[]): Response {
  const limit = Number(query["limit"] ?? 10);
  const token = query["page_token"];
  const from = token === undefined ? 0 : Number(atob(token).replace(/^from:/, ""));
  if (!Number.isInteger(from)) return invalid("page_token", "Invalid page token");
  const page = items.slice(from, from + limit);
  const more = from + limit < items.length ? { next_page_token: btoa(`from:${from + limit}`) } : {};
  return json({ count: page.length, limit, [name]: page, ...more });
}

function unknownInbox({ path }: Admitted): Response | undefined {
  return INBOXES.some(({ inbox_id }) => inbox_id === path["inbox"]) ? undefined : notFound("Inbox");
}

function messageOf({ path }: Admitted) {
  return MESSAGES.find(({ message_id }) => message_id === path["message"]);
}

/** What sending answers; a suppressed recipient is a 403 (docs.agentmail.to/knowledge-base/api-403-error). */
function sent({ body }: Admitted, thread: string): Response {
  const recipients = ["to", "cc", "bcc"].flatMap((field) => body[field] ?? []);
  if (recipients.includes(SUPPRESSED)) return fail(403, "MessageRejectedError", `${SUPPRESSED} is suppressed`);
  return json({ message_id: "<0100018f-lab@email.amazonses.com>", thread_id: thread });
}

const OPERATIONS: readonly Operation[] = [
  {
    route: "POST /v0/inboxes",
    query: {},
    body: {
      username: text,
      domain: text,
      display_name: (value) => (value === "" ? undefined : text(value)),
      client_id: text,
    },
    answer({ body }) {
      const { username = "random123", domain = "agentmail.to", ...others } = body;
      const id = `${String(username)}@${String(domain)}`;
      if (INBOXES.some(({ inbox_id }) => inbox_id === id)) return fail(403, "IsTakenError", `${id} is taken`);
      const times = { created_at: "2026-11-30T00:00:00Z", updated_at: "2026-11-30T00:00:00Z" };
      return json({ pod_id: "pod_lab", inbox_id: id, email: id, ...times, ...others });
    },
  },
  { route: "GET /v0/inboxes", query: PAGE, answer: (admitted) => pageOf(admitted, "inboxes", INBOXES) },
  {
    route: "GET /v0/inboxes/{inbox}/messages",
    path: { inbox: text },
    query: { ...PAGE, labels: text, before: TIME, after: TIME, from: text, to: text, subject: text },
    answer(admitted) {
      const { after = "", from = "" } = admitted.query;
      const found = MESSAGES.filter((message) => message.timestamp > after && message.from.includes(from));
      return unknownInbox(admitted) ?? pageOf(admitted, "messages", found);
    },
  },
  {
    route: "GET /v0/inboxes/{inbox}/messages/{message}",
    path: { inbox: text, message: text },
    query: {},
    answer(admitted) {
      const message = messageOf(admitted);
      return unknownInbox(admitted) ?? (message === undefined ? notFound("Message") : json(whole(message)));
    },
  },
  {
    route: "POST /v0/inboxes/{inbox}/messages/send",
    path: { inbox: text },
    query: {},
    body: { ...CONTENT, subject: text, labels: list, reply_to: ADDRESSES },
    answer: (admitted) => unknownInbox(admitted) ?? sent(admitted, "thd_3"),
  },
  {
    route: "POST /v0/inboxes/{inbox}/messages/{message}/reply",
    path: { inbox: text, message: text },
    query: {},
    body: {
      ...CONTENT,
      labels: list,
      reply_all: (value) => (typeof value === "boolean" ? undefined : "is no boolean"),
    },
    answer(admitted) {
      const message = messageOf(admitted);
      return unknownInbox(admitted) ?? (message === undefined ? notFound("Message") : sent(admitted, "thd_1"));
    },
  },
  {
    route: "GET /v0/inboxes/{inbox}/threads",
    path: { inbox: text },
    query: { ...PAGE, labels: text, before: TIME, after: TIME },
    answer: (admitted) => unknownInbox(admitted) ?? pageOf(admitted, "threads", THREADS),
  },
  {
    route: "GET /v0/inboxes/{inbox}/threads/{thread}",
    path: { inbox: text, thread: text },
    query: {},
    answer(admitted) {
      const thread = THREADS.find(({ thread_id }) => thread_id === admitted.path["thread"]);
      const messages = MESSAGES.map(whole).toReversed();
      return unknownInbox(admitted) ?? (thread === undefined ? notFound("Thread") : json({ ...thread, messages }));
    },
  },
];

export const standIn: StandIn = {
  hosts: ["api.agentmail.to"],
  handle: (request) => answerStrictly(OPERATIONS, refusals, request),
};
