/** The SDK's view of a server's pipes, with a lane beside it that takes the answers to tools/call. */
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { FermixError } from "../../kernel/error.ts";
import { withPlainNumbers } from "../../kernel/exact-json.ts";
import { cutToDepth, MAX_MESSAGE_DEPTH } from "../../kernel/json-depth.ts";
import type { Child, ChildExit, Clock } from "../../kernel/ports.ts";
import type { RailTool } from "../rail.ts";
import { CallLane } from "./call-lane.ts";
import { LineSplitter, readLine } from "./read-line.ts";
import { StderrTail } from "./stderr-tail.ts";
import type { SessionLimits } from "./supervise-policy.ts";

export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  readonly lane: CallLane;
  readonly stderr = new StderrTail();
  /** Resolves when the server and everything it started is gone and its last words were read. */
  readonly ended: Promise<void>;
  readonly #child: Child;
  readonly #limits: SessionLimits;
  #noisyLines = 0;
  #flooded = false;
  #closing = false;
  #exit: ChildExit | undefined;

  constructor(clock: Clock, child: Child, limits: SessionLimits) {
    this.#child = child;
    this.#limits = limits;
    this.lane = new CallLane(clock, limits, (line) => this.#write(line));
    const splitter = new LineSplitter(
      limits.lineBytes,
      (line) => this.#read(line),
      () => this.#flood(),
    );
    child.onStdout((chunk) => splitter.push(chunk));
    child.onStderr((chunk) => this.stderr.push(chunk));
    this.ended = child.exited.then((exit) => this.#end(exit));
  }

  /** Lines of stdout that held something else than messages. */
  get noisyLines(): number {
    return this.#noisyLines;
  }

  /** How the server ended, once it did. */
  get exit(): ChildExit | undefined {
    return this.#exit;
  }

  /** Whether calls can still be answered. */
  get alive(): boolean {
    return this.#exit === undefined && !this.#flooded;
  }

  get flooded(): boolean {
    return this.#flooded;
  }

  /** Rejects when the server is gone already: the SDK would wait for its answer. */
  async start(): Promise<void> {
    if (this.#exit !== undefined) throw new Error("the process has ended");
  }

  send(message: JSONRPCMessage): Promise<void> {
    return this.#child.write(`${JSON.stringify(message)}\n`);
  }

  /** Ends the server and everything it started. */
  close(): Promise<void> {
    this.#closing = true;
    return this.#child.stop();
  }

  /** Why a call that waits, or comes now, gets no answer from this server. */
  whyEnded({ plugin, name }: RailTool): FermixError {
    if (this.#flooded) return new FermixError("stdout_flood", { plugin, limitBytes: this.#limits.lineBytes });
    if (this.#closing) return new FermixError("session_closed", { plugin, tool: name });
    return new FermixError("server_exited", {
      plugin,
      tool: name,
      exitCode: this.#exit?.exitCode,
      signal: this.#exit?.signal,
      stderrTail: this.stderr.lines(),
    });
  }

  #read(line: string): void {
    const { messages, noisy } = readLine(line);
    if (noisy) this.#noisyLines += 1;
    for (const message of messages) {
      if (this.lane.take(message)) continue;
      // The SDK checks the shape of what it is given; numbers kept as text are for results only. Cut short, one
      // bottomless schema costs its tool that part, and neither the list nor this process anything (AGT-12).
      this.onmessage?.(withPlainNumbers(cutToDepth(message, MAX_MESSAGE_DEPTH)) as JSONRPCMessage);
    }
  }

  #write(line: string): void {
    // A server that closed its stdin can be asked nothing more; its end then fails the calls that wait.
    this.#child.write(line).catch(() => this.#child.stop());
  }

  #flood(): void {
    this.#flooded = true;
    this.lane.end((tool) => this.whyEnded(tool));
    void this.#child.stop();
  }

  #end(exit: ChildExit): void {
    this.#exit = exit;
    this.lane.end((tool) => this.whyEnded(tool));
    this.onclose?.();
  }
}
