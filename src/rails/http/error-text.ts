/** Turns the body of a refused answer into text that may be shown: bounded, compact, with no credential in it. */
import type { ByteBody } from "../../egress/watched-body.ts";
import { isFermixError } from "../../kernel/error.ts";
import { parseKeepingDigits } from "../../kernel/exact-json.ts";
import type { JsonValue } from "../../kernel/json.ts";
import { MAX_MESSAGE_DEPTH, nestsDeeper } from "../../kernel/json-depth.ts";
import { redactCredentials } from "../../kernel/redact.ts";

/** The provider controls it: enough to read what the error is, and far more than is shown, so that masking sees whole words. */
const MAX_ERROR_READ = 64 * 1024;
/** What an agent reads of it (spec 3.6). */
const MAX_ERROR_BYTES = 2048;
const CUT = "…(truncated)";

export interface ErrorBody {
  /** Masked, redacted, cut; empty when there was no body. */
  readonly text: string;
  /** The body as JSON, for classifying; undefined when it is none. */
  readonly json: JsonValue | undefined;
}

const NO_BODY: ErrorBody = { text: "", json: undefined };

/**
 * Reads the body of an answer that is an error, up to 64 KiB, and then cancels it. A compressed one is not read, and
 * one that breaks off or stalls counts as far as it came: the status is what matters. Throws the caller's abort reason.
 */
export async function readErrorBody(
  reply: { readonly headers: Headers; readonly body: ByteBody | null },
  mask: (text: string) => string,
): Promise<ErrorBody> {
  if (reply.body === null) return NO_BODY;
  const encoding = reply.headers.get("content-encoding");
  if (encoding !== null && encoding.trim().toLowerCase() !== "identity") {
    reply.body.cancel().catch(() => undefined);
    return { text: "(its body is compressed)", json: undefined };
  }
  const { bytes, whole } = await readStart(reply.body);
  return describeBody(bytes, whole, mask);
}

/** The text and the JSON of a body; `whole` says that nothing of it is missing. */
export function describeBody(bytes: Uint8Array, whole: boolean, mask: (text: string) => string): ErrorBody {
  const text = new TextDecoder().decode(bytes);
  const json = whole ? parsed(text) : undefined;
  const shown =
    json === undefined ? (whole ? text : withoutLastWord(text)).replaceAll(/\s+/g, " ").trim() : JSON.stringify(json);
  return { text: shownText(shown, whole, mask), json };
}

/** Text that a provider wrote, made fit to be shown: masked by value, redacted by shape, and only then cut. */
export function shownText(
  text: string,
  whole: boolean,
  mask: (text: string) => string,
  maxBytes = MAX_ERROR_BYTES,
): string {
  const clean = redactCredentials(mask(text));
  const cut = cutBytes(clean, maxBytes);
  return whole && cut.length === clean.length ? cut : `${cut}${CUT}`;
}

/** The longest start of the text that has at most `max` bytes of UTF-8 and splits no character. */
function cutBytes(text: string, max: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= max) return text;
  let end = max;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return bytes.toString("utf8", 0, end);
}

/** Half a word at the end of what was read may be half a credential, which no mask knows. */
function withoutLastWord(text: string): string {
  let end = text.length;
  while (end > 0 && !/[\s"'<>,;]/.test(text.charAt(end - 1))) end -= 1;
  return text.slice(0, end);
}

function parsed(text: string): JsonValue | undefined {
  try {
    const value = JSON.parse(text);
    return nestsDeeper(value, MAX_MESSAGE_DEPTH) ? undefined : (parseKeepingDigits(text) as JsonValue);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

async function readStart(body: ByteBody): Promise<{ bytes: Uint8Array; whole: boolean }> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let left = MAX_ERROR_READ;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done || value === undefined) return { bytes: Buffer.concat(chunks), whole: true };
      chunks.push(new Uint8Array(value.subarray(0, left)));
      left -= value.byteLength;
      if (left < 0) break;
    }
  } catch (error) {
    if (!isFermixError(error, "network_failed") && !isFermixError(error, "network_timeout")) throw error;
  }
  reader.cancel().catch(() => undefined);
  return { bytes: Buffer.concat(chunks), whole: false };
}
