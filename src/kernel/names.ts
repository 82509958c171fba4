/** Branded names and identifiers, each made only by the function that checked it. */
declare const brand: unique symbol;
type Branded<T, B extends string> = T & { readonly [brand]: B };

/** A plugin's name: `^[a-z][a-z0-9_]{0,63}$` (spec 1.1), never one of the reserved words. */
export type PluginName = Branded<string, "PluginName">;
/** A tool's full name, `<plugin>_<tool>`: `^[A-Za-z0-9_-]{1,64}$` (spec 1.5). */
export type ToolName = Branded<string, "ToolName">;
/** A plain `x.y.z` version: three decimal numbers, no prerelease (spec 1.1). */
export type Version = Branded<string, "Version">;
/** A lower-case hex SHA-256. */
export type Sha256 = Branded<string, "Sha256">;

const PLUGIN_NAME = /^[a-z][a-z0-9_]{0,63}$/;
const TOOL_NAME = /^[A-Za-z0-9_-]{1,64}$/;
const VERSION = /^(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})\.(0|[1-9]\d{0,8})$/;
const SHA256 = /^[0-9a-f]{64}$/;

/** Words that are config keys beside plugin tables, or a prefix that operator servers own (DECISIONS 13). */
const RESERVED_PLUGIN_NAMES: ReadonlySet<string> = new Set(["dev_local", "enabled", "artifact_mirror"]);
const RESERVED_PREFIX = "mcp_";

/** The name when it may name a plugin, undefined otherwise. */
export function asPluginName(text: unknown): PluginName | undefined {
  if (typeof text !== "string" || !PLUGIN_NAME.test(text)) return undefined;
  if (RESERVED_PLUGIN_NAMES.has(text) || text.startsWith(RESERVED_PREFIX)) return undefined;
  return text as PluginName;
}

/** The name when it may name a tool, undefined otherwise. */
export function asToolName(text: unknown): ToolName | undefined {
  return typeof text === "string" && TOOL_NAME.test(text) ? (text as ToolName) : undefined;
}

/** The version when it is `x.y.z`, undefined otherwise. */
export function asVersion(text: unknown): Version | undefined {
  return typeof text === "string" && VERSION.test(text) ? (text as Version) : undefined;
}

/** The digest when it is 64 lower-case hex digits, undefined otherwise. */
export function asSha256(text: unknown): Sha256 | undefined {
  return typeof text === "string" && SHA256.test(text) ? (text as Sha256) : undefined;
}

/** Negative when `a` is older than `b`, 0 when equal, positive when newer. */
export function compareVersions(a: Version, b: Version): number {
  const left = a.split(".");
  const right = b.split(".");
  for (let part = 0; part < 3; part += 1) {
    const difference = Number(left[part]) - Number(right[part]);
    if (difference !== 0) return difference;
  }
  return 0;
}
