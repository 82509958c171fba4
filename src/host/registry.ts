/** Which tools are live right now: every ready session's tools under their full names, no name twice, in one fixed order. */
import type { RailSession, RailTool } from "../rails/rail.ts";

export interface LiveTool {
  readonly tool: RailTool;
  readonly session: RailSession;
}

export interface Registry {
  /** Sorted by name in code unit order, so that a list is byte-identical while nothing changed (AGT-9). */
  readonly tools: readonly RailTool[];
  find(name: string): LiveTool | undefined;
  /** Tools left out because a plugin earlier in the alphabet has the name (spec 4: a duplicate is skipped). */
  readonly shadowed: readonly RailTool[];
}

/**
 * The registry of these sessions. `a_b` + `c` and `a` + `b_c` are the same tool name: the plugin whose own name sorts
 * first keeps it, whatever the order in which their servers came up.
 */
export function buildRegistry(sessions: readonly RailSession[]): Registry {
  const live = new Map<string, LiveTool>();
  const shadowed: RailTool[] = [];
  const inOrder = sessions.toSorted((a, b) => order(a.plugin, b.plugin));
  for (const session of inOrder) {
    for (const tool of session.tools()) {
      if (live.has(tool.name)) shadowed.push(tool);
      else live.set(tool.name, { tool, session });
    }
  }
  const tools = [...live.values()].map(({ tool }) => tool).sort((a, b) => order(a.name, b.name));
  return { tools, shadowed, find: (name) => live.get(name) };
}

/** Code unit order, the same in every locale. */
export function order(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
