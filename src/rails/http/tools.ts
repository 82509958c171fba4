/** An http plugin's tools as agents see them: the declared schema, a cursor for listings, and hints about what a call does. */
import { FermixError } from "../../kernel/error.ts";
import { isJsonObject, type JsonObject } from "../../kernel/json.ts";
import type { HttpTool, LoadedPlugin, LocalTool, Manifest } from "../../manifest/manifest.ts";
import type { RailTool } from "../rail.ts";
import { nativeTools } from "./native/native-tools.ts";

/** The argument with which an agent asks for what comes after the pages it has (DECISIONS 19). */
export const PAGE_CURSOR = "page_cursor";

const NO_PARAMETERS: JsonObject = { type: "object", properties: {} };

/** A tool with the part of the manifest that says how it is run. */
export interface ServedTool {
  readonly tool: RailTool;
  readonly source: HttpTool;
}

/**
 * The tools this rail can run, sorted by name: those with a template, and the bundled plugins' own that are written in
 * code. A tool that has neither cannot be called, so agents do not see it (spec 1.5).
 */
export function servedTools({ origin, manifest }: Pick<LoadedPlugin, "origin" | "manifest">): readonly ServedTool[] {
  return httpTools(manifest)
    .filter(({ name, request }) => request !== undefined || (origin === "bundled" && nativeTools.has(name)))
    .map((source) => ({ source, tool: railTool(manifest, source) }))
    .sort((a, b) => (a.tool.name < b.tool.name ? -1 : 1));
}

function httpTools(manifest: Manifest): readonly HttpTool[] {
  if (manifest.rail === "hosted-mcp") return [];
  const tools: readonly (HttpTool | LocalTool)[] = manifest.tools;
  return tools.filter((tool) => tool.rail === "http");
}

function railTool({ name: plugin }: Manifest, tool: HttpTool): RailTool {
  return {
    name: tool.name,
    plugin,
    upstreamName: tool.name.slice(plugin.length + 1),
    title: undefined,
    description: tool.description,
    inputSchema: schemaOf(tool),
    outputSchema: undefined,
    annotations: annotationsOf(tool),
    readOnly: tool.readOnly,
    judgedBy: "rail",
  };
}

/** Whether a call may be told to go on from a cursor: it is a listing, and no parameter of its own has the name. */
function takesCursor({ request, parameters }: HttpTool): boolean {
  return request?.paginate !== undefined && !Object.hasOwn(propertiesOf(parameters), PAGE_CURSOR);
}

function schemaOf(tool: HttpTool): JsonObject {
  const { parameters = NO_PARAMETERS } = tool;
  if (!takesCursor(tool)) return parameters;
  const cursor = { type: "string", description: "`next_cursor` of an earlier answer, to go on from there." };
  return { ...parameters, properties: { ...propertiesOf(parameters), [PAGE_CURSOR]: cursor } };
}

function propertiesOf(parameters: JsonObject | undefined): JsonObject {
  const properties = parameters?.["properties"];
  return isJsonObject(properties) ? properties : {};
}

/**
 * MCP's hints, from what the manifest says. Only a POST that its author expects to answer 201, and never 204, is known
 * to add without changing what is there; every other write may be destructive, so that no client waves one through by
 * mistake. (The Google trio lists 201 beside 204 for every write, the trash included.)
 */
function annotationsOf({ name, readOnly, request }: HttpTool): JsonObject {
  if (readOnly) return { readOnlyHint: true, destructiveHint: false, openWorldHint: true };
  const adds =
    request === undefined
      ? nativeTools.get(name)?.destructive === false
      : request.method === "POST" && request.success.includes(201) && !request.success.includes(204);
  return { readOnlyHint: false, destructiveHint: !adds, openWorldHint: true };
}

/** The cursor that the agent gave; undefined when it gave none. Throws argument_invalid for anything but text. */
export function cursorFrom(tool: HttpTool, given: JsonObject): string | undefined {
  const cursor = takesCursor(tool) ? given[PAGE_CURSOR] : undefined;
  if (cursor === undefined || cursor === null || cursor === "") return undefined;
  if (typeof cursor === "string") return cursor;
  throw new FermixError("argument_invalid", { tool: tool.name, argument: PAGE_CURSOR, reason: "it must be text" });
}
