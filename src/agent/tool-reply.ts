/** The MCP shape of what a tool call came to: its result as it is, or the failure as text that an agent can act on. */
import type { FermixError } from "../kernel/error.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { ToolOutcome } from "../rails/rail.ts";

/** A CallToolResult. A failure is a result with isError, so that the model reads what happened and what to run. */
export function toolReply(outcome: ToolOutcome): JsonObject {
  if (!outcome.ok) return failureReply(outcome.error);
  const { result } = outcome;
  if (Array.isArray(result["content"])) return result;
  const structured = result["structuredContent"];
  const content = structured === undefined ? [] : [{ type: "text", text: JSON.stringify(structured) }];
  return { ...result, content };
}

function failureReply(error: FermixError): JsonObject {
  return {
    content: [{ type: "text", text: `${error.message}\nFix: ${error.fix}` }],
    isError: true,
    _meta: { "fermix/code": error.code },
  };
}
