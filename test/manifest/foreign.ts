/** Manifests in the style of plugins published for this ecosystem, written by us: each must load as it is (DECISIONS 12). */
import type { JsonObject } from "../../src/kernel/json.ts";

/** A chat service: a key with empty scopes, while its tools name scopes for people to read. */
const chat = {
  schema_version: 2,
  name: "parley",
  display_name: "Parley",
  description: "Read channels and messages in a Parley team.",
  category: "communication",
  version: "1.4.0",
  min_core_version: "0.5.0",
  plugin_api: 2,
  default_enabled: false,
  interface: {
    short_description: "Team chat",
    developer_name: "Example",
    brand_color: "#4A154B",
    icon: "assets/icon.svg",
    logo: "assets/logo.png",
    privacy_policy_url: "https://parley.example/privacy",
    terms_of_service_url: "https://parley.example/terms",
    gallery: [{ src: "assets/one.png" }],
  },
  auth: {
    type: "api_key",
    profile_key: "parley",
    account_mode: "single",
    scopes: [],
    key_name: "PARLEY_BOT_TOKEN",
    header: "authorization",
    scheme: "Bearer",
    prompt: "Paste the bot token",
    help_url: "https://parley.example/apps",
  },
  health_check: { url: "https://parley.example/api/auth.test", method: "POST", success: [200] },
  tools: [
    {
      name: "parley_list_channels",
      description: "List the channels of the team.",
      policy_class: "external_api",
      read_only: true,
      requires_scopes: ["channels:read", "groups:read"],
      rail: "http",
      parameters: {
        type: "object",
        properties: { limit: { type: "integer", default: 100, minimum: 1 } },
        required: [],
      },
      request: {
        method: "GET",
        url: "https://parley.example/api/conversations.list",
        query: { types: "public_channel,private_channel", limit: "{limit}", exclude_archived: "true" },
        paginate: {
          items_path: "channels",
          cursor_path: "response_metadata.next_cursor",
          cursor_param: "cursor",
          max_pages: 5,
          fields: ["id", "name"],
        },
      },
    },
  ],
  skills: [],
};

/** A bot whose scheme is not Bearer and whose header value holds an address and brackets. */
const bot = {
  schema_version: 2,
  name: "guildhall",
  display_name: "Guildhall",
  description: "Read guilds.",
  category: "communication",
  version: "1.0.1",
  min_core_version: "0.5.0",
  plugin_api: 2,
  auth: { type: "api_key", key_name: "GUILD_TOKEN", header: "Authorization", scheme: "Bot", prompt: "Bot token" },
  tools: [
    {
      name: "guildhall_messages",
      description: "Read the messages of a channel, newest first.",
      read_only: true,
      parameters: {
        type: "object",
        properties: { channel_id: { type: "string" }, before: { type: "string" } },
        required: ["channel_id"],
      },
      request: {
        method: "get",
        url: "https://guildhall.example/api/v10/channels/{channel_id}/messages?with_counts=true",
        headers: { "user-agent": "GuildBot (https://guildhall.example, 1.0)" },
        query: { before: "{before}" },
        paginate: { mode: "id_window", cursor_param: "before", max_pages: 5 },
      },
    },
  ],
};

/** Sign-in at a provider that has no scopes, and bodies with nested placeholders. */
const scopeless = {
  schema_version: 2,
  name: "pages",
  display_name: "Pages",
  description: "Search and edit pages.",
  category: "productivity",
  version: "2.0.0",
  min_core_version: "0.7.2",
  plugin_api: 2,
  auth: { type: "oauth2", provider: "pages", profile_key: "pages", account_mode: "single", scopes: [] },
  health_check: { kind: "local_readiness", requires_auth: true },
  tools: [
    {
      name: "pages_create",
      description: "Create a page under a parent.",
      read_only: false,
      parameters: {
        type: "object",
        properties: { parent: { type: "object" }, properties: { type: "object" }, children: { type: "array" } },
        required: ["parent", "properties"],
      },
      request: {
        method: "POST",
        url: "https://pages.example/v1/pages",
        headers: { "Pages-Version": "2026-03-11" },
        body: { parent: "{parent}", properties: "{properties}", children: "{children}" },
        success: [200, 201],
      },
    },
  ],
};

