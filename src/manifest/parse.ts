/** Turns the text of a plugin.json into a Manifest, or names every rule it breaks at once (spec section 1). */

import { FermixError } from "../kernel/error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import { parseJsonBytes, parseStrictJson } from "../kernel/strict-json.ts";
import { StrictJsonError } from "../kernel/strict-json-error.ts";
import { readAuth } from "./auth.ts";
import { readConfigKeys } from "./config-keys.ts";
import { HOSTED_KEYS, readHostedContract } from "./hosted-contract.ts";
import { readHostedTools } from "./hosted-tools.ts";
import { type Identity, nameOf, readIdentity } from "./identity.ts";
import { readInterface } from "./interface.ts";
import type { HostedManifest, HttpManifest, LocalManifest, Manifest, PluginAuth } from "./manifest.ts";
import { jsonList, objectOr } from "./parts.ts";
import { below, type Place, placeAt, ROOT } from "./place.ts";
import { Problems } from "./problems.ts";
import { type Reading, refuseBeforeApi3, wantForPublishing } from "./reading.ts";
import { readHostedRuntime } from "./runtime-hosted.ts";
import { readLocalRuntime } from "./runtime-local.ts";
import { readSkills } from "./skills.ts";
import { readTools } from "./tools.ts";

/** The plugin's author controls the file; hosted plugins with inline schemas are the largest, at some 100 KiB. */
export const MAX_MANIFEST_BYTES = 1024 * 1024;

export interface ParseOptions {
  /** The folder the manifest must be named after. */
  readonly directory?: string;
  /** Also hold the manifest to what the publishing side asks for; reading stays as lenient as the ecosystem's. */
  readonly publishing?: boolean;
}

/**
 * The manifest in the text or bytes. Raises `manifest_invalid` with all problems in document order, whatever the input.
 * Does not judge compatibility (`compat.ts`), files on disk (`assetPaths`) or other plugins (`cross-checks.ts`).
 */
export function parseManifest(source: string | Uint8Array, options: ParseOptions = {}): Manifest {
  const problems = new Problems();
  const document = readDocument(source, problems);
  const manifest = isJsonObject(document) ? readManifest(document, problems, options) : undefined;
  if (document !== undefined && !isJsonObject(document)) problems.add(ROOT, "not_an_object");
  if (manifest !== undefined && !problems.any) return { ...manifest, warnings: problems.warnings() };
  const plugin = nameOf(document) ?? options.directory ?? "?";
  throw new FermixError("manifest_invalid", { plugin, problems: problems.inOrder(document ?? null) });
}

function readDocument(source: string | Uint8Array, problems: Problems): JsonValue | undefined {
  try {
    const bounds = { maxBytes: MAX_MANIFEST_BYTES };
    return typeof source === "string" ? parseStrictJson(source, bounds) : parseJsonBytes(source, bounds);
  } catch (cause) {
    if (!(cause instanceof StrictJsonError)) throw cause;
    problems.add(placeAt(cause.path), "invalid_json", `it ${cause.says} (line ${cause.line}, column ${cause.column})`);
    return undefined;
  }
}

/** What every kind of plugin has, once read. */
interface Parts {
  readonly identity: Identity;
  readonly auth: PluginAuth | undefined;
  readonly shared: Pick<Manifest, "interface" | "config" | "skills" | "healthCheck" | "warnings">;
  readonly tools: readonly JsonValue[];
}

function readManifest(raw: JsonObject, problems: Problems, options: ParseOptions): Manifest | undefined {
  const identity = readIdentity(problems, raw, options.directory);
  const reading: Reading = {
    problems,
    plugin: identity.name,
    schemaVersion: identity.schemaVersion ?? 2,
    api3: identity.pluginApi === 3,
    publishing: options.publishing ?? false,
  };
  refuseBeforeApi3(reading, raw, ROOT, HOSTED_KEYS);
  wantForPublishing(reading, raw["schema_version"] === 2, below(ROOT, "schema_version"), "it must be 2");
  wantForPublishing(
    reading,
    Object.hasOwn(raw, "min_core_version"),
    below(ROOT, "min_core_version"),
    "it must be there",
  );
  const auth = readAuth(reading, own(raw, "auth"));
  const parts: Parts = {
    identity,
    auth,
    shared: {
      interface: readInterface(reading, own(raw, "interface")),
      config: readConfigKeys(reading, own(raw, "config")),
      skills: readSkills(reading, own(raw, "skills")),
      healthCheck: readHealthCheck(problems, own(raw, "health_check"), auth),
      warnings: [],
    },
    tools: Object.hasOwn(raw, "tools") ? (problems.value(raw["tools"], below(ROOT, "tools"), jsonList) ?? []) : [],
  };
  const runtime = readRuntimeBlock(reading, raw);
  if (runtime?.["kind"] === "remote_mcp") return readHosted(reading, raw, runtime, parts);
  if (reading.api3) {
    for (const key of HOSTED_KEYS) if (Object.hasOwn(raw, key)) problems.add(below(ROOT, key), "remote_only_fields");
  }
  return runtime === undefined ? readHttp(reading, raw, parts) : readLocal(reading, runtime, parts);
}

