/** Judges the params of what the MCP library answers: its own refusal is a page of its schema's words and no -32602. */
import {
  InitializeRequestSchema,
  type JSONRPCRequest,
  ListToolsRequestSchema,
} from "@modelcontextprotocol/sdk/types.js";

/** The only two with params of their own; `ping` has none. */
const SCHEMAS = new Map<string, typeof InitializeRequestSchema | typeof ListToolsRequestSchema>([
  ["initialize", InitializeRequestSchema],
  ["tools/list", ListToolsRequestSchema],
]);

/** What is wrong, by the name of the first member that the library would refuse; undefined when it takes them all. */
export function paramsProblem(request: JSONRPCRequest): string | undefined {
  const parsed = SCHEMAS.get(request.method)?.safeParse(request);
  if (parsed === undefined || parsed.success) return undefined;
  // Deeper names may be the client's own, of any length; the first is one that the schema knows.
  const [, member] = parsed.error.issues[0]?.path ?? [];
  return member === undefined ? `${request.method} needs params` : `${String(member)} is missing or malformed`;
}
