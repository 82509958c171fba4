/** Gmail's three tools that write mail: send, reply in a thread, and save a draft (spec 11). */
import type { JsonValue } from "../../../kernel/json.ts";
import type { Arguments, Ask } from "../api.ts";
import { buildMail } from "./build-mail.ts";
import { sendJson } from "./google-request.ts";
import { textOf } from "./named-arguments.ts";

const ME = "https://gmail.googleapis.com/gmail/v1/users/me";

/** Sends a mail; a new conversation. */
export async function sendMessage(args: Arguments, ask: Ask): Promise<JsonValue> {
  const raw = await buildMail({ tool: "gmail_send_message", args });
  return (await ask(sendJson("POST", `${ME}/messages/send`, args, { raw }))).body;
}

/** Sends a mail into a conversation: Gmail goes by the thread's id, other mail programs by the headers. */
export async function replyToThread(args: Arguments, ask: Ask): Promise<JsonValue> {
  const named = { tool: "gmail_reply_to_thread", args };
  const raw = await buildMail(named);
  return (await ask(sendJson("POST", `${ME}/messages/send`, args, { raw, threadId: textOf(named, "thread_id") }))).body;
}

/** Saves a draft, in a conversation when its id is given. */
export async function createDraft(args: Arguments, ask: Ask): Promise<JsonValue> {
  const named = { tool: "gmail_create_draft", args };
  const raw = await buildMail(named);
  const message = { raw, threadId: textOf(named, "thread_id") || undefined };
  return (await ask(sendJson("POST", `${ME}/drafts`, args, { message }))).body;
}
