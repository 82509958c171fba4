/** Reads a server's tool list, page by page, into the tools that agents see. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { isJsonObject, type JsonObject } from "../../kernel/json.ts";
import type { LocalManifest } from "../../manifest/manifest.ts";
import type { RailTool } from "../rail.ts";
import { nameTools } from "./tool-names.ts";

/** The server decides how many pages and tools it lists; more than this is a fault, not a list. */
const MAX_PAGES = 100;
const MAX_TOOLS = 2_000;

/** A tool as the server lists it: checked for what Fermix needs, the rest untouched. */
type ListedTool = JsonObject & { readonly name: string };

/** The tools of a connected server, sorted by name; raises a plain Error when the list is no list or has no end. */
export async function listTools(client: Client, manifest: LocalManifest, timeoutMs: number): Promise<RailTool[]> {
  if (client.getServerCapabilities()?.tools === undefined) return [];
  const listed = await readPages(client, timeoutMs);
  const names = nameTools(
    manifest.name,
    listed.map(({ name }) => name),
  );
  const tools = new Map<string, RailTool>();
  for (const tool of listed) {
    const name = names.get(tool.name);
    if (name !== undefined && !tools.has(name)) tools.set(name, toRailTool(manifest, name, tool));
  }
  return [...tools.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

async function readPages(client: Client, timeout: number): Promise<ListedTool[]> {
  const { ResultSchema } = await import("@modelcontextprotocol/sdk/types.js");
  const listed: ListedTool[] = [];
  const seen = new Set<string>();
  let cursor: string | undefined;
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const params = cursor === undefined ? {} : { cursor };
    // The SDK's own schema for this answer would refuse the whole list for one odd tool.
    const { tools, nextCursor } = await client.request({ method: "tools/list", params }, ResultSchema, { timeout });
    if (!Array.isArray(tools)) throw new Error("tools/list answered without a list of tools");
    listed.push(...tools.filter(isListedTool));
    if (listed.length > MAX_TOOLS) throw new Error(`tools/list names more than ${MAX_TOOLS} tools`);
    if (typeof nextCursor !== "string" || nextCursor === "") return listed;
    if (seen.has(nextCursor)) throw new Error("tools/list repeats a cursor, so it has no end");
    seen.add(nextCursor);
    cursor = nextCursor;
  }
  throw new Error(`tools/list has more than ${MAX_PAGES} pages`);
}

function isListedTool(value: unknown): value is ListedTool {
  return isJsonObject(value) && typeof value["name"] === "string" && value["name"] !== "";
}

function toRailTool(manifest: LocalManifest, name: RailTool["name"], tool: ListedTool): RailTool {
  const { title, description, inputSchema, outputSchema, annotations } = tool;
  const hints = isJsonObject(annotations) ? annotations : undefined;
  const hintTitle = hints?.["title"];
  // The signed manifest's word on a tool it previews goes before the server's own.
  const preview = manifest.tools.find((previewed) => previewed.rail === "mcp" && previewed.name === name);
  return {
    name,
    plugin: manifest.name,
    upstreamName: tool.name,
    title: typeof title === "string" ? title : typeof hintTitle === "string" ? hintTitle : undefined,
    description: typeof description === "string" ? description : (preview?.description ?? ""),
    inputSchema: isJsonObject(inputSchema) ? inputSchema : { type: "object" },
    outputSchema: isJsonObject(outputSchema) ? outputSchema : undefined,
    annotations: hints,
    readOnly: preview?.readOnly ?? hints?.["readOnlyHint"] === true,
    judgedBy: "schema",
  };
}
