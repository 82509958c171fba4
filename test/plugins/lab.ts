/** A home in a temp folder with plugins put where they would be, and an app whose ports refuse what no test allowed. */
import { createHash, generateKeyPairSync, sign } from "node:crypto";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { homeAt } from "../../src/files/home.ts";
import type { EmbeddedFiles, Ports, Processes, RunResult } from "../../src/kernel/ports.ts";
import type { App } from "../../src/plugins/app.ts";
import { loadPlugins } from "../../src/plugins/load.ts";
import { FakeClock } from "../fakes/clock.ts";
import { FakeKeychain } from "../fakes/keychain.ts";
import { FakeLog } from "../fakes/log.ts";
import { refusing } from "../fakes/refusing.ts";

export type Json = Record<string, unknown>;

/** A manifest without credentials or code: one skill-only plugin, ready once enabled. */
export function noteManifest(name: string, more: Json = {}): Json {
  return {
    schema_version: 2,
    name,
    display_name: name.toUpperCase(),
    description: `What ${name} does.`,
    category: "knowledge",
    version: "1.0.0",
    min_core_version: "0.9.0",
    plugin_api: 2,
    auth: { type: "none" },
    tools: [httpTool(`${name}_look`)],
    ...more,
  };
}

/** One read-only tool of the http rail. */
export function httpTool(name: string, more: Json = {}): Json {
  return {
    name,
    description: `Looks with ${name}.`,
    policy_class: "external_api",
    read_only: true,
    rail: "http",
    parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
    request: { method: "GET", url: "https://api.example.com/look", query: { q: "{q}" } },
    ...more,
  };
}

export function oauthManifest(name: string, provider = name): Json {
  return noteManifest(name, {
    auth: { type: "oauth2", provider, scopes: ["look"] },
    health_check: { kind: "local_readiness", requires_auth: true },
    tools: [httpTool(`${name}_look`, { requires_scopes: ["look"] })],
  });
}

export function keyManifest(name: string): Json {
  return noteManifest(name, {
    auth: { type: "api_key", key_name: `${name.toUpperCase()}_KEY`, header: "Authorization", prompt: "API key" },
  });
}

export function localManifest(name: string, runtime: Json = {}, more: Json = {}): Json {
  return noteManifest(name, {
    runtime: { kind: "node", command: "node", args: ["src/index.js"], vendored: false, ...runtime },
    tools: [{ ...httpTool(`${name}_look`), rail: "mcp", request: undefined }],
    ...more,
  });
}

export function hostedManifest(name: string): Json {
  const tool = (suffix: string): Json => ({
    name: `${name}_${suffix}`,
    description: `Does ${suffix}.`,
    policy_class: "external_api",
    read_only: true,
    replay_safe: true,
    required_credential_scope: "read",
    rail: "mcp",
    parameters: PARAMETERS,
    output_schema: null,
    upstream_annotations: null,
    descriptor_sha256: descriptorOf(`${name}_${suffix}`),
    collection_policy: null,
    argument_guards: [],
  });
  return noteManifest(name, {
    plugin_api: 3,
    interface: { developer_name: "Example Inc" },
    auth: { type: "api_key", key_name: "HOSTED_KEY", header: "Authorization", scheme: "Bearer", prompt: "Token" },
    runtime: {
      kind: "remote_mcp",
      transport: "streamable_http",
      protocol_version: "2025-06-18",
      base_url: "https://mcp.example.com",
      mcp_path: "/mcp",
      tool_name_mode: "preserve",
    },
    tools: [tool("list_spaces"), tool("find")],
    tool_profiles: [
      {
        name: "retrieval",
        display_name: "Read",
        default: true,
        required_credential_scope: "read",
        scope_visibility: "none",
        tools: [`${name}_find`],
      },
    ],
    setup_tools: [`${name}_list_spaces`],
    resource_scope: {
      kind: "single_workspace",
      discovery_tool: `${name}_list_spaces`,
      id_field: "id",
      label_field: "name",
      argument: "space",
    },
    budgets: { agent_turn_calls: 20, agent_turn_paginated_calls: 5 },
    result_contract: { kind: "json_boolean", success_field: "ok", status_field: "status", message_field: "message" },
  });
}

const PARAMETERS = { type: "object", properties: { space: { type: "string" } } };

/** The members are already in canonical order. */
function descriptorOf(name: string): string {
  const inputSchema = { properties: { space: { type: "string" } }, type: "object" };
  return createHash("sha256")
    .update(JSON.stringify({ annotations: null, inputSchema, name, outputSchema: null }))
    .digest("hex");
}

export interface LabOptions {
  readonly bundled?: readonly Json[];
  /** `plugins` of index.json. */
  readonly catalog?: readonly Json[];
  readonly files?: Readonly<Record<string, Uint8Array>>;
}

