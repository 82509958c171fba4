/** Drive's two tools that no template can say: a search by name, and an upload of metadata and text together (spec 11). */
import { createHash } from "node:crypto";
import type { JsonValue } from "../../../kernel/json.ts";
import type { Arguments, Ask } from "../api.ts";
import { getJson, sendBytes } from "./google-request.ts";
import { lineOf, type Named, refusal, textOf } from "./named-arguments.ts";

const UPLOAD = "https://www.googleapis.com/upload/drive/v3/files?uploadType=multipart";
const SEARCH =
  "https://www.googleapis.com/drive/v3/files?q={query}&pageSize={max_results}&fields=files(id,name,mimeType,webViewLink,modifiedTime)";

/** `type/subtype`, with parameters or without (RFC 9110, 8.3.1). */
const MEDIA_TYPE = /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+(\s*;\s*[\w-]+=("[^"\\]*"|[\w.+-]+))*$/;

/** Drive converts to these; the bytes that are sent have another type. */
const GOOGLE_DOCUMENT = /^application\/vnd\.google-apps\./i;

/** Files whose name has the words in it; those in the trash only when they were asked for. */
export async function searchFiles(args: Arguments, ask: Ask): Promise<JsonValue> {
  const named = { tool: "google_drive_search_files", args };
  const byName = `name contains '${escaped(textOf(named, "query") ?? "")}'`;
  const query = args.get("include_trashed") === true ? byName : `trashed = false and ${byName}`;
  return (await ask(getJson(SEARCH, new Map([...args, ["query", query]])))).body;
}

/** Creates a file from text. Throws argument_invalid for a media type that is none. */
export async function uploadFile(args: Arguments, ask: Ask): Promise<JsonValue> {
  const named = { tool: "google_drive_upload_file", args };
  const type = mediaType(named);
  const parent = textOf(named, "parent_id");
  const metadata = JSON.stringify({
    name: textOf(named, "name"),
    mimeType: type.split(";")[0]?.trim(),
    parents: parent ? [parent] : undefined,
  });
  const content = (textOf(named, "content") ?? "").toWellFormed();
  const boundary = boundaryFor(metadata + content);
  const body = [
    `--${boundary}\r\nContent-Type: application/json; charset=UTF-8\r\n\r\n${metadata}\r\n`,
    `--${boundary}\r\nContent-Type: ${contentType(type)}\r\n\r\n${content}\r\n`,
    `--${boundary}--\r\n`,
  ].join("");
  const request = sendBytes(UPLOAD, `multipart/related; boundary=${boundary}`, new TextEncoder().encode(body));
  return (await ask(request)).body;
}

/** Drive's query language quotes with ' and escapes it and the backslash by a backslash. */
function escaped(text: string): string {
  return text.replace(/[\\']/g, "\\$&");
}

function mediaType(named: Named): string {
  const type = lineOf(named, "mime_type")?.trim() ?? "text/plain";
  if (MEDIA_TYPE.test(type)) return type;
  throw refusal(named, "mime_type", `${JSON.stringify(type)} is no media type`);
}

/** The type of the bytes themselves, which are UTF-8. */
function contentType(type: string): string {
  if (GOOGLE_DOCUMENT.test(type)) return "text/plain; charset=UTF-8";
  return /^text\//i.test(type) && !/;\s*charset=/i.test(type) ? `${type}; charset=UTF-8` : type;
}

/** A text cannot hold its own hash; were it to, the next hash is tried, so the boundary never occurs in the content. */
function boundaryFor(content: string): string {
  let boundary = content;
  do boundary = createHash("sha256").update(boundary).digest("hex");
  while (content.includes(boundary));
  return boundary;
}
