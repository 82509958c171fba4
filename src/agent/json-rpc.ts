/** Judges one line from an MCP client as a JSON-RPC 2.0 message, before anything acts on it. */
import { isJsonObject, type JsonObject } from "../kernel/json.ts";
import { MAX_MESSAGE_DEPTH, nestsDeeper } from "../kernel/json-depth.ts";

export type MessageId = string | number;

/** Codes of JSON-RPC 2.0 section 5.1. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

export interface RpcFailure {
  readonly kind: "failure";
  /** null when the message has no id that can be answered. */
  readonly id: MessageId | null;
  readonly code: number;
  readonly message: string;
}

export type Incoming =
  | {
      readonly kind: "request";
      readonly id: MessageId;
      readonly method: string;
      readonly params: JsonObject | undefined;
    }
  | { readonly kind: "notification"; readonly method: string; readonly params: JsonObject | undefined }
  | { readonly kind: "response" }
  | RpcFailure;

/** What the line is. Absent and null params are the same thing (CASE-70); a batch is refused (MCP 2025-06-18 on). */
export function readMessage(text: string): Incoming {
  let raw: unknown;
  try {
    raw = JSON.parse(text);
  } catch {
    return failure(null, PARSE_ERROR, "Parse error: the line is not JSON");
  }
  if (Array.isArray(raw))
    return failure(null, INVALID_REQUEST, "Invalid request: send one message a line, not a batch");
  if (!isJsonObject(raw)) return failure(null, INVALID_REQUEST, "Invalid request: a message is a JSON object");
  const { id, method, params } = raw;
  const answerable = isMessageId(id) ? id : null;
  if (raw["jsonrpc"] !== "2.0") return failure(answerable, INVALID_REQUEST, 'Invalid request: jsonrpc must be "2.0"');
  // A short text cannot nest deep, and most are short.
  if (text.length > 2 * MAX_MESSAGE_DEPTH && nestsDeeper(raw, MAX_MESSAGE_DEPTH)) {
    return failure(answerable, INVALID_REQUEST, `Invalid request: it nests more than ${MAX_MESSAGE_DEPTH} levels deep`);
  }
  if (typeof method !== "string") {
    if (method === undefined && ("result" in raw || "error" in raw)) return { kind: "response" };
    return failure(answerable, INVALID_REQUEST, "Invalid request: method must be a string");
  }
  if (id !== undefined && answerable === null) {
    return failure(null, INVALID_REQUEST, "Invalid request: id must be a string or a safe integer");
  }
  if (params !== undefined && params !== null && !isJsonObject(params)) {
    return failure(answerable, INVALID_PARAMS, "Invalid params: params must be an object");
  }
  const given = params ?? undefined;
  return answerable === null
    ? { kind: "notification", method, params: given }
    : { kind: "request", id: answerable, method, params: given };
}

/** A failure answer as a value. */
export function failure(id: MessageId | null, code: number, message: string): RpcFailure {
  return { kind: "failure", id, code, message };
}

function isMessageId(id: unknown): id is MessageId {
  return typeof id === "string" || (typeof id === "number" && Number.isSafeInteger(id));
}

/** The answer to a request, as one line without its end. */
export function resultLine(id: MessageId, result: JsonObject): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(result)}}`;
}

/** A failure answer, as one line without its end. */
export function failureLine({ id, code, message }: RpcFailure): string {
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":${JSON.stringify({ code, message })}}`;
}
