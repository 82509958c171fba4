/** MCP over this process's stdin and stdout: tools/call takes the lane, every other message the MCP library. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { isJSONRPCNotification, isJSONRPCRequest, type JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { never } from "../kernel/error.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Ports } from "../kernel/ports.ts";
import { CallLane, type CallTool } from "./call-lane.ts";
import {
  failure,
  failureLine,
  INVALID_PARAMS,
  INVALID_REQUEST,
  type Incoming,
  type MessageId,
  PARSE_ERROR,
  type RpcFailure,
  readMessage,
} from "./json-rpc.ts";
import { paramsProblem } from "./library-params.ts";
import { readLines } from "./line-reader.ts";

/** The client decides the length: 5 MiB of arguments (LOC-10), three times over when every character is escaped. */
export const MAX_MESSAGE_BYTES = 16 * 1024 * 1024;
/** Answers that the client has not read yet; past this it is not read from either. */
const MAX_UNREAD_CHARACTERS = 4 * 1024 * 1024;
/** After EOF, what is still being answered may finish: `printf … | fermix mcp serve` sees its answers. */
const GRACE_AFTER_EOF_MS = 1_000;
const GRACE_STEP_MS = 10;
const LINE_END = Buffer.from("\n");

type Request = Extract<Incoming, { kind: "request" }>;
type Note = Extract<Incoming, { kind: "notification" }>;

export class StdioTransport implements Transport {
  onmessage?: (message: JSONRPCMessage) => void;
  onclose?: () => void;
  onerror?: (error: Error) => void;
  readonly #ports: Pick<Ports, "stdio" | "clock">;
  readonly #lane: CallLane;
  readonly #ended = Promise.withResolvers<void>();
  /** Requests that the MCP library has not answered yet. */
  readonly #open = new Set<MessageId>();
  #initializing: MessageId | undefined;
  #initialized = false;
  #unread = 0;
  #closed = false;

  constructor(ports: Pick<Ports, "stdio" | "clock">, call: CallTool) {
    this.#ports = ports;
    this.#lane = new CallLane(
      call,
      (line) => this.#write(line),
      () => this.#unread <= MAX_UNREAD_CHARACTERS,
    );
  }

  /** Whether the handshake was answered. */
  get initialized(): boolean {
    return this.#initialized;
  }

  /** Resolves when the client is gone: EOF, a broken pipe, or `close`. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  async start(): Promise<void> {
    const { stdio } = this.#ports;
    stdio.onBroken(() => void this.close());
    const onChunk = readLines(MAX_MESSAGE_BYTES, {
      onLine: (text) => this.#take(text),
      onBadLine: (reason) => this.#fail(badLine(reason)),
    });
    const onEnd = (): void => {
      // `printf '{…}' | fermix mcp serve`: EOF ends a line too.
      onChunk(LINE_END);
      void this.#finish();
    };
    stdio.read({ onChunk, onEnd });
  }

  async send(message: JSONRPCMessage): Promise<void> {
    if ("id" in message && message.id !== undefined && !("method" in message)) {
      this.#open.delete(message.id);
      if (message.id === this.#initializing) {
        this.#initializing = undefined;
        this.#initialized ||= "result" in message;
      }
    }
    this.#write(JSON.stringify(message));
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#lane.cancelAll();
    this.onclose?.();
    this.#ended.resolve();
  }

  #take(text: string): void {
    if (this.#closed || text.trim() === "") return;
    const message = readMessage(text);
    switch (message.kind) {
      case "failure":
        this.#fail(message);
        break;
      case "response":
        // Fermix asks its clients nothing, so there is nothing this could answer.
        break;
      case "notification":
        this.#notified(message);
        break;
      case "request":
        this.#asked(message, text);
        break;
      default:
        never(message);
    }
  }

  #notified({ method, params }: Note): void {
    if (method === "notifications/cancelled") {
      const id = params?.["requestId"];
      if (this.#lane.cancel(id)) return;
      // The library answers a cancelled request as little as the lane does; initialize can't be cancelled (MCP).
      if (id === this.#initializing) return;
      if (typeof id === "string" || typeof id === "number") this.#open.delete(id);
    }
    const message = { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
    if (isJSONRPCNotification(message)) this.onmessage?.(message);
  }

  #asked(request: Request, text: string): void {
    const { id, method, params } = request;
    const reason = this.#refusalOf(request);
    if (reason !== undefined) this.#fail(failure(id, INVALID_REQUEST, `Invalid request: ${reason}`));
    // The lane never rejects: whatever happens becomes the line it writes.
    else if (method === "tools/call") void this.#lane.start(id, params, text);
    else this.#askLibrary(request);
  }

  #askLibrary({ id, method, params }: Request): void {
    const message = { jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params: withoutNulls(params) }) };
    const problem = isJSONRPCRequest(message) ? paramsProblem(message) : "_meta is malformed";
    if (isJSONRPCRequest(message) && problem === undefined) {
      if (method === "initialize") this.#initializing = id;
      this.#open.add(id);
      this.onmessage?.(message);
    } else this.#fail(failure(id, INVALID_PARAMS, `Invalid params: ${problem}`));
  }

  #refusalOf({ id, method }: Request): string | undefined {
    if (this.#open.has(id) || this.#lane.has(id)) return "this id is in use by an open request";
    // A script writes its whole conversation at once, so what follows an initialize need not wait for its answer.
    const greeted = this.#initialized || this.#initializing !== undefined;
    return greeted || method === "initialize" || method === "ping" ? undefined : "send initialize first";
  }

  #fail(refusal: RpcFailure): void {
    this.#write(failureLine(refusal));
  }

  #write(line: string): void {
    if (this.#closed) return;
    const waiting = this.#ports.stdio.write(`${line}\n`);
    if (waiting === undefined) return;
    this.#unread += line.length;
    if (this.#unread > MAX_UNREAD_CHARACTERS) this.#ports.stdio.pause();
    void waiting.then(() => {
      this.#unread -= line.length;
      if (this.#unread <= MAX_UNREAD_CHARACTERS) this.#ports.stdio.resume();
    });
  }

  /** EOF: answers on their way may still go out, for a moment. */
  async #finish(): Promise<void> {
    for (let waited = 0; waited < GRACE_AFTER_EOF_MS && this.#isBusy(); waited += GRACE_STEP_MS) {
      await this.#ports.clock.sleep(GRACE_STEP_MS);
    }
    await this.close();
  }

  #isBusy(): boolean {
    return !this.#closed && this.#open.size + this.#lane.open + this.#unread > 0;
  }
}

/** Many clients write null for what they leave out, as in `{"cursor":null}`, and the library takes no null. */
function withoutNulls(params: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== null));
}

function badLine(reason: "too_long" | "not_utf8"): RpcFailure {
  return reason === "too_long"
    ? failure(null, INVALID_REQUEST, `Invalid request: a message may have ${MAX_MESSAGE_BYTES} bytes at most`)
    : failure(null, PARSE_ERROR, "Parse error: the line is not UTF-8");
}
