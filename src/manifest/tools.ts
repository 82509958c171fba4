/** Reads `tools` of plugins that run here: http templates and previews of a local server's tools (spec 1.5). */

import * as v from "valibot";
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import { asToolName, type ToolName } from "../kernel/names.ts";
import type { HttpTool, LocalTool, PluginAuth } from "./manifest.ts";
import { flag, objectOr, oneOf, text, textThat } from "./parts.ts";
import { below, type Place, ROOT } from "./place.ts";
import { type Reading, refuseBeforeApi3, wantForPublishing } from "./reading.ts";
import { readRequest } from "./request.ts";

/** The agent reads every description in every turn, so the grammar keeps them short; counted in UTF-8 bytes. */
const MAX_DESCRIPTION_BYTES = 100;

export const toolName = textThat((name) => asToolName(name) !== undefined, "invalid_tool_name");
export const toolDescription = v.pipe(
  textThat(
    (words) => words.trim() !== "" && Buffer.byteLength(words) <= MAX_DESCRIPTION_BYTES,
    "invalid_tool_description",
  ),
  v.trim(),
);
const common = {
  name: toolName,
  description: toolDescription,
  policy_class: v.optional(text),
  read_only: v.optional(flag, false),
  requires_scopes: v.optional(v.array(text, "not_a_list"), []),
  parameters: v.optional(objectOr("invalid_tool_parameters")),
};
const railFields = {
  rail: v.optional(oneOf(["http", "mcp"], "invalid_tool_rail"), "http"),
  request: v.optional(objectOr("invalid_tool_request")),
};
const KEYS: ReadonlySet<string> = new Set([...Object.keys(common), ...Object.keys(railFields)]);
/** What only a hosted tool carries (spec 1.8). */
export const HOSTED_TOOL_KEYS: ReadonlySet<string> = new Set([
  "replay_safe",
  "required_credential_scope",
  "collection_policy",
  "argument_guards",
  "output_schema",
  "upstream_annotations",
  "descriptor_sha256",
]);
const KNOWN_KEYS: ReadonlySet<string> = new Set([...KEYS, ...HOSTED_TOOL_KEYS]);

/** The sound tools, in document order; `auth` is undefined when it broke a rule, and scopes are then not judged. */
export function readTools(
  reading: Reading,
  list: readonly JsonValue[],
  auth: PluginAuth | undefined,
): readonly (HttpTool | LocalTool)[] {
  const seen = new Set<string>();
  const tools: (HttpTool | LocalTool)[] = [];
  for (const [index, item] of list.entries()) {
    const path = below(below(ROOT, "tools"), index);
    if (!isJsonObject(item)) reading.problems.add(path, "invalid_tool");
    else {
      const tool = readTool(reading, item, path, auth);
      noteDuplicate(reading, item["name"], path, seen);
      if (tool !== undefined) tools.push(tool);
    }
  }
  return tools;
}

/** Notes a name that an earlier tool of this manifest has. */
export function noteDuplicate(reading: Reading, name: JsonValue | undefined, path: Place, seen: Set<string>): void {
  if (typeof name !== "string") return;
  if (seen.has(name)) reading.problems.add(below(path, "name"), "duplicate_tool_name");
  seen.add(name);
}

function readTool(
  reading: Reading,
  raw: JsonObject,
  path: Place,
  auth: PluginAuth | undefined,
): HttpTool | LocalTool | undefined {
  const { problems } = reading;
  problems.closed(raw, path, KNOWN_KEYS, "warn");
  refuseBeforeApi3(reading, raw, path, HOSTED_TOOL_KEYS);
  if (reading.api3) {
    for (const key of HOSTED_TOOL_KEYS)
      if (Object.hasOwn(raw, key)) problems.add(below(path, key), "remote_only_fields");
  }
  const read = problems.fields(raw, path, common);
  const parameters = readParameters(reading, read.parameters, path);
  const name = namespaced(reading, read.name, path);
  const requiresScopes = judgeScopes(reading, read.requires_scopes, path, auth);
  wantForPublishing(
    reading,
    Object.hasOwn(raw, "read_only"),
    below(path, "read_only"),
    "say whether the tool only reads",
  );
  const rail = readRail(reading, raw, parameters, path, auth);
  if (name === undefined || read.description === undefined || read.read_only === undefined) return undefined;
  if (requiresScopes === undefined || rail === undefined) return undefined;
  return { ...rail, name, description: read.description, readOnly: read.read_only, requiresScopes, parameters };
}

type ReadRail = Pick<HttpTool, "rail" | "request"> | Pick<LocalTool, "rail">;

/** The rail with its template. The legacy form is not read: its tools are built in, so a template there never runs. */
function readRail(
  reading: Reading,
  raw: JsonObject,
  parameters: JsonObject | undefined,
  path: Place,
  auth: PluginAuth | undefined,
): ReadRail | undefined {
  const { problems } = reading;
  if (reading.schemaVersion === 1) {
    for (const key of ["rail", "request"])
      if (Object.hasOwn(raw, key)) problems.warn(below(path, key), "legacy_ignored");
    return { rail: "http", request: undefined };
  }
  const { rail, request } = problems.fields(raw, path, railFields);
  if (rail === undefined) return undefined;
  if (rail === "mcp") {
    if (request !== undefined)
      problems.warn(below(path, "request"), "unknown_fields", "the mcp rail sends no template");
    return { rail };
  }
  if (request === undefined) return { rail, request: undefined };
  if (!Object.hasOwn(raw, "parameters")) problems.add(below(path, "parameters"), "missing_tool_parameters");
  const authHeader = auth === undefined || auth.type === "none" ? undefined : auth.header;
  const template = readRequest(reading, request, { path: below(path, "request"), parameters, authHeader });
  return template === undefined ? undefined : { rail, request: template };
}

function readParameters(reading: Reading, parameters: JsonObject | undefined, path: Place): JsonObject | undefined {
  if (parameters === undefined) return undefined;
  const properties = parameters["properties"];
  if (properties !== undefined && !isJsonObject(properties)) {
    reading.problems.add(below(below(path, "parameters"), "properties"), "invalid_tool_parameters");
    return undefined;
  }
  const declared = parameters["type"] === "object";
  wantForPublishing(
    reading,
    declared,
    below(below(path, "parameters"), "type"),
    "parameters are a schema of type object",
  );
  return parameters;
}

/** BUN-5: tools of different plugins cannot meet, because each carries its plugin's name. */
function namespaced(reading: Reading, name: string | undefined, path: Place): ToolName | undefined {
  if (name === undefined || reading.plugin === undefined) return undefined;
  if (!name.startsWith(`${reading.plugin}_`)) reading.problems.add(below(path, "name"), "tool_name_not_namespaced");
  return asToolName(name);
}

/** Only oauth2 has scopes to judge against; other plugins may list them for people to read (spec 1.2, 1.5). */
function judgeScopes(
  { problems }: Reading,
  scopes: readonly string[] | undefined,
  path: Place,
  auth: PluginAuth | undefined,
): readonly string[] | undefined {
  if (scopes === undefined || auth?.type !== "oauth2") return scopes;
  if (scopes.length === 0 && auth.scopes.length > 0)
    problems.add(below(path, "requires_scopes"), "missing_tool_scopes");
  const granted = new Set(auth.scopes);
  for (const [index, scope] of scopes.entries()) {
    if (!granted.has(scope)) problems.add(below(below(path, "requires_scopes"), index), "unknown_tool_scopes");
  }
  return scopes;
}
