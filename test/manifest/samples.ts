/** One sound manifest of each kind, with every optional part filled in, and a way to change one thing of it. */
import type { JsonObject, JsonValue } from "../../src/kernel/json.ts";
import { descriptorSha256 } from "../../src/manifest/descriptor-hash.ts";

const common = {
  schema_version: 2,
  display_name: "Notes",
  description: "Keeps notes.",
  category: "productivity",
  version: "1.2.3",
  min_core_version: "0.5.0",
  default_enabled: false,
  interface: { short_description: "Notes", icon: "assets/icon.svg", logo: "./assets/logo.png", free: [1] },
  skills: [{ name: "notes-plugin", path: "skills/notes/SKILL.md" }],
};

/** An http plugin of plugin_api 2 with oauth2. */
export function httpSample(): JsonObject {
  return {
    ...common,
    name: "notes",
    plugin_api: 2,
    auth: {
      type: "oauth2",
      provider: "notesapp",
      scopes: ["read", "write"],
      profile_key: "notes",
      account_mode: "single",
    },
    config: [{ key: "REGION", prompt: "Which region?", required: true, kind: "text" }],
    health_check: { url: "https://api.example.com/me", method: "GET", success: [200] },
    tools: [
      {
        name: "notes_list",
        description: "List notes.",
        policy_class: "external_api",
        read_only: true,
        requires_scopes: ["read"],
        rail: "http",
        parameters: {
          type: "object",
          properties: { folder: { type: "string" }, limit: { type: "integer", default: 10 }, tags: { type: "array" } },
          required: ["folder"],
        },
        request: {
          method: "POST",
          url: "https://api.example.com/v1/folders/{folder}/notes?kind=note",
          query: { limit: "{limit}", flat: true, depth: 2 },
          headers: { "X-Api-Version": "2026-01-01" },
          body: { filter: { tags: "{tags}", text: "in {folder}" }, list: ["{limit}", null, 1] },
          success: [200, 201],
          extract: { path: "data.items[*]", fields: ["id", "title"] },
          query_style: "comma",
          query_empty: "send",
          ok_field: "ok",
        },
      },
      {
        name: "notes_page",
        description: "Page through notes.",
        requires_scopes: ["read", "write"],
        parameters: { type: "object", properties: {} },
        request: {
          url: "https://api.example.com/v1/notes",
          paginate: {
            mode: "cursor",
            items_path: "items",
            cursor_path: "meta.next",
            cursor_param: "cursor",
            cursor_in: "query",
            max_pages: 5,
            fields: ["id"],
          },
        },
      },
    ],
  };
}

/** A local server of plugin_api 3 that needs no credential. */
export function localSample(): JsonObject {
  return {
    ...common,
    name: "vault",
    plugin_api: 3,
    auth: { type: "none" },
    config: [
      { key: "VAULT_PATH", prompt: "Where is it?", required: true },
      { key: "ALLOW_WRITES", prompt: "May it write?", kind: "boolean" },
    ],
    runtime: {
      kind: "node",
      command: "node",
      args: ["src/index.js"],
      vendored: false,
      min_version: "20",
      env: { MODE: "stdio" },
      pass_env: ["TZ"],
      cwd: ".",
      tool_name_mode: "prefix",
      requires_setting: "ALLOW_WRITES",
    },
    tools: [
      { name: "vault_search", description: "Search.", read_only: true, rail: "mcp", parameters: { type: "object" } },
      { name: "vault_native", description: "Built in.", read_only: false },
    ],
  };
}

const listParameters = {
  type: "object",
  properties: {
    workspaceId: { type: "string" },
    limit: { type: "integer" },
    urls: { type: "array" },
    deep: { type: "object", properties: { "a/b": { type: "array" }, n: { type: "number" } } },
  },
};
const listOutput = { type: "object", properties: { items: { type: "array" } } };
const annotations = { readOnlyHint: true };
const spacesParameters = { type: "object", properties: {} };

