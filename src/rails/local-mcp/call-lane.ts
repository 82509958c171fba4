/** The lane for tools/call: ids, deadlines, progress and cancellation, without the SDK in between (PLATFORM "Speed recipes"). */
import { FermixError } from "../../kernel/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../kernel/json.ts";
import { MAX_MESSAGE_DEPTH, nestsDeeper } from "../../kernel/json-depth.ts";
import type { Clock } from "../../kernel/ports.ts";
import type { CallOptions, RailTool, ToolOutcome } from "../rail.ts";
import type { SessionLimits } from "./supervise-policy.ts";

/** UTF-8 needs at most this many bytes for one UTF-16 unit, so shorter texts need not be measured. */
const MAX_BYTES_PER_UNIT = 3;

interface Pending {
  readonly tool: RailTool;
  readonly options: CallOptions;
  readonly settle: (outcome: ToolOutcome) => void;
  readonly onAbort: () => void;
  deadline: number;
}

export class CallLane {
  readonly #clock: Clock;
  readonly #limits: Pick<SessionLimits, "callMs" | "argumentBytes">;
  readonly #send: (line: string) => void;
  readonly #pending = new Map<string, Pending>();
  readonly #ended = new AbortController();
  #whyEnded: ((tool: RailTool) => FermixError) | undefined;
  #lastId = 0;
  #watching = false;

  /** `send` writes one line to the server; a server that no longer reads is noticed by whoever owns it. */
  constructor(clock: Clock, limits: Pick<SessionLimits, "callMs" | "argumentBytes">, send: (line: string) => void) {
    this.#clock = clock;
    this.#limits = limits;
    this.#send = send;
  }

