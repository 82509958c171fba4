/** Gmail's part of the stand-in for Google: developers.google.com/workspace/gmail/api/reference/rest/v1. */
import PostalMime, { type Email } from "postal-mime";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/kernel/json.ts";
import { json } from "../stand-in.ts";
import {
  type Check,
  type Checks,
  like,
  list,
  listOf,
  type Operation,
  oneOf,
  shaped,
  text,
  whole,
} from "../strict-api.ts";
import { DRAFTS, MESSAGES, THREADS } from "./google-data.ts";
import { fault, invalid } from "./google-errors.ts";

const SCOPE = "https://www.googleapis.com/auth/gmail";
const READ = [`${SCOPE}.readonly`, `${SCOPE}.modify`];
const SEND = [`${SCOPE}.send`, `${SCOPE}.compose`, `${SCOPE}.modify`];
const COMPOSE = [`${SCOPE}.compose`, `${SCOPE}.modify`];
const MODIFY = [`${SCOPE}.modify`];

const ME = "/gmail/v1/users/me";
const RAW: Check = like(/^[A-Za-z0-9_-]+={0,2}$/);
const ID: Checks = { id: text };
const MESSAGE = { raw: RAW, threadId: text };

const entityNotFound = (): Response =>
  fault({ status: 404, reason: "notFound", message: "Requested entity was not found.", details: [] });

const precondition = (message: string): Response =>
  fault({ status: 400, reason: "invalidArgument", message, details: [] });

function held(id: string | undefined): JsonObject | undefined {
  return MESSAGES.find((message) => message["id"] === id);
}

/** `format=metadata` leaves only the headers that were asked for; `minimal` leaves no payload. */
function formatted(message: JsonObject, format = "full", wanted: readonly string[] = []): JsonObject {
  const { payload, ...rest } = message;
  if (format === "minimal") return rest;
  if (format === "full" || !isJsonObject(payload) || !Array.isArray(payload["headers"])) return message;
  const names = wanted.map((name) => name.toLowerCase());
  const headers = payload["headers"].filter((header: JsonValue) =>
    names.includes(isJsonObject(header) ? String(header["name"]).toLowerCase() : ""),
  );
  return { ...rest, payload: { mimeType: payload["mimeType"], headers } };
}

/** What Gmail makes of a mail, or its refusal: it needs a recipient, and a thread that exists. */
async function taken(message: JsonValue | undefined, labels: readonly string[]): Promise<JsonObject | Response> {
  const { raw, threadId } = isJsonObject(message) ? message : {};
  if (typeof raw !== "string")
    return precondition("'raw' RFC822 payload message string or uploading message via /upload/* URL required");
  const mail: Email = await PostalMime.parse(Buffer.from(raw, "base64url"));
  const recipients = [...(mail.to ?? []), ...(mail.cc ?? []), ...(mail.bcc ?? [])];
  if (recipients.length === 0 && labels.includes("SENT")) return precondition("Recipient address required");
  if (recipients.some(({ address }) => !/^[^@\s]+@[^@\s]+$/.test(address ?? "")))
    return precondition("Invalid To header");
  if (threadId !== undefined && !THREADS.includes(String(threadId))) return entityNotFound();
  return { id: "18c2f0a1b2c3d500", threadId: threadId ?? "18c2f0a1b2c3d500", labelIds: labels };
}

const answered = (made: JsonObject | Response): Response => (made instanceof Response ? made : json(made));

function relabelled(id: string | undefined, add: readonly string[], remove: readonly string[]): Response {
  const message = held(id);
  if (message === undefined) return entityNotFound();
  const labels = [...(message["labelIds"] as string[]), ...add].filter((label) => !remove.includes(label));
  return json({ id, threadId: message["threadId"], labelIds: labels });
}

const strings = (value: JsonValue | undefined): string[] => (Array.isArray(value) ? value.map(String) : []);

/** Each with the parameters of its page in the reference. */
export const gmailOperations: readonly Operation[] = [
  // users.messages/list
  {
    route: `GET ${ME}/messages`,
    scopes: READ,
    query: {
      maxResults: whole(1, 500),
      pageToken: text,
      q: text,
      labelIds: text,
      includeSpamTrash: oneOf("true", "false"),
    },
    answer: ({ query }) => {
      const words = (query["q"] ?? "").toLowerCase();
      const found = MESSAGES.filter((message) => JSON.stringify(message).toLowerCase().includes(words));
      const page = found.slice(0, Number(query["maxResults"] ?? 100)).map(({ id, threadId }) => ({ id, threadId }));
      return json({ ...(page.length > 0 ? { messages: page } : {}), resultSizeEstimate: found.length });
    },
  },
  // users.messages/get
  {
    route: `GET ${ME}/messages/{id}`,
    path: ID,
    scopes: READ,
    query: { format: oneOf("minimal", "full", "raw", "metadata"), metadataHeaders: text },
    answer: ({ path, query }) => {
      const message = held(path["id"]);
      if (message === undefined) return entityNotFound();
      return json(formatted(message, query["format"], query["metadataHeaders"]?.split(",")));
    },
  },
  // users.messages/send
  {
    route: `POST ${ME}/messages/send`,
    scopes: SEND,
    body: MESSAGE,
    answer: async ({ body }) => answered(await taken(body, ["SENT"])),
  },
  // users.drafts/create
  {
    route: `POST ${ME}/drafts`,
    scopes: COMPOSE,
    body: { message: shaped(MESSAGE, ["raw"]) },
    required: ["message"],
    answer: async ({ body }) => {
      const made = await taken(body["message"], ["DRAFT"]);
      return made instanceof Response ? made : json({ id: "r-777", message: made });
    },
  },
  // users.drafts/send
  {
    route: `POST ${ME}/drafts/send`,
    scopes: COMPOSE,
    body: { id: text, message: shaped(MESSAGE) },
    answer: ({ body }) =>
      DRAFTS.includes(String(body["id"]))
        ? json({ id: "18c2f0a1b2c3d501", threadId: "18c2f0a1b2c3d501", labelIds: ["SENT"] })
        : entityNotFound(),
  },
  // users.messages/modify
  {
    route: `POST ${ME}/messages/{id}/modify`,
    path: ID,
    scopes: MODIFY,
    body: { addLabelIds: listOf(text), removeLabelIds: list },
    answer: ({ path, body }) => {
      const [add, remove] = [strings(body["addLabelIds"]), strings(body["removeLabelIds"])];
      return add.length + remove.length === 0
        ? precondition("No label add or removes specified")
        : relabelled(path["id"], add, remove);
    },
  },
  // users.messages/trash, users.messages/untrash
  {
    route: `POST ${ME}/messages/{id}/trash`,
    path: ID,
    scopes: MODIFY,
    answer: ({ path }) => relabelled(path["id"], ["TRASH"], ["INBOX"]),
  },
  {
    route: `POST ${ME}/messages/{id}/untrash`,
    path: ID,
    scopes: MODIFY,
    answer: ({ path }) => relabelled(path["id"], [], ["TRASH"]),
  },
  // users.labels/create
  {
    route: `POST ${ME}/labels`,
    scopes: MODIFY,
    body: {
      name: text,
      messageListVisibility: oneOf("show", "hide"),
      labelListVisibility: oneOf("labelShow", "labelShowIfUnread", "labelHide"),
      color: shaped({ textColor: text, backgroundColor: text }),
    },
    required: ["name"],
    answer: ({ body }) =>
      body["name"] === "INBOX" ? invalid("Invalid label name") : json({ id: "Label_7", ...body, type: "user" }),
  },
];
