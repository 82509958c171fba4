/** The bundled plugins' tools that are written in code; each plugin's part is loaded when one of its tools is called. */
import type { NativeTool } from "./native-tool.ts";

type Run = NativeTool["run"];

/** One native tool, whose code comes in when it is first run: listing tools must not load what writes mail. */
function lazy(destructive: boolean, load: () => Promise<Run>): NativeTool {
  return { destructive, run: async (args, ask) => await (await load())(args, ask) };
}

/** By tool name; every tool of `catalog/bundled/` without a template is here (spec 11). */
export const nativeTools: ReadonlyMap<string, NativeTool> = new Map([
  ["gmail_search_messages", lazy(false, async () => (await import("./gmail-read.ts")).searchMessages)],
  ["gmail_get_message", lazy(false, async () => (await import("./gmail-read.ts")).getMessage)],
  ["gmail_send_message", lazy(false, async () => (await import("./gmail-write.ts")).sendMessage)],
  ["gmail_reply_to_thread", lazy(false, async () => (await import("./gmail-write.ts")).replyToThread)],
  ["gmail_create_draft", lazy(false, async () => (await import("./gmail-write.ts")).createDraft)],
  ["google_calendar_respond_to_event", lazy(true, async () => (await import("./google-calendar.ts")).respondToEvent)],
  ["google_drive_search_files", lazy(false, async () => (await import("./google-drive.ts")).searchFiles)],
  ["google_drive_upload_file", lazy(false, async () => (await import("./google-drive.ts")).uploadFile)],
]);