export class PluginLab implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "fermix-plugins-"));
  readonly home = homeAt(join(this.folder, "home"));
  readonly author = join(this.folder, "author");
  readonly app: App;
  /** The app's environment, besides its home and PATH. */
  readonly variables = new Map<string, string>();
  readonly keychain = new FakeKeychain();
  readonly log = new FakeLog();
  /** Every program that was run, by command line. */
  readonly ran: string[] = [];
  #runResult: RunResult | undefined;

  constructor(options: LabOptions = {}) {
    mkdirSync(this.home.root, { mode: 0o700 });
    this.app = {
      home: this.home,
      env: {
        fermixHome: this.home.root,
        noColor: true,
        path: [join(this.folder, "bin")],
        userHome: this.folder,
        get: (name) => this.variables.get(name),
      },
      ports: this.#ports(embeddedCatalog(options)),
    };
  }

  #ports(embedded: EmbeddedFiles): Ports {
    const processes: Processes = {
      run: async ({ command, args }) => {
        this.ran.push([command, ...args].join(" "));
        if (this.#runResult === undefined) throw new Error(`unexpected processes.run(${command})`);
        return this.#runResult;
      },
      start: ({ command }) => {
        throw new Error(`unexpected processes.start(${command})`);
      },
    };
    return {
      clock: new FakeClock(),
      random: refusing("random"),
      dns: refusing("dns"),
      http: refusing("http"),
      processes,
      keychain: this.keychain,
      terminal: refusing("terminal"),
      stdio: refusing("stdio"),
      browser: refusing("browser"),
      loopback: refusing("loopback"),
      embedded,
      log: this.log,
    };
  }

  /** Puts a program on the app's PATH that answers `--version` with this line. */
  program(name: string, versionLine: string): void {
    const path = join(this.folder, "bin", name);
    write(path, "#!/bin/sh\n");
    chmodSync(path, 0o755);
    this.#runResult = { exitCode: 0, stdout: versionLine, stderr: "", timedOut: false };
  }

  /** Puts a plugin into the store as an install would leave it; returns its version folder. */
  installed(manifest: Json, files: Readonly<Record<string, string>> = {}): string {
    const name = String(manifest["name"]);
    const version = String(manifest["version"]);
    const dir = join(this.home.plugins.installed, name, version);
    write(join(dir, "plugin.json"), JSON.stringify(manifest));
    for (const [path, text] of Object.entries(files)) write(join(dir, path), text);
    rmSync(join(dir, "../current"), { force: true });
    symlinkSync(version, join(dir, "../current"));
    return dir;
  }

  /** Puts a plugin into the author's folder. */
  authored(manifest: Json, folder = String(manifest["name"])): string {
    const dir = join(this.author, folder);
    write(join(dir, "plugin.json"), JSON.stringify(manifest));
    return dir;
  }

  config(...lines: readonly string[]): void {
    write(this.home.configFile, `${lines.join("\n")}\n`);
  }

  /** Config that enables these plugins, then says the given lines. */
  enable(names: readonly string[], ...lines: readonly string[]): void {
    this.config("[fermix_core.plugins]", `enabled = ${JSON.stringify(names)}`, ...lines);
  }

  devLocal(path = this.author, ...lines: readonly string[]): void {
    this.config("[fermix_core.plugins]", `dev_local = ${JSON.stringify(path)}`, ...lines);
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Writes a file and the folders it needs. */
export function write(path: string, text: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  // Sign-ins that others may read are refused.
  writeFileSync(path, text, { mode: path.endsWith("/auth.json") ? 0o600 : 0o666 });
}

/** The embedded files of a binary whose catalog holds these entries, signed with a fresh key. */
function embeddedCatalog({ bundled = [], catalog = [], files = {} }: LabOptions): EmbeddedFiles {
  const index = { schema_version: 1, generated_at: "2026-11-30T00:00:00Z", plugins: catalog };
  const text = Buffer.from(JSON.stringify(index));
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "prime256v1" });
  const all = new Map<string, Uint8Array>(Object.entries(files));
  all.set("index.json", text);
  all.set("index.json.sig", Buffer.from(sign("sha256", text, privateKey).toString("base64")));
  all.set("index.pub", Buffer.from(publicKey.export({ type: "spki", format: "pem" })));
  for (const manifest of bundled) {
    all.set(`bundled/${String(manifest["name"])}/plugin.json`, Buffer.from(JSON.stringify(manifest)));
  }
  return {
    names: () => [...all.keys()],
    read: (name) => all.get(name),
    size: (name) => all.get(name)?.byteLength,
    stream: () => {
      throw new Error("unexpected embedded.stream");
    },
  };
}

/** A catalog entry with one version; `artifact` replaces members of its one artifact. */
export function catalogEntry(name: string, more: Json = {}, artifact: Json = {}): Json {
  return {
    name,
    display_name: name.toUpperCase(),
    category: "knowledge",
    auth_type: "none",
    rails: ["http"],
    latest: "1.0.0",
    versions: [
      {
        version: "1.0.0",
        min_core_version: "0.9.0",
        plugin_api: 2,
        artifacts: [
          {
            target: "any",
            url: `embedded:artifacts/${name}-1.0.0.tar.gz`,
            sha256: "0".repeat(64),
            sig_url: `embedded:artifacts/${name}-1.0.0.tar.gz.sig`,
            publisher: { kind: "keyless", identity: "https://example.com/release", issuer: "https://example.com" },
            ...artifact,
          },
        ],
      },
    ],
    ...more,
  };
}

/** The bundled three, as small manifests. */
export const TRIO: readonly Json[] = ["gmail", "google_calendar", "google_drive"].map((name) => noteManifest(name));

/** What loads, each with its origin. */
export async function names(lab: PluginLab): Promise<readonly string[]> {
  return (await loadPlugins(lab.app)).plugins.map((plugin) => `${plugin.name} ${plugin.origin}`);
}

/** What is left out, each with the code of its reason. */
export async function excluded(lab: PluginLab): Promise<Readonly<Record<string, string>>> {
  const report = await loadPlugins(lab.app);
  return Object.fromEntries(report.excluded.map(({ name, error }) => [name, error.code]));
}
