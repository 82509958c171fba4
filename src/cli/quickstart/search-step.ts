/** Starts the plugin's server and makes one real call through the door that agents use. */
import { callTool } from "../../host/call-tool.ts";
import { openHost } from "../../host/host.ts";
import { FermixError } from "../../kernel/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../kernel/json.ts";
import type { App } from "../../plugins/app.ts";
import { orAborted } from "./interrupt.ts";

/** How long a first start may take: Node starts cold, on a busy machine. */
const START_WAIT_MS = 30_000;

export interface Searched {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** The tools the server offers. */
  readonly tools: readonly string[];
  /** What the tool answered, as text. */
  readonly text: string;
}

export interface Search {
  readonly plugin: string;
  readonly tool: string;
  readonly args: JsonObject;
}

/**
 * Calls the tool once and closes everything it started. Throws the outcome's error, `quickstart_call_failed`, or the
 * signal's reason.
 */
export async function searchStep(app: App, { plugin, tool, args }: Search, signal: AbortSignal): Promise<Searched> {
  const host = await openHost(app, { serve: (name) => name === plugin });
  try {
    await orAborted(signal, host.settled(START_WAIT_MS));
    const outcome = await orAborted(signal, callTool(host, tool, args, { signal }));
    if (!outcome.ok) throw outcome.error;
    const text = textOf(outcome.result["content"]);
    if (outcome.result["isError"] === true) throw new FermixError("quickstart_call_failed", { tool, reason: text });
    const tools = host.registry().tools.map(({ name }) => name);
    return { tool, arguments: args, tools, text };
  } finally {
    await host.close();
  }
}

function textOf(content: JsonValue | undefined): string {
  const blocks = Array.isArray(content) ? content : [];
  return blocks
    .map((block: unknown) => (isJsonObject(block) && typeof block["text"] === "string" ? block["text"] : ""))
    .filter((text) => text !== "")
    .join("\n");
}
