/** Reads what Gmail gives of a message: its headers, and the text a person would read first. */
import { isJsonObject, type JsonObject, type JsonValue } from "../../../kernel/json.ts";

/** Whoever wrote the mail controls how deep its parts nest (spec 11). */
const MAX_DEPTH = 8;

/** JIS text escapes with it while every byte stays below 0x80, so it passes for UTF-8 without being it. */
const ESCAPE = 0x1b;

interface Leaf {
  readonly type: string;
  readonly part: JsonObject;
  readonly data: string;
}

/** The value of a header as Gmail gives it, decoded already; undefined when the message has none. Names match in any case. */
export function mailHeader(message: JsonValue, name: string): string | undefined {
  return isJsonObject(message) && isJsonObject(message["payload"]) ? headerOf(message["payload"], name) : undefined;
}

/** The first text/plain part of a message, else its first text/html part, decoded; undefined when it has neither. */
export function mailText(message: JsonValue): string | undefined {
  const payload = isJsonObject(message) ? message["payload"] : undefined;
  const leaves = isJsonObject(payload) ? [...textLeaves(payload, 1)] : [];
  const leaf = leaves.find(({ type }) => type === "text/plain") ?? leaves.find(({ type }) => type === "text/html");
  return leaf && decode(Buffer.from(leaf.data, "base64url"), charsetOf(leaf.part));
}

/** Depth first, in the order of the mail; an attached file is not the message's text. */
function* textLeaves(part: JsonObject, depth: number): Generator<Leaf> {
  const { mimeType, filename, body, parts } = part;
  const type = typeof mimeType === "string" ? mimeType.toLowerCase() : "";
  const data = isJsonObject(body) ? body["data"] : undefined;
  if (type.startsWith("text/") && typeof data === "string" && data !== "" && !filename) yield { type, part, data };
  if (depth === MAX_DEPTH || !Array.isArray(parts)) return;
  for (const inner of parts) if (isJsonObject(inner)) yield* textLeaves(inner, depth + 1);
}

function headerOf(part: JsonObject, name: string): string | undefined {
  const { headers } = part;
  if (!Array.isArray(headers)) return undefined;
  const wanted = name.toLowerCase();
  for (const header of headers) {
    if (!isJsonObject(header) || typeof header["name"] !== "string" || typeof header["value"] !== "string") continue;
    if (header["name"].toLowerCase() === wanted) return header["value"];
  }
  return undefined;
}

function charsetOf(part: JsonObject): string | undefined {
  return /;\s*charset\s*=\s*"?([\w.:+-]+)/i.exec(headerOf(part, "content-type") ?? "")?.[1];
}

/**
 * Gmail usually hands text out as UTF-8 while the part's header still names the charset it was sent in, so bytes that
 * are UTF-8 are read as that, and the header is believed for the others. What no decoder knows becomes U+FFFD.
 */
function decode(bytes: Uint8Array, charset: string | undefined): string {
  if (!bytes.includes(ESCAPE)) {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return decoderFor(charset).decode(bytes);
}

function decoderFor(charset: string | undefined): { decode(bytes: Uint8Array): string } {
  try {
    return new TextDecoder(charset as Bun.Encoding | undefined);
  } catch (error) {
    if (error instanceof RangeError) return new TextDecoder();
    throw error;
  }
}
