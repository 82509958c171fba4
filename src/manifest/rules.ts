/** Every rule of the manifest grammar by its stable id, with the sentence that states it (spec section 1). */

export const rules = {
  // The document and its shapes.
  invalid_json: "must be strict JSON",
  not_an_object: "must be an object",
  not_a_list: "must be a list",
  wrong_type: "has the wrong type",
  missing_required: "is required",
  blank_value: "must not be blank",
  unknown_fields: "is not a key of this place",
  too_many_problems: "are broken besides these",
  requires_plugin_api_3: "needs plugin_api 3",
  invalid_plugin_api_3_schema_version: "must be 2 with plugin_api 3",
  remote_only_fields: "belongs to hosted plugins only",

  // Top level.
  legacy_ignored: "is not read in the legacy form; give the manifest schema_version 2",
  unsupported_schema_version: "must be 1 or 2",
  invalid_name: "must be lower-case letters, digits and _, starting with a letter, 64 at most",
  reserved_name: "is reserved: dev_local, enabled, artifact_mirror and names that start with mcp_ cannot be plugins",
  directory_name_mismatch: "must be the name of the plugin's folder",
  invalid_version: "must be a version such as 1.2.3",
  invalid_plugin_api: "must be a whole number above 0",
  missing_health_check: "is required for oauth2 plugins",

  // interface and skills.
  asset_escapes_plugin_dir: "must be a relative path inside the plugin",
  skill_escapes_plugin_dir: "must be a relative path inside the plugin",
  invalid_skill_name: "must be letters, digits, `.`, `_` and `-`, 64 at most",
  plugin_skill_name_collision: "must differ from the plugin's own name",
  duplicate_skill_name: "is used by an earlier skill",

  // auth.
  invalid_auth: "must be an object",
  invalid_auth_type: "must be none, oauth2 or api_key",
  invalid_auth_scheme: "must be Bearer or Bot",
  invalid_auth_header: "must be the name of an HTTP header that a credential may travel in",
  invalid_provider: "must be lower-case letters, digits, `_` and `-`, starting with a letter, 64 at most",
  invalid_scopes: "must be a list of scopes without spaces",
  invalid_profile_key: "must be letters, digits, `.`, `_` and `-`, 64 at most",
  invalid_key_name: "must be letters, digits and _, starting with a letter, 64 at most",
  invalid_help_url: "must be an https or http address",
  invalid_auth_validation: "breaks the rules of a key's shape",
  invalid_remote_auth: "must be an api_key sent as `Authorization: Bearer` for a hosted plugin",

  // config.
  invalid_config_key: "must be upper-case letters, digits and _, starting with a letter",
  duplicate_config_key: "is declared by an earlier entry",
  invalid_config_kind: "must be text or boolean",
  reserved_variable: "must not be a BUN_ or FERMIX_ variable, which no child ever receives",

  // tools.
  invalid_tool: "must be an object",
  invalid_tool_name: "must be letters, digits, `_` and `-`, 64 at most",
  tool_name_not_namespaced: "must start with the plugin's name and _",
  duplicate_tool_name: "is used by an earlier tool",
  invalid_tool_description: "must not be blank and hold 100 bytes at most",
  invalid_tool_rail: "must be http or mcp",
  missing_tool_parameters: "is required beside a request",
  invalid_tool_parameters: "must be a JSON Schema of an object",
  missing_tool_scopes: "must name at least one of the plugin's scopes",
  unknown_tool_scopes: "must be one of the plugin's scopes",

  // request templates.
  invalid_tool_request: "must be an object",
  invalid_method: "must be GET, POST, PUT, PATCH or DELETE",
  invalid_url: "must be a well-formed address",
  non_https_url: "must start with https://",
  userinfo_in_url: "must not carry a user or password",
  invalid_url_host: "must name a host",
  placeholder_in_host: "must not have a placeholder in the host",
  placeholder_in_header: "must not hold a placeholder",
  undeclared_placeholder: "uses a placeholder that `parameters.properties` does not declare",
  braces_in_url: "is never sent: it has braces that are no placeholder, whose names are letters, digits and _",
  body_of_get: "is never sent: a GET has no body",
  unsubstituted_placeholder: "holds `${`, which nothing fills in",
  invalid_regional_urls: "must map at least one region to its address",
  invalid_query_value: "must be a text, a number or a boolean",
  invalid_header: "must be an HTTP header without control characters",
  reserved_header: "is set by Fermix and cannot come from a template",
  duplicate_header: "is named by an earlier header",
  invalid_success: "must be a list of HTTP statuses, not empty",
  invalid_path_expression: "must be at most 32 keys joined by `.`, each optionally followed by [*]",
  too_many_fields: "names more than 256 fields",
  invalid_paginate: "does not fit this request",

  // runtime of a local server.
  invalid_runtime: "is not a runtime Fermix can start",
  missing_runtime: "is required when a tool is on the mcp rail",
  undeclared_setting: "must name a config entry of kind boolean",
  runtime_escapes_plugin_dir: "must be a relative path inside the plugin",

  // runtime and contract of a hosted server.
  remote_runtime_conflict: "cannot be part of a hosted runtime",
  invalid_remote_runtime: "is not what a hosted runtime must say",
  unpreservable_tool_name: "must start with the plugin's name and _ when tool names are preserved",
  invalid_base_url: "must be a plain https origin",
  invalid_mcp_path: "must be a plain absolute path",
  invalid_tool_profiles: "must be a list of profiles, not empty",
  invalid_profile_name: "must be lower-case letters, digits and _, starting with a letter",
  duplicate_profile_name: "is used by an earlier profile",
  invalid_default_profile: "must mark exactly one profile as default",
  undeclared_profile_tool: "must be a declared tool",
  duplicate_profile_tool: "is listed twice",
  setup_tool_in_profile: "is a setup tool and cannot be in a profile",
  undeclared_setup_tool: "must be a declared tool",
  duplicate_setup_tool: "is listed twice",
  invalid_resource_scope: "must describe a single_workspace",
  undeclared_discovery_tool: "must be one of setup_tools",
  missing_scope_argument: "must declare the argument that resource_scope pins",
  invalid_budgets: "must be a whole number from 1 to 100, paginated calls at most all calls",
  invalid_result_contract: "must be json_boolean",
  invalid_remote_tool: "is not what a hosted tool must say",
  invalid_collection_policy: "is not what a collection policy must say",
  invalid_argument_guard: "is not what an argument guard must say",
  too_many_argument_guards: "must be 16 guards at most",
  invalid_pointer: "must be a JSON pointer of 1 to 8 plain segments",
  unresolved_pointer: "must point at a property of the right type",
  invalid_descriptor_sha256: "must be 64 lower-case hex digits",
  descriptor_sha256_mismatch: "does not match the schemas beside it",
  descriptor_not_canonical: "cannot be hashed: its schemas have no canonical JSON",

  // What the publishing side asks for on top.
  unpublishable: "is not fit for publishing",
} as const;

export type Rule = keyof typeof rules;

/** Whether a text is the id of a rule. */
export function isRule(text: string): text is Rule {
  return Object.hasOwn(rules, text);
}
