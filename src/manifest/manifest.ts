/** What a valid plugin.json is once parsed (spec section 1): types only; `parse.ts` is the one maker. */
import type { JsonObject, JsonValue } from "../kernel/json.ts";
import type { PluginName, Sha256, ToolName, Version } from "../kernel/names.ts";

export type PluginAuth =
  | { readonly type: "none" }
  | {
      readonly type: "oauth2";
      readonly provider: string;
      readonly scopes: readonly string[];
      readonly profileKey: string | undefined;
      readonly header: string;
      readonly scheme: "Bearer" | "Bot";
    }
  | {
      readonly type: "api_key";
      readonly keyName: string | undefined;
      readonly header: string;
      readonly scheme: "Bearer" | "Bot";
      readonly prompt: string | undefined;
      readonly helpUrl: string | undefined;
      readonly validation: KeyValidation | undefined;
    };

export interface KeyValidation {
  readonly prefix: string;
  readonly minBytes: number;
  readonly maxBytes: number;
  readonly forbidWhitespace: boolean;
}

export interface ConfigKey {
  readonly key: string;
  readonly prompt: string;
  readonly required: boolean;
  readonly kind: "text" | "boolean";
}

export interface Skill {
  readonly name: string;
  /** Relative to the plugin's root. */
  readonly path: string;
}

export interface RequestTemplate {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The address of the first region by name when only regional ones are given. */
  readonly url: string;
  readonly regionalUrls: Readonly<Record<string, string>> | undefined;
  readonly query: Readonly<Record<string, JsonValue>>;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonValue | undefined;
  readonly success: readonly number[];
  readonly extract: { readonly path: string | undefined; readonly fields: readonly string[] } | undefined;
  readonly paginate: Paginate | undefined;
  readonly queryStyle: "repeat" | "comma" | "bracket";
  readonly queryEmpty: "omit" | "send";
  readonly okField: string | undefined;
}

export interface Paginate {
  readonly mode: "cursor" | "id_window";
  readonly itemsPath: string | undefined;
  readonly cursorPath: string | undefined;
  readonly idField: string;
  readonly cursorParam: string;
  readonly cursorIn: "query" | "body";
  readonly maxPages: number;
  readonly fields: readonly string[];
}

interface ToolCommon {
  readonly name: ToolName;
  readonly description: string;
  readonly readOnly: boolean;
  readonly requiresScopes: readonly string[];
  readonly parameters: JsonObject | undefined;
}

/** A tool of the http rail; without `request` its requests are built in (the Google trio). */
export interface HttpTool extends ToolCommon {
  readonly rail: "http";
  readonly request: RequestTemplate | undefined;
}

/** A preview of what the local server will list; the live list is what registers (spec 4). */
export interface LocalTool extends ToolCommon {
  readonly rail: "mcp";
}

export interface HostedTool {
  readonly rail: "mcp";
  /** What the agent calls it, always `<plugin>_<tool>`. */
  readonly name: ToolName;
  /** What the vendor calls it, as the manifest declares it; the hash covers this one. */
  readonly upstreamName: string;
  readonly description: string;
  readonly readOnly: boolean;
  readonly replaySafe: boolean;
  readonly requiredCredentialScope: "read" | "write";
  readonly parameters: JsonObject | undefined;
  readonly outputSchema: JsonObject | null | undefined;
  readonly upstreamAnnotations: JsonObject | null | undefined;
  readonly descriptorSha256: Sha256;
  readonly collectionPolicy: CollectionPolicy | null;
  readonly argumentGuards: readonly ArgumentGuard[];
}

export interface CollectionPolicy {
  readonly requestLimitPointer: string;
  readonly defaultLimit: number;
  readonly resultItemsPointer: string;
  readonly maxReturnedItems: number;
}

export interface ArgumentGuard {
  readonly pointer: string;
  readonly kind: "public_http_url_array" | "bounded_visible_ascii_array";
  readonly maxItems: number;
}

export interface LocalRuntime {
  readonly kind: "node" | "python" | "binary" | "escript";
  readonly command: string;
  readonly args: readonly string[];
  readonly vendored: boolean;
  readonly minVersion: string | undefined;
  readonly env: Readonly<Record<string, string>>;
  readonly passEnv: readonly string[];
  readonly cwd: string | undefined;
  /** The boolean config key that must be true before the process is started. */
  readonly requiresSetting: string | undefined;
}

export interface HostedRuntime {
  readonly baseUrl: string;
  readonly mcpPath: string;
  readonly toolNameMode: "prefix" | "preserve";
}

export interface ToolProfile {
  readonly name: string;
  readonly displayName: string;
  readonly default: boolean;
  readonly requiredCredentialScope: "read" | "write";
  readonly scopeVisibility: "none" | "all_scoped_tools_omitted";
  readonly tools: readonly ToolName[];
}

export interface ResourceScope {
  readonly discoveryTool: ToolName;
  readonly idField: string;
  readonly labelField: string;
  readonly argument: string;
}

interface ManifestCommon {
  readonly name: PluginName;
  readonly displayName: string;
  readonly description: string;
  readonly category: string;
  readonly version: Version;
  readonly minCoreVersion: Version | undefined;
  readonly pluginApi: number | undefined;
  readonly defaultEnabled: boolean;
  readonly interface: JsonObject;
  readonly auth: PluginAuth;
  readonly config: readonly ConfigKey[];
  readonly skills: readonly Skill[];
  readonly healthCheck: JsonObject | undefined;
  /** Unknown keys that are tolerated there, as warnings for `validate` and `--json` (DECISIONS 8). */
  readonly warnings: readonly string[];
}

export interface HttpManifest extends ManifestCommon {
  readonly rail: "http";
  readonly tools: readonly HttpTool[];
}

/** A plugin with a local process; it may also carry http tools. */
export interface LocalManifest extends ManifestCommon {
  readonly rail: "local-mcp";
  readonly runtime: LocalRuntime;
  readonly tools: readonly (HttpTool | LocalTool)[];
}

export interface HostedManifest extends ManifestCommon {
  readonly rail: "hosted-mcp";
  readonly runtime: HostedRuntime;
  readonly tools: readonly HostedTool[];
  readonly toolProfiles: readonly ToolProfile[];
  readonly setupTools: readonly ToolName[];
  readonly resourceScope: ResourceScope | undefined;
  readonly budgets: { readonly agentTurnCalls: number; readonly agentTurnPaginatedCalls: number };
  readonly resultContract: {
    readonly successField: string;
    readonly statusField: string;
    readonly messageField: string;
  };
}

export type Manifest = HttpManifest | LocalManifest | HostedManifest;

/** A plugin that passed every load check, wherever it came from. */
export interface LoadedPlugin {
  readonly name: PluginName;
  readonly version: Version;
  readonly origin: "bundled" | "installed" | "dev_local";
  /** Absolute path of its files; undefined for a bundled plugin, whose files are inside the binary. */
  readonly dir: string | undefined;
  readonly manifest: Manifest;
}
