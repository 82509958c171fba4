/** Manifests that break a rule, or many, and what must be said of each. */
import { file, tarball } from "../../forge/tar.ts";
import { manifestFile, packageOf, type Release } from "../test-catalog.ts";

type Json = Record<string, unknown>;

/** Every part of an http plugin that a rule speaks of. */
function sound(name: string): Json {
  return {
    schema_version: 2,
    plugin_api: 2,
    name,
    display_name: "Notes",
    description: "Keeps notes.",
    category: "knowledge",
    version: "1.0.0",
    min_core_version: "0.7.0",
    interface: { logo: "assets/logo.svg", brand_color: "#102030" },
    auth: { type: "oauth2", provider: "notes", scopes: ["read"] },
    health_check: { kind: "local_readiness", requires_auth: true },
    config: [{ key: "REGION", prompt: "Which region?" }],
    skills: [{ name: `${name}-plugin`, path: "skills/SKILL.md" }],
    tools: [
      {
        name: `${name}_find`,
        description: "Finds notes.",
        policy_class: "external_api",
        read_only: true,
        requires_scopes: ["read"],
        parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
        request: { method: "GET", url: "https://notes.example/v1/find", query: { q: "{q}" } },
      },
    ],
  };
}

/** A change at a path of keys and indexes, and the problems it must give as `path rule`. */
type Row = readonly [what: string, change: Readonly<Record<string, unknown>>, problems: readonly string[]];

const ROWS: readonly Row[] = [
  ["an unknown key", { "0wner": "me" }, ['["0wner"] unknown_fields']],
  ["a schema from the future", { schema_version: 3 }, ["schema_version unsupported_schema_version"]],
  ["no description", { description: undefined }, ["description missing_required"]],
  ["a tool of somebody else", { "tools.0.name": "gmail_send_message" }, ["tools[0].name tool_name_not_namespaced"]],
  [
    "a description of 101 bytes",
    { "tools.0.description": "x".repeat(101) },
    ["tools[0].description invalid_tool_description"],
  ],
  ["plain http", { "tools.0.request.url": "http://notes.example/v1" }, ["tools[0].request.url non_https_url"]],
  [
    "a password in an address",
    { "tools.0.request.url": "https://u:p@notes.example/" },
    ["tools[0].request.url userinfo_in_url"],
  ],
  [
    "a host that the agent chooses",
    { "tools.0.request.url": "https://{q}.example/" },
    ["tools[0].request.url placeholder_in_host"],
  ],
  [
    "a header that the agent chooses",
    { "tools.0.request.headers": { "X-A": "{q}" } },
    ["tools[0].request.headers.X-A placeholder_in_header"],
  ],
  [
    "a placeholder nobody declared",
    { "tools.0.request.query.q": "{other}" },
    ["tools[0].request.query.q undeclared_placeholder"],
  ],
  [
    "a scope the plugin does not ask for",
    { "tools.0.requires_scopes": ["write"] },
    ["tools[0].requires_scopes[0] unknown_tool_scopes"],
  ],
  ["oauth2 without a health check", { health_check: undefined }, ["health_check missing_health_check"]],
  ["an unknown way to log in", { "auth.type": "oauth" }, ["auth.type invalid_auth_type"]],
  ["a logo outside the plugin", { "interface.logo": "../../logo.svg" }, ["interface.logo asset_escapes_plugin_dir"]],
  ["a logo that is not there", { "interface.logo": "assets/none.svg" }, ["interface.logo file_inside_plugin"]],
  ["a skill that is not there", { "skills.0.path": "skills/none.md" }, ["skills[0].path file_inside_plugin"]],
  ["a skill outside the plugin", { "skills.0.path": "/etc/passwd" }, ["skills[0].path skill_escapes_plugin_dir"]],
  ["a config key in lower case", { "config.0.key": "region" }, ["config[0].key invalid_config_key"]],
  ["hosted parts before plugin_api 3", { budgets: { agent_turn_calls: 1 } }, ["budgets requires_plugin_api_3"]],
  [
    "an mcp tool without a runtime",
    { "tools.0.rail": "mcp", "tools.0.request": undefined },
    ["runtime missing_runtime"],
  ],
  [
    "a runtime that is a path",
    { runtime: { kind: "node", command: "../node" }, "tools.0.rail": "mcp", "tools.0.request": undefined },
    ["runtime.command invalid_runtime"],
  ],
  ["lists and objects swapped", { tools: {}, auth: [] }, ["auth invalid_auth", "tools not_a_list"]],
  [
    "many at once",
    {
      default_enabled: "yes",
      "auth.scopes": "read",
      "config.0.prompt": " ",
      "tools.0.parameters": undefined,
      "tools.0.request.method": "FETCH",
      "tools.0.request.success": [],
    },
    [
      "auth.scopes invalid_scopes",
      "config[0].prompt blank_value",
      "tools[0].request.method invalid_method",
      "tools[0].request.success invalid_success",
      "tools[0].parameters missing_tool_parameters",
      "default_enabled wrong_type",
    ],
  ],
];