function hosted(
  name: string,
  parameters: JsonObject,
  outputSchema: JsonObject | null,
  hints: JsonObject | null,
): JsonObject {
  return {
    name,
    description: "Answers.",
    policy_class: "external_api",
    read_only: true,
    replay_safe: true,
    required_credential_scope: "read",
    rail: "mcp",
    parameters,
    output_schema: outputSchema,
    upstream_annotations: hints,
    descriptor_sha256: descriptorSha256({ name, inputSchema: parameters, outputSchema, annotations: hints }),
    collection_policy: null,
    argument_guards: [],
  };
}

/** A hosted server with two profiles, a pinned workspace and inline schemas. */
export function hostedSample(): JsonObject {
  return {
    ...common,
    name: "brain",
    plugin_api: 3,
    auth: {
      type: "api_key",
      key_name: "BRAIN_TOKEN",
      header: "Authorization",
      scheme: "Bearer",
      prompt: "Your token",
      help_url: "https://example.com/tokens",
      validation: {
        prefix: "brain_",
        min_bytes: 16,
        max_bytes: 512,
        charset: "visible_ascii",
        forbid_whitespace: true,
      },
    },
    runtime: {
      kind: "remote_mcp",
      transport: "streamable_http",
      protocol_version: "2025-06-18",
      base_url: "https://mcp.example.com",
      mcp_path: "/mcp",
      tool_name_mode: "preserve",
    },
    tools: [
      hosted("brain_spaces", spacesParameters, null, null),
      {
        ...hosted("brain_list", listParameters, listOutput, annotations),
        collection_policy: {
          paginated: true,
          request_limit_pointer: "/limit",
          default_limit: 50,
          result_items_pointer: "/items",
          max_returned_items: 100,
        },
        argument_guards: [
          { pointer: "/urls", kind: "public_http_url_array", max_items: 20 },
          { pointer: "/deep/a~1b", kind: "bounded_visible_ascii_array", max_items: 1 },
        ],
      },
      { ...hosted("brain_save", listParameters, null, null), read_only: false, required_credential_scope: "write" },
    ],
    tool_profiles: [
      {
        name: "retrieval",
        display_name: "Read",
        default: true,
        required_credential_scope: "read",
        scope_visibility: "none",
        tools: ["brain_list"],
      },
      {
        name: "capture",
        display_name: "Write",
        default: false,
        required_credential_scope: "write",
        scope_visibility: "all_scoped_tools_omitted",
        tools: ["brain_list", "brain_save"],
      },
    ],
    setup_tools: ["brain_spaces"],
    resource_scope: {
      kind: "single_workspace",
      discovery_tool: "brain_spaces",
      id_field: "id",
      label_field: "name",
      argument: "workspaceId",
    },
    budgets: { agent_turn_calls: 20, agent_turn_paginated_calls: 5 },
    result_contract: { kind: "json_boolean", success_field: "ok", status_field: "status", message_field: "message" },
  };
}

/** A built-in plugin in the legacy form, which says nothing of rails. */
export function legacySample(): JsonObject {
  return {
    name: "mailbox",
    display_name: "Mailbox",
    description: "Mail.",
    category: "mail",
    version: "0.1.0",
    auth: { type: "oauth2", provider: "google", scopes: ["mail.read"] },
    health_check: { kind: "local_readiness", requires_auth: true },
    tools: [
      {
        name: "mailbox_search",
        description: "Search mail.",
        requires_scopes: ["mail.read"],
        parameters: { type: "object", properties: { query: { type: "string" } } },
      },
    ],
  };
}

/** A copy with the value at a path replaced; `undefined` removes it. The path is keys and indexes joined by dots. */
export function withChange(sample: JsonObject, path: string, value: JsonValue | undefined): JsonObject {
  const copy = structuredClone(sample);
  const parts = path.split(".");
  const last = parts.pop() ?? "";
  let here: unknown = copy;
  for (const part of parts) here = (here as Record<string, unknown>)[part];
  const target = here as Record<string, unknown>;
  if (value !== undefined)
    Object.defineProperty(target, last, { value, enumerable: true, configurable: true, writable: true });
  else if (Array.isArray(target)) target.splice(Number(last), 1);
  else delete target[last];
  return copy;
}
