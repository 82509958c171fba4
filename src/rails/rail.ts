/** The contract every rail fulfils: open a session for a loaded plugin, list its tools, call one. */
import type { FermixError } from "../kernel/error.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { PluginName, ToolName } from "../kernel/names.ts";

/** A tool as agents see it. */
export interface RailTool {
  readonly name: ToolName;
  readonly plugin: PluginName;
  /** The name on the upstream side. */
  readonly upstreamName: string;
  readonly title: string | undefined;
  readonly description: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | undefined;
  readonly annotations: JsonObject | undefined;
  readonly readOnly: boolean;
  /** Who holds a call's arguments against the parameters: the door, by the whole schema, or the rail, by rules of its own (DECISIONS 17). */
  readonly judgedBy: "schema" | "rail";
}

/** An MCP CallToolResult: `content`, `structuredContent`, `isError`. */
type ToolResult = JsonObject;

/**
 * What an agent's client reads as one message: the official client's stdio transport ends the whole connection at
 * 10 MiB, whatever of the pipe's next 64 KiB it has read with it.
 */
export const MAX_RESULT_MESSAGE_BYTES = 10 * 1024 * 1024 - 64 * 1024;

/** A failed call is data for the agent, never a throw. */
export type ToolOutcome =
  | { readonly ok: true; readonly result: ToolResult }
  | { readonly ok: false; readonly error: FermixError };

/** Tells a call that its caller gave it up. An AbortSignal is one; `mcp serve` makes a smaller one for each call. */
export interface CallSignal {
  readonly aborted: boolean;
  addEventListener(type: "abort", listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: "abort", listener: () => void): void;
}

export interface CallOptions {
  /** Aborting cancels the call upstream too. */
  readonly signal?: CallSignal;
  readonly onProgress?: (progress: { progress: number; total?: number; message?: string }) => void;
}

export type SessionState =
  | { readonly status: "starting"; readonly attempt: number }
  | { readonly status: "ready" }
  | { readonly status: "failed"; readonly error: FermixError }
  | { readonly status: "closed" };

export interface RailSession {
  readonly plugin: PluginName;
  state(): SessionState;
  /** Sorted by name; empty unless ready. */
  tools(): readonly RailTool[];
  /** Called after every change of state or tools. */
  onChange(listener: () => void): void;
  /** Resolves when the session is ready or has failed for good. */
  settled(): Promise<void>;
  call(tool: RailTool, args: JsonObject, options: CallOptions): Promise<ToolOutcome>;
  /** Ends everything the session started; resolves when nothing is left. */
  close(): Promise<void>;
}
