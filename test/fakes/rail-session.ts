/** A session of no rail: its tools, its state and its answers are what the test says, and an unexpected call fails. */
import type { JsonObject } from "../../src/kernel/json.ts";
import { asPluginName, asToolName, type PluginName } from "../../src/kernel/names.ts";
import type { CallOptions, RailSession, RailTool, SessionState, ToolOutcome } from "../../src/rails/rail.ts";

/** A plugin's name that the test knows to be one. */
function pluginName(text: string): PluginName {
  const name = asPluginName(text);
  if (name === undefined) throw new Error(`${text} is no plugin name`);
  return name;
}

/** `<plugin>_<tool>`, taking any object unless the schema says otherwise. */
export function railTool(plugin: string, upstreamName: string, more: Partial<RailTool> = {}): RailTool {
  const name = asToolName(`${plugin}_${upstreamName}`);
  if (name === undefined) throw new Error(`${plugin}_${upstreamName} is no tool name`);
  return {
    name,
    plugin: pluginName(plugin),
    upstreamName,
    title: undefined,
    description: `Does ${upstreamName}.`,
    inputSchema: { type: "object" },
    outputSchema: undefined,
    annotations: undefined,
    readOnly: true,
    judgedBy: "schema",
    ...more,
  };
}

export type Answer = (tool: RailTool, args: JsonObject, options: CallOptions) => ToolOutcome | Promise<ToolOutcome>;

/** A text answer. */
export function text(said: string): ToolOutcome {
  return { ok: true, result: { content: [{ type: "text", text: said }] } };
}

export class FakeSession implements RailSession {
  readonly plugin: PluginName;
  readonly calls: { readonly tool: string; readonly args: JsonObject }[] = [];
  answer: Answer = (tool) => {
    throw new Error(`unexpected call of ${tool.name}`);
  };
  readonly #listeners: (() => void)[] = [];
  readonly #settled = Promise.withResolvers<void>();
  #tools: readonly RailTool[];
  #state: SessionState = { status: "starting", attempt: 1 };

  constructor(
    plugin: string,
    tools: readonly RailTool[] = [railTool(plugin, "look")],
    state: SessionState = { status: "ready" },
  ) {
    this.plugin = pluginName(plugin);
    this.#tools = tools;
    this.become(state);
  }

  state(): SessionState {
    return this.#state;
  }

  tools(): readonly RailTool[] {
    return this.#state.status === "ready" ? this.#tools : [];
  }

  onChange(listener: () => void): void {
    this.#listeners.push(listener);
  }

  settled(): Promise<void> {
    return this.#settled.promise;
  }

  async call(tool: RailTool, args: JsonObject, options: CallOptions): Promise<ToolOutcome> {
    this.calls.push({ tool: tool.name, args });
    return this.answer(tool, args, options);
  }

  async close(): Promise<void> {
    this.become({ status: "closed" });
  }

  become(state: SessionState, tools = this.#tools): void {
    this.#state = state;
    this.#tools = tools;
    if (state.status !== "starting") this.#settled.resolve();
    for (const listener of this.#listeners) listener();
  }
}
