/** The short way of tools/call past the MCP library: parameters in, one call through the door, one line out. */

import { FermixError } from "../kernel/error.ts";
import { mayLoseDigits, parseKeepingDigits } from "../kernel/exact-json.ts";
import { isJsonObject, type JsonObject } from "../kernel/json.ts";
import { type CallOptions, MAX_RESULT_MESSAGE_BYTES, type ToolOutcome } from "../rails/rail.ts";
import { Cancellation } from "./cancellation.ts";
import { failure, failureLine, INTERNAL_ERROR, INVALID_PARAMS, type MessageId, resultLine } from "./json-rpc.ts";
import { toolReply } from "./tool-reply.ts";

export type CallTool = (name: string, args: JsonObject, options: CallOptions) => Promise<ToolOutcome>;

/** The client decides how many calls it has open; a runaway one is told to wait instead of filling the memory. */
export const MAX_OPEN_CALLS = 1_000;

const NO_ARGUMENTS: JsonObject = {};

/** UTF-8 needs at most this many bytes for one UTF-16 unit, so shorter lines need not be measured. */
const MAX_BYTES_PER_UNIT = 3;

export class CallLane {
  readonly #call: CallTool;
  readonly #write: (line: string) => void;
  readonly #isRead: () => boolean;
  readonly #open = new Map<MessageId, Cancellation>();

  /** `isRead` tells whether the client keeps up with what is written; while it does not, progress is not told. */
  constructor(call: CallTool, write: (line: string) => void, isRead: () => boolean) {
    this.#call = call;
    this.#write = write;
    this.#isRead = isRead;
  }

  /** Calls that are not answered yet. */
  get open(): number {
    return this.#open.size;
  }

  has(id: MessageId): boolean {
    return this.#open.has(id);
  }

  /** Starts a call. `text` is the whole message, which alone has the exact digits of its numbers (DECISIONS 17). */
  async start(id: MessageId, params: JsonObject | undefined, text: string): Promise<void> {
    const name = params?.["name"];
    const given = params?.["arguments"] ?? NO_ARGUMENTS;
    if (typeof name !== "string" || !isJsonObject(given)) {
      this.#refuse(id, INVALID_PARAMS, "Invalid params: tools/call takes a name and an object of arguments");
      return;
    }
    if (this.#open.size >= MAX_OPEN_CALLS) {
      this.#refuse(id, INTERNAL_ERROR, `Too many calls are open (${MAX_OPEN_CALLS}); wait for answers first`);
      return;
    }
    const cancel = new Cancellation();
    this.#open.set(id, cancel);
    const token = progressToken(params);
    const options = {
      signal: cancel,
      ...(token === undefined ? {} : { onProgress: (step: object) => this.#progress(id, cancel, token, step) }),
    };
    let line: string;
    try {
      const outcome = await this.#call(name, mayLoseDigits(text) ? exactArguments(text) : given, options);
      line = fitting(id, name, resultLine(id, toolReply(outcome)));
    } catch {
      // A rail answers failures as data, so this is a bug in Fermix; the agent must not hang on it.
      line = failureLine(failure(id, INTERNAL_ERROR, `Fermix hit a bug in ${name}; please report it`));
    }
    // MCP: a cancelled request gets no answer, and its id may be in use again.
    if (this.#open.get(id) !== cancel) return;
    this.#open.delete(id);
    this.#write(line);
  }

  /** Ends one call upstream too; false when there is none of this id. */
  cancel(id: unknown): boolean {
    const open = typeof id === "string" || typeof id === "number" ? this.#open.get(id) : undefined;
    if (open === undefined) return false;
    this.#open.delete(id as MessageId);
    open.abort();
    return true;
  }

  cancelAll(): void {
    for (const id of [...this.#open.keys()]) this.cancel(id);
  }

  #progress(id: MessageId, call: Cancellation, progressToken: MessageId, step: object): void {
    // The server decides how often it reports; a client that does not read must not be kept a backlog of it.
    if (this.#open.get(id) !== call || !this.#isRead()) return;
    this.#write(
      JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { ...step, progressToken } }),
    );
  }

  #refuse(id: MessageId, code: number, message: string): void {
    this.#write(failureLine(failure(id, code, message)));
  }
}

function progressToken(params: JsonObject | undefined): MessageId | undefined {
  const meta = params?.["_meta"];
  const token = isJsonObject(meta) ? meta["progressToken"] : undefined;
  return typeof token === "string" || typeof token === "number" ? token : undefined;
}

/** The arguments of this message with every digit kept; only called for a message that was read without fault before. */
function exactArguments(text: string): JsonObject {
  const message = parseKeepingDigits(text);
  const params = isJsonObject(message) ? message["params"] : undefined;
  const args = isJsonObject(params) ? params["arguments"] : undefined;
  return isJsonObject(args) ? args : NO_ARGUMENTS;
}

/** The line, or a refusal in its place: a client that is sent more than it takes loses the whole connection. */
function fitting(id: MessageId, tool: string, line: string): string {
  const limitBytes = MAX_RESULT_MESSAGE_BYTES;
  if (line.length * MAX_BYTES_PER_UNIT <= limitBytes) return line;
  const bytes = Buffer.byteLength(line);
  if (bytes <= limitBytes) return line;
  const error = new FermixError("result_too_large", { tool, bytes, limitBytes });
  return resultLine(id, toolReply({ ok: false, error }));
}
