/** Tools as MCP clients see them, in one stable order; what one tool has wrong never costs another its place (AGT-12). */
import { type Tool, ToolSchema } from "@modelcontextprotocol/sdk/types.js";
import type { RailTool } from "../rails/rail.ts";

/** The list for tools/list. A tool whose optional parts no client would accept is listed by its name and description. */
export function exportTools(tools: readonly RailTool[]): readonly Tool[] {
  return tools.map((tool) => {
    const whole = {
      name: tool.name,
      ...(tool.title === undefined ? {} : { title: tool.title }),
      description: tool.description,
      inputSchema: { type: "object", ...tool.inputSchema },
      ...(tool.outputSchema === undefined ? {} : { outputSchema: tool.outputSchema }),
      ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
    };
    return isTool(whole) ? whole : { name: tool.name, description: tool.description, inputSchema: { type: "object" } };
  });
}

/** The library's own rule, so that a client built on it does not refuse the whole list for one entry. */
function isTool(value: unknown): value is Tool {
  return ToolSchema.safeParse(value).success;
}
