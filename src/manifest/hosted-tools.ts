/** Reads `tools` of a hosted plugin: the exact descriptors its vendor is held to (spec 1.8, 1.9, DECISIONS 9). */

import * as v from "valibot";
import { CanonicalJsonError } from "../kernel/canonical-json.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import { asSha256, asToolName, type Sha256, type ToolName } from "../kernel/names.ts";
import { descriptorSha256 } from "./descriptor-hash.ts";
import { type InlineSchemas, readArgumentGuards, readCollectionPolicy } from "./hosted-limits.ts";
import type { HostedRuntime, HostedTool } from "./manifest.ts";
import { flag, matching, objectOr, oneOf } from "./parts.ts";
import { below, type Place, ROOT } from "./place.ts";
import type { Reading } from "./reading.ts";
import { HOSTED_TOOL_KEYS, noteDuplicate, toolDescription, toolName } from "./tools.ts";

const fields = {
  name: toolName,
  description: toolDescription,
  policy_class: v.literal("external_api", "invalid_remote_tool"),
  read_only: flag,
  replay_safe: flag,
  required_credential_scope: oneOf(["read", "write"], "invalid_remote_tool"),
  rail: v.literal("mcp", "invalid_tool_rail"),
  descriptor_sha256: matching(/^[0-9a-f]{64}$/, "invalid_descriptor_sha256"),
};
const schemaFields = {
  parameters: objectOr("invalid_tool_parameters"),
  output_schema: v.nullable(objectOr("invalid_remote_tool")),
  upstream_annotations: v.nullable(objectOr("invalid_remote_tool")),
};
const SCHEMA_KEYS = Object.keys(schemaFields);
const KEYS: ReadonlySet<string> = new Set([...Object.keys(fields), ...SCHEMA_KEYS, ...HOSTED_TOOL_KEYS]);

/** The sound tools, in document order. `mode` is undefined when the runtime broke a rule. */
export function readHostedTools(
  reading: Reading,
  list: readonly JsonValue[],
  mode: HostedRuntime["toolNameMode"] | undefined,
): readonly HostedTool[] {
  const seen = new Set<string>();
  const tools: HostedTool[] = [];
  for (const [index, item] of list.entries()) {
    const path = below(below(ROOT, "tools"), index);
    if (!isJsonObject(item)) reading.problems.add(path, "invalid_tool");
    else {
      const tool = readHostedTool(reading, item, path, mode);
      noteDuplicate(reading, tool?.name ?? item["name"], path, seen);
      if (tool !== undefined) tools.push(tool);
    }
  }
  return tools;
}

function readHostedTool(
  reading: Reading,
  raw: JsonObject,
  path: Place,
  mode: HostedRuntime["toolNameMode"] | undefined,
): HostedTool | undefined {
  const { problems } = reading;
  problems.closed(raw, path, KEYS);
  const read = problems.fields(raw, path, fields);
  const schemas = readSchemas(reading, raw, path);
  const name = agentName(reading, read.name, path, mode);
  const policy = readCollectionPolicy(reading, raw, path, schemas);
  const guards = readArgumentGuards(reading, raw, path, schemas);
  const hash = asSha256(read.descriptor_sha256);
  if (schemas !== undefined && hash !== undefined && read.name !== undefined) {
    checkHash(reading, read.name, schemas, hash, below(path, "descriptor_sha256"));
  }
  const { description, read_only, replay_safe, required_credential_scope } = read;
  if (name === undefined || read.name === undefined || description === undefined || hash === undefined)
    return undefined;
  if (read_only === undefined || replay_safe === undefined || required_credential_scope === undefined) return undefined;
  if (policy === undefined || guards === undefined) return undefined;
  return {
    rail: "mcp",
    name,
    upstreamName: read.name,
    description,
    readOnly: read_only,
    replaySafe: replay_safe,
    requiredCredentialScope: required_credential_scope,
    parameters: schemas?.parameters,
    outputSchema: schemas?.outputSchema,
    upstreamAnnotations: schemas?.annotations,
    descriptorSha256: hash,
    collectionPolicy: policy,
    argumentGuards: guards,
  };
}

/**
 * `preserve` keeps the vendor's name, which must then already carry the plugin's; `prefix` puts the plugin's name in
 * front where the vendor's own does not start with it.
 */
function agentName(
  { problems, plugin }: Reading,
  upstream: string | undefined,
  path: Place,
  mode: HostedRuntime["toolNameMode"] | undefined,
): ToolName | undefined {
  if (upstream === undefined || plugin === undefined || mode === undefined) return undefined;
  if (upstream.startsWith(`${plugin}_`)) return asToolName(upstream);
  if (mode === "preserve") {
    problems.add(below(path, "name"), "unpreservable_tool_name");
    return undefined;
  }
  const name = asToolName(`${plugin}_${upstream}`);
  if (name === undefined) problems.add(below(path, "name"), "invalid_tool_name", "with the plugin's name in front");
  return name;
}

function readSchemas(reading: Reading, raw: JsonObject, path: Place): InlineSchemas | undefined {
  if (!SCHEMA_KEYS.some((key) => Object.hasOwn(raw, key))) return undefined;
  const { problems } = reading;
  const { parameters, output_schema, upstream_annotations } = problems.fields(raw, path, schemaFields);
  let sound = true;
  for (const [key, schema] of [
    ["parameters", parameters],
    ["output_schema", output_schema],
  ] as const) {
    if (schema === undefined || schema === null || schema["type"] === "object") continue;
    problems.add(below(below(path, key), "type"), "invalid_tool_parameters", "its type must be object");
    sound = false;
  }
  if (!sound || parameters === undefined) return undefined;
  if (output_schema === undefined || upstream_annotations === undefined) return undefined;
  return { parameters, outputSchema: output_schema, annotations: upstream_annotations };
}

function checkHash({ problems }: Reading, name: string, schemas: InlineSchemas, declared: Sha256, at: Place): void {
  const { parameters, outputSchema, annotations } = schemas;
  try {
    const computed = descriptorSha256({ name, inputSchema: parameters, outputSchema, annotations });
    if (computed !== declared) problems.add(at, "descriptor_sha256_mismatch", `they hash to ${computed}`);
  } catch (cause) {
    if (!(cause instanceof CanonicalJsonError)) throw cause;
    problems.add(at, "descriptor_not_canonical", cause.reason);
  }
}
