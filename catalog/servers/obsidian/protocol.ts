/** The Model Context Protocol over lines of JSON: what each message means and what answers it. */
import { callTool, listedTools } from "./tools.ts";

const SERVER = { name: "obsidian", title: "Obsidian vault", version: "1.0.0" };
/** Newest first: what a client that asks for an unknown revision gets. */
const REVISIONS = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const PARSE_ERROR = -32700;
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const INVALID_PARAMS = -32602;

type Id = string | number;
type Fields = Readonly<Record<string, unknown>>;
type Answer = { readonly result: object } | { readonly error: { readonly code: number; readonly message: string } };

/** One session: messages in, answers out through `send`, in the order in which they are ready. */
export class Session {
  readonly #send: (message: object) => void;
  readonly #running = new Map<Id, AbortController>();

  constructor(send: (message: object) => void) {
    this.#send = send;
  }

  /** Takes one line of input. Never throws. */
  async receive(line: string): Promise<void> {
    const message = parsed(line);
    if (message === undefined) return this.#answer(null, refusal(PARSE_ERROR, "the message is not JSON"));
    if (Array.isArray(message)) return this.#answer(null, refusal(INVALID_REQUEST, "batches are not taken"));
    if (!isFields(message) || message["jsonrpc"] !== "2.0") {
      return this.#answer(null, refusal(INVALID_REQUEST, "the message is not JSON-RPC 2.0"));
    }
    const { id, method } = message;
    if (typeof method !== "string") {
      // An answer to a request; this server makes none.
      if ("result" in message || "error" in message) return;
      return this.#answer(isId(id) ? id : null, refusal(INVALID_REQUEST, "the request has no method"));
    }
    if (!("id" in message)) return this.#notice(method, message["params"]);
    if (!isId(id)) return this.#answer(null, refusal(INVALID_REQUEST, "the id is neither text nor a whole number"));
    if (this.#running.has(id)) return this.#answer(id, refusal(INVALID_REQUEST, "a request with this id is running"));
    await this.#request(id, method, message["params"]);
  }

  /** Refuses a message that is too long to be kept. */
  refuseOversize(limit: number): void {
    this.#answer(null, refusal(INVALID_REQUEST, `the message has more than ${limit} bytes`));
  }

  /** Stops every search that is running, without an answer; writes finish. */
  close(): void {
    for (const running of this.#running.values()) running.abort();
  }

  async #request(id: Id, method: string, params: unknown): Promise<void> {
    const running = new AbortController();
    this.#running.set(id, running);
    const answer = await answerTo(method, params, running.signal);
    this.#running.delete(id);
    // The client has forgotten a request that it cancelled.
    if (!running.signal.aborted) this.#answer(id, answer);
  }

  #notice(method: string, params: unknown): void {
    if (method !== "notifications/cancelled" || !isFields(params)) return;
    const { requestId } = params;
    if (isId(requestId)) this.#running.get(requestId)?.abort();
  }

  #answer(id: Id | null, answer: Answer): void {
    this.#send({ jsonrpc: "2.0", id, ...answer });
  }
}

async function answerTo(method: string, params: unknown, signal: AbortSignal): Promise<Answer> {
  if (params !== undefined && params !== null && !isFields(params)) {
    return refusal(INVALID_PARAMS, "params must be an object");
  }
  const fields: Fields = params ?? {};
  switch (method) {
    case "initialize":
      return initialized(fields);
    case "ping":
      return { result: {} };
    case "tools/list":
      return fields["cursor"] === undefined || fields["cursor"] === null
        ? { result: { tools: listedTools() } }
        : refusal(INVALID_PARAMS, "the list has one page and no cursor");
    case "tools/call":
      return called(fields, signal);
    default:
      return refusal(METHOD_NOT_FOUND, `there is no method ${JSON.stringify(method.slice(0, 100))}`);
  }
}

function initialized({ protocolVersion }: Fields): Answer {
  if (typeof protocolVersion !== "string") return refusal(INVALID_PARAMS, "protocolVersion is missing");
  return {
    result: {
      protocolVersion: REVISIONS.includes(protocolVersion) ? protocolVersion : REVISIONS[0],
      capabilities: { tools: {} },
      serverInfo: SERVER,
    },
  };
}

async function called({ name, arguments: given }: Fields, signal: AbortSignal): Promise<Answer> {
  if (typeof name !== "string") return refusal(INVALID_PARAMS, "the name of a tool is missing");
  const result = await callTool(name, given ?? undefined, signal);
  return result === undefined
    ? refusal(INVALID_PARAMS, `there is no tool ${JSON.stringify(name.slice(0, 100))}`)
    : { result };
}

function refusal(code: number, message: string): Answer {
  return { error: { code, message } };
}

function parsed(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return undefined;
  }
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isId(value: unknown): value is Id {
  return typeof value === "string" || (typeof value === "number" && Number.isInteger(value));
}