/** Texts that are no manifest at all, and where they go wrong. */
const TEXTS: readonly (readonly [what: string, path: string, text: (name: string) => string | Uint8Array])[] = [
  ["nothing", "$", () => ""],
  ["a broken text", "$", (name) => JSON.stringify(sound(name)).slice(0, -1)],
  ["a key twice", "version", (name) => JSON.stringify(sound(name)).replace("{", '{"version":"9.9.9",')],
  [
    "a key twice, deep down",
    "tools[0].request.url",
    (name) => JSON.stringify(sound(name)).replace('"method":', '"url":"https://evil.example/","method":'),
  ],
  ["a list", "$", () => "[]"],
  ["half a character", "description", (name) => JSON.stringify(sound(name)).replace("Keeps", "\\ud800")],
  [
    "bytes that are not UTF-8",
    "$",
    (name) => Buffer.from(JSON.stringify(sound(name)).replace("Keeps", "K\u00ffps"), "latin1"),
  ],
  ["a comment", "$", (name) => `// notes\n${JSON.stringify(sound(name))}`],
  ["10,000 brackets", "[0]".repeat(64), () => "[".repeat(10_000)],
];

function changed(name: string, change: Readonly<Record<string, unknown>>): string {
  const manifest = sound(name);
  for (const [path, value] of Object.entries(change)) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    let here: Json = manifest;
    for (const key of keys) here = here[key] as Json;
    if (value === undefined) delete here[last];
    else here[last] = value;
  }
  return JSON.stringify(manifest);
}

/** The files that the manifests name. */
export const FILES = { "assets/logo.svg": "<svg/>", "skills/SKILL.md": "# Notes" };

export interface BrokenManifest {
  readonly name: string;
  readonly what: string;
  readonly text: string | Uint8Array;
  /** `path rule` of every problem. */
  readonly told: readonly string[];
}

/** One plugin for each. */
export const brokenManifests: readonly BrokenManifest[] = [
  ...ROWS.map(([what, change, told], at) => ({ name: `row_${at}`, what, text: changed(`row_${at}`, change), told })),
  ...TEXTS.map(([what, path, text], at) => ({
    name: `text_${at}`,
    what,
    text: text(`text_${at}`),
    told: [`${path} ${what === "a list" ? "not_an_object" : "invalid_json"}`],
  })),
];

function packed(text: string | Uint8Array): Buffer {
  return tarball(file("plugin.json", text), ...Object.entries(FILES).map(([path, content]) => file(path, content)));
}

/** The broken ones as packages, and packages whose manifest is sound but not theirs, or not for this Fermix. */
export const manifestPackages: readonly Release[] = [
  { name: "keeper", archive: packageOf("keeper") },
  { name: "fine", archive: packed(JSON.stringify(sound("fine"))) },
  { name: "alias", archive: packed(JSON.stringify(sound("fine"))) },
  { name: "older", archive: packed(JSON.stringify({ ...sound("older"), version: "0.9.0" })) },
  { name: "newer", archive: packed(JSON.stringify({ ...sound("newer"), min_core_version: "99.0.0" })) },
  { name: "ancient", archive: packed(JSON.stringify({ ...sound("ancient"), plugin_api: 1 })) },
  { name: "coder", archive: tarball(manifestFile("coder"), file("run.sh", "#!/bin/sh")) },
  ...brokenManifests.map(({ name, text }) => ({ name, archive: packed(text) })),
];