/** A car: addresses by region, a switch among the settings, a local process that only runs when it is on. */
const car = {
  schema_version: 2,
  name: "roadster",
  display_name: "Roadster",
  description: "See and steer a car.",
  category: "home",
  version: "0.3.0",
  min_core_version: "0.7.0",
  plugin_api: 2,
  auth: { type: "oauth2", provider: "roadster", scopes: ["openid", "vehicle_data"] },
  config: [
    { key: "ALLOW_COMMANDS", prompt: "Let the agent steer?", required: false, kind: "boolean" },
    { key: "SIGNING_KEY_PATH", prompt: "Where is the signing key?", kind: "text" },
  ],
  runtime: {
    kind: "binary",
    command: "roadster-proxy",
    args: ["--stdio"],
    vendored: true,
    requires_setting: "ALLOW_COMMANDS",
    token_file: true,
  },
  health_check: { kind: "local_readiness", requires_auth: true },
  tools: [
    {
      name: "roadster_vehicles",
      description: "List the cars of the account.",
      read_only: true,
      requires_scopes: ["vehicle_data"],
      rail: "http",
      parameters: { type: "object", properties: { vin: { type: "string" } } },
      request: {
        method: "GET",
        regional_urls: { na: "https://na.roadster.example/api/1/{vin}", eu: "https://eu.roadster.example/api/1/{vin}" },
      },
    },
    { name: "roadster_honk", description: "Honk.", read_only: false, requires_scopes: ["vehicle_data"], rail: "mcp" },
  ],
};

/** Only a skill, no tool. */
const games = {
  schema_version: 2,
  name: "parlour_games",
  display_name: "Parlour games",
  description: "Play games by talking.",
  category: "fun",
  version: "1.0.0",
  min_core_version: "0.6.0",
  plugin_api: 2,
  auth: { type: "none" },
  tools: [],
  skills: [{ name: "parlour-games-play", path: "skills/play/SKILL.md" }],
};

/** The hash alone is the contract: no schemas inline (DECISIONS 9). */
const hashed = {
  schema_version: 2,
  name: "attic",
  display_name: "Attic",
  description: "Search what you stored.",
  category: "knowledge",
  version: "1.1.0",
  min_core_version: "0.7.2",
  plugin_api: 3,
  auth: {
    type: "api_key",
    scopes: [],
    key_name: "ATTIC_TOKEN",
    header: "Authorization",
    scheme: "Bearer",
    prompt: "Paste a token",
    validation: {
      prefix: "attic_pat_",
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
    base_url: "https://mcp.attic.example",
    mcp_path: "/mcp",
    tool_name_mode: "preserve",
  },
  tools: ["attic_spaces", "attic_search"].map((name, index) => ({
    name,
    description: "Asks the attic.",
    policy_class: "external_api",
    read_only: true,
    replay_safe: true,
    required_credential_scope: "read",
    rail: "mcp",
    descriptor_sha256: String(index).repeat(64),
    collection_policy:
      index === 0
        ? null
        : {
            paginated: true,
            request_limit_pointer: "/limit",
            default_limit: 50,
            result_items_pointer: "/items",
            max_returned_items: 50,
          },
    argument_guards: [],
  })),
  tool_profiles: [
    {
      name: "retrieval",
      display_name: "Read only",
      default: true,
      required_credential_scope: "read",
      scope_visibility: "none",
      tools: ["attic_search"],
    },
  ],
  setup_tools: ["attic_spaces"],
  resource_scope: {
    kind: "single_workspace",
    discovery_tool: "attic_spaces",
    id_field: "id",
    label_field: "name",
    argument: "workspaceId",
  },
  budgets: { agent_turn_calls: 20, agent_turn_paginated_calls: 5 },
  result_contract: { kind: "json_boolean", success_field: "ok", status_field: "status", message_field: "message" },
};

/** A built-in of the first generation: no schema_version, no plugin_api, templates in an older form. */
const legacy = {
  name: "postbox",
  display_name: "Postbox",
  description: "Mail.",
  category: "communication",
  version: "0.1.0",
  default_enabled: true,
  auth: { type: "oauth2", provider: "google", profile_key: "google", scopes: ["https://mail.example/auth/readonly"] },
  health_check: { kind: "local_readiness", requires_auth: true },
  tools: [
    {
      name: "postbox_search",
      description: "Search mail.",
      policy_class: "external_api",
      requires_scopes: ["https://mail.example/auth/readonly"],
      request: { path: "/messages" },
    },
  ],
  skills: [{ name: "postbox-plugin", path: "skills/postbox-plugin/SKILL.md" }],
};

/** Every one with the warnings it loads with. */
export const foreignManifests: readonly { readonly manifest: JsonObject; readonly warnings: readonly string[] }[] = [
  { manifest: chat, warnings: [] },
  { manifest: bot, warnings: [] },
  { manifest: scopeless, warnings: [] },
  { manifest: car, warnings: ["runtime.token_file: is not a key of this place"] },
  { manifest: games, warnings: [] },
  { manifest: hashed, warnings: [] },
  {
    manifest: legacy,
    warnings: ["tools[0].request: is not read in the legacy form; give the manifest schema_version 2"],
  },
];
