/** Gmail's two reading tools: a search with a summary of each message, and one message with its text (spec 11). */
import { FermixError, isFermixError } from "../../../kernel/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../kernel/json.ts";
import type { Arguments, Ask } from "../api.ts";
import { getJson } from "./google-request.ts";
import { inOrder } from "./in-order.ts";
import { mailHeader, mailText } from "./read-mail.ts";

const MESSAGES = "https://gmail.googleapis.com/gmail/v1/users/me/messages";

/** Below the requests that one host gets at once (DECISIONS 16), so that a search leaves room for another call. */
const SUMMARIES_AT_ONCE = 6;

/** Gmail lists at most this many on a page; a list that is longer is not Gmail's, and each id costs a request. */
const MAX_LISTED = 500;

const LIST = `${MESSAGES}?q={query}&maxResults={max_results}`;
const FULL = `${MESSAGES}/{id}?format=full`;
/** Every answer has its own limit; together they may not hold more than the pages of one listing (spec 3.4). */
const MAX_SEARCH_BYTES = 10 * 1024 * 1024;

/** `metadataHeaders` is repeated, as Gmail's reference has it. */
const SUMMARY = `${MESSAGES}/{id}?format=metadata&${["From", "To", "Subject", "Date"]
  .map((name) => `metadataHeaders=${name}`)
  .join("&")}`;

/** Who a refusal speaks of. */
const SEARCH = { plugin: "gmail", tool: "gmail_search_messages", write: false } as const;

/**
 * Lists messages, then asks for the headers of each, some at a time; in Gmail's order. A message that is deleted in
 * between is left out; `truncated` says that more match than were asked for. Throws response_too_large.
 */
export async function searchMessages(args: Arguments, ask: Ask): Promise<JsonValue> {
  const list = await ask(getJson(LIST, args));
  let bytes = list.bytes;
  const messages = await inOrder(listedIds(list.body), SUMMARIES_AT_ONCE, async (id) => {
    const reply = await ask(getJson(SUMMARY, new Map([["id", id]]))).catch(unlessGone);
    if (reply === undefined) return [];
    bytes += reply.bytes;
    if (bytes > MAX_SEARCH_BYTES)
      throw new FermixError("response_too_large", { ...SEARCH, limitBytes: MAX_SEARCH_BYTES });
    return [summary(reply.body)];
  });
  const hasMore = isJsonObject(list.body) && Object.hasOwn(list.body, "nextPageToken");
  return { messages: messages.flat(), ...(hasMore ? { truncated: true } : {}) };
}

function unlessGone(error: unknown): undefined {
  if (!isFermixError(error, "request_failed") || error.details.status !== 404) throw error;
}

/** One message: its summary, what a reply needs, and the text a person would read. */
export async function getMessage(args: Arguments, ask: Ask): Promise<JsonValue> {
  const { body } = await ask(getJson(FULL, args));
  return {
    ...summary(body),
    cc: mailHeader(body, "Cc"),
    message_id: mailHeader(body, "Message-ID"),
    references: mailHeader(body, "References"),
    body: mailText(body),
  };
}

function listedIds(list: JsonValue): string[] {
  const messages = isJsonObject(list) ? list["messages"] : undefined;
  if (!Array.isArray(messages)) return [];
  return messages
    .slice(0, MAX_LISTED)
    .flatMap((message) => (isJsonObject(message) && typeof message["id"] === "string" ? [message["id"]] : []));
}

function summary(message: JsonValue): JsonObject {
  const { id, threadId, snippet } = isJsonObject(message) ? message : {};
  return {
    id,
    threadId,
    snippet,
    from: mailHeader(message, "From"),
    to: mailHeader(message, "To"),
    subject: mailHeader(message, "Subject"),
    date: mailHeader(message, "Date"),
  };
}