const healthCheck = objectOr("not_an_object");

function readHealthCheck(problems: Problems, raw: JsonValue | undefined, auth: PluginAuth | undefined) {
  if (raw !== undefined) return problems.value(raw, below(ROOT, "health_check"), healthCheck);
  if (auth?.type === "oauth2") problems.add(below(ROOT, "health_check"), "missing_health_check");
  return undefined;
}

const runtimeBlock = objectOr("invalid_runtime");

function readRuntimeBlock(reading: Reading, raw: JsonObject): JsonObject | undefined {
  if (!Object.hasOwn(raw, "runtime")) return undefined;
  if (reading.schemaVersion === 1) {
    reading.problems.warn(below(ROOT, "runtime"), "legacy_ignored");
    return undefined;
  }
  return reading.problems.value(raw["runtime"], below(ROOT, "runtime"), runtimeBlock);
}

function readHttp(reading: Reading, raw: JsonObject, parts: Parts): HttpManifest | undefined {
  const tools = readTools(reading, parts.tools, parts.auth);
  const http = tools.flatMap((tool) => (tool.rail === "http" ? [tool] : []));
  if (http.length < tools.length && !Object.hasOwn(raw, "runtime"))
    reading.problems.add(below(ROOT, "runtime"), "missing_runtime");
  const { identity, auth, shared } = parts;
  if (!isComplete(identity) || auth === undefined) return undefined;
  const { schemaVersion: _, ...named } = identity;
  return { rail: "http", ...named, auth, ...shared, tools: http };
}

function readLocal(reading: Reading, block: JsonObject, parts: Parts): LocalManifest | undefined {
  const tools = readTools(reading, parts.tools, parts.auth);
  const runtime = readLocalRuntime(reading, block, parts.shared.config);
  const served = tools.some((tool) => tool.rail === "mcp");
  wantForPublishing(reading, served, below(ROOT, "runtime"), "a runtime goes with at least one tool on the mcp rail");
  const { identity, auth, shared } = parts;
  if (!isComplete(identity) || auth === undefined || runtime === undefined) return undefined;
  const { schemaVersion: _, ...named } = identity;
  return { rail: "local-mcp", ...named, auth, ...shared, runtime, tools };
}

function readHosted(reading: Reading, raw: JsonObject, block: JsonObject, parts: Parts): HostedManifest | undefined {
  if (!reading.api3) {
    // Everything below would only repeat that this plugin needs plugin_api 3.
    reading.problems.add(below(below(ROOT, "runtime"), "kind"), "requires_plugin_api_3");
    return undefined;
  }
  const runtime = readHostedRuntime(reading, block);
  const tools = readHostedTools(reading, parts.tools, runtime?.toolNameMode);
  const byName = new Map<string, { place: Place; parameters: JsonObject | undefined }>();
  for (const [index, tool] of parts.tools.entries()) {
    if (!isJsonObject(tool) || typeof tool["name"] !== "string") continue;
    const parameters = isJsonObject(tool["parameters"]) ? tool["parameters"] : undefined;
    byName.set(tool["name"], { place: below(below(ROOT, "tools"), index), parameters });
  }
  const sound = new Map(tools.map((tool) => [tool.upstreamName, tool]));
  const contract = readHostedContract(reading, raw, parts.auth, { byName, sound });
  const { identity, auth, shared } = parts;
  if (!isComplete(identity) || auth === undefined || runtime === undefined || contract === undefined) return undefined;
  const { schemaVersion: _, ...named } = identity;
  return { rail: "hosted-mcp", ...named, auth, ...shared, runtime, tools, ...contract };
}

type Complete = {
  readonly [K in keyof Identity]: K extends "minCoreVersion" | "pluginApi" ? Identity[K] : NonNullable<Identity[K]>;
};

function isComplete(identity: Identity): identity is Complete & Identity {
  const { name, displayName, description, category, version, schemaVersion, defaultEnabled } = identity;
  const required = [name, displayName, description, category, version, schemaVersion, defaultEnabled];
  return required.every((value) => value !== undefined);
}

function own(object: JsonObject, key: string): JsonValue | undefined {
  return Object.hasOwn(object, key) ? object[key] : undefined;
}