  call(tool: RailTool, args: JsonObject, options: CallOptions): Promise<ToolOutcome> {
    const { plugin, name } = tool;
    if (options.signal?.aborted) return failed(new FermixError("call_cancelled", { plugin, tool: name }));
    if (this.#whyEnded !== undefined) return failed(this.#whyEnded(tool));
    const text = JSON.stringify(args);
    const limitBytes = this.#limits.argumentBytes;
    if (text.length * MAX_BYTES_PER_UNIT > limitBytes) {
      const bytes = Buffer.byteLength(text);
      if (bytes > limitBytes) {
        return failed(new FermixError("arguments_too_large", { plugin, tool: name, bytes, limitBytes }));
      }
    }
    // A string id never meets the SDK's numeric ones; the same text is the progress token.
    this.#lastId += 1;
    const id = `f${this.#lastId}`;
    return new Promise((resolve) => {
      const onAbort = () => this.#abandon(id, new FermixError("call_cancelled", { plugin, tool: name }));
      this.#pending.set(id, {
        tool,
        options,
        settle: resolve,
        onAbort,
        deadline: this.#clock.now() + this.#limits.callMs,
      });
      options.signal?.addEventListener("abort", onAbort, { once: true });
      this.#send(
        `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":${JSON.stringify(tool.upstreamName)},"arguments":${text},"_meta":{"progressToken":"${id}"}}}\n`,
      );
      if (!this.#watching) void this.#watchDeadlines();
    });
  }

  /** Takes a message when it belongs to a call of this lane. */
  take(message: JsonObject): boolean {
    const { id, method } = message;
    if (method === undefined) {
      if (typeof id !== "string") return false;
      const pending = this.#pending.get(id);
      // An answer to a call that was given up is ours too, and nobody's news.
      if (pending !== undefined) this.#settle(id, pending, outcomeOf(pending.tool, message));
      return true;
    }
    if (method !== "notifications/progress" || !isJsonObject(message["params"])) return false;
    const { progressToken, ...progress } = message["params"];
    const pending = typeof progressToken === "string" ? this.#pending.get(progressToken) : undefined;
    if (pending === undefined) return typeof progressToken === "string";
    pending.deadline = this.#clock.now() + this.#limits.callMs;
    pending.options.onProgress?.(progressOf(progress));
    return true;
  }

  /** Fails every call that waits or comes later; the server answers no more. The first reason stays. */
  end(reason: (tool: RailTool) => FermixError): void {
    if (this.#whyEnded !== undefined) return;
    this.#whyEnded = reason;
    this.#ended.abort();
    for (const [id, pending] of this.#pending) this.#settle(id, pending, { ok: false, error: reason(pending.tool) });
  }

  #settle(id: string, pending: Pending, outcome: ToolOutcome): void {
    this.#pending.delete(id);
    pending.options.signal?.removeEventListener("abort", pending.onAbort);
    pending.settle(outcome);
  }

  /** Gives a call up on both sides. */
  #abandon(id: string, error: FermixError): void {
    const pending = this.#pending.get(id);
    if (pending === undefined) return;
    this.#send(
      `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"${id}","reason":"${error.code}"}}\n`,
    );
    this.#settle(id, pending, { ok: false, error });
  }

  /**
   * One sleeper for all calls: every call has the same time and progress only prolongs it, so sleeping until the
   * earliest known deadline never misses one.
   */
  async #watchDeadlines(): Promise<void> {
    this.#watching = true;
    while (this.#pending.size > 0) {
      const earliest = Math.min(...Array.from(this.#pending.values(), ({ deadline }) => deadline));
      try {
        await this.#clock.sleep(Math.max(0, earliest - this.#clock.now()), this.#ended.signal);
      } catch (cause) {
        if (this.#ended.signal.aborted) break;
        throw cause;
      }
      const now = this.#clock.now();
      const afterMs = this.#limits.callMs;
      for (const [id, { deadline, tool }] of this.#pending) {
        if (deadline > now) continue;
        this.#abandon(id, new FermixError("call_timed_out", { plugin: tool.plugin, tool: tool.name, afterMs }));
      }
    }
    this.#watching = false;
  }
}

function failed(error: FermixError): Promise<ToolOutcome> {
  return Promise.resolve({ ok: false, error });
}

function progressOf({ progress, total, message }: JsonObject): { progress: number; total?: number; message?: string } {
  return {
    progress: typeof progress === "number" ? progress : 0,
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof message === "string" ? { message } : {}),
  };
}

/** What an answer is: a JSON-RPC error, a tool result, or neither. A result with `isError` is a result. */
function outcomeOf(tool: RailTool, { error, result }: JsonObject): ToolOutcome {
  const { plugin, name } = tool;
  if (isJsonObject(error)) {
    const { code, message } = error;
    const details = {
      plugin,
      tool: name,
      rpcCode: typeof code === "number" ? code : 0,
      says: typeof message === "string" ? message : "no reason given",
    };
    return { ok: false, error: new FermixError("tool_refused", details) };
  }
  if (!isJsonObject(result)) return invalid(tool, "neither a result nor an error");
  if (nestsDeeper(result, MAX_MESSAGE_DEPTH))
    return invalid(tool, `it nests more than ${MAX_MESSAGE_DEPTH} levels deep`);
  const { content, structuredContent, isError } = result;
  if (isError !== undefined && typeof isError !== "boolean") return invalid(tool, "isError is no boolean");
  if (structuredContent !== undefined && !isJsonObject(structuredContent)) {
    return invalid(tool, "structuredContent is no object");
  }
  if (content === undefined) return { ok: true, result: { ...result, content: [] } };
  if (!isArray(content)) return invalid(tool, "content is no list");
  if (!content.every((block) => isJsonObject(block) && typeof block["type"] === "string")) {
    return invalid(tool, "a content block has no type");
  }
  return { ok: true, result };
}

function invalid({ plugin, name }: RailTool, reason: string): ToolOutcome {
  return { ok: false, error: new FermixError("result_invalid", { plugin, tool: name, reason }) };
}

function isArray(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value);
}
