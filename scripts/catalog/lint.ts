/** What a source must be before it may be packed: the loader's own manifest rules, the allowlist, and what clients can show. */
import type { Manifest } from "../../src/manifest/manifest.ts";
import { allowedEntries } from "../../src/trust/content-policy.ts";
import type { PluginSource } from "./sources.ts";

/** The page inlines logos, and their author chooses their length (spec 1.3). */
const MAX_LOGO_BYTES = 16_384;
/** Clients of the 64-character limit put `mcp__fermix__` before a name (CASE-72). */
const MAX_EXPORTED_NAME = 64 - "mcp__fermix__".length;
/** Others drop a tool when server and tool name pass 60 characters together (CASE-73). */
const MAX_SERVER_AND_NAME = 60 - "fermix".length;

/** Throws with every problem of every source, one a line. */
export async function lintSources(sources: readonly PluginSource[]): Promise<void> {
  const problems: string[] = [];
  for (const source of sources) {
    const here = source.kind === "card" ? lintCard(source) : lintPlugin(source);
    if (source.kind === "plugin") here.push(...(await manifestProblems(source)));
    problems.push(...here.map((problem) => `${source.folder}: ${problem}`));
  }
  problems.push(...sharedNames(sources));
  if (problems.length > 0) throw new Error(`the catalog can't be packed:\n  ${problems.join("\n  ")}`);
}

function lintCard({ manifest, folder, files }: PluginSource): string[] {
  const problems = manifest.name === folder ? [] : [`is named ${manifest.name}`];
  const unexpected = [...files.keys()].filter((path) => path !== "card.json" && !path.startsWith("assets/"));
  return [...problems, ...unexpected.map((path) => `${path} does not belong to a card`), ...lintLogo(files)];
}

function lintPlugin(source: PluginSource): string[] {
  const { manifest, folder, files, yanked, dates } = source;
  const problems: string[] = [];
  if (manifest.name !== folder) problems.push(`is named ${manifest.name}`);
  if (manifest.plugin_api === undefined) problems.push("has no plugin_api");
  if (!dates.has(manifest.version ?? "")) problems.push(`CHANGELOG.md has no dated heading for ${manifest.version}`);
  if (!Array.isArray(yanked)) problems.push("yanked.json is not a list of versions");
  const allowed = allowedEntries(railOf(manifest.runtime?.kind));
  const entries = new Set([...files.keys()].map((path) => path.split("/", 1)[0] ?? path));
  for (const entry of entries) if (!allowed.has(entry)) problems.push(`${entry} may not be in the artifact`);
  for (const { path } of manifest.skills ?? []) if (!files.has(path)) problems.push(`${path} is missing`);
  for (const { name } of manifest.tools ?? []) {
    const limit = Math.min(MAX_EXPORTED_NAME, MAX_SERVER_AND_NAME);
    if (name.length > limit) problems.push(`tool ${name} has more than ${limit} characters`);
  }
  return [...problems, ...lintLogo(files)];
}

function railOf(runtime: string | undefined): Manifest["rail"] {
  return runtime === undefined ? "http" : runtime === "remote_mcp" ? "hosted-mcp" : "local-mcp";
}

function lintLogo(files: ReadonlyMap<string, Uint8Array>): string[] {
  const logo = files.get("assets/logo.svg");
  if (logo === undefined) return ["assets/logo.svg is missing"];
  return logo.byteLength > MAX_LOGO_BYTES ? [`assets/logo.svg has more than ${MAX_LOGO_BYTES} bytes`] : [];
}

async function manifestProblems({ folder, files }: PluginSource): Promise<string[]> {
  const { parseManifest } = await import("../../src/manifest/parse.ts");
  const text = Buffer.from(files.get("plugin.json") ?? []).toString("utf8");
  try {
    parseManifest(text, { directory: folder, publishing: true });
    return [];
  } catch (error) {
    return [error instanceof Error ? error.message : String(error)];
  }
}

/** Names that two plugins of one catalog claim: tools must be owned once (BUN-5), skills and plugins share one space. */
function sharedNames(sources: readonly PluginSource[]): string[] {
  const owners = new Map<string, string>();
  const problems: string[] = [];
  const claim = (key: string, label: string, owner: string): void => {
    const other = owners.get(key);
    if (other !== undefined) problems.push(`${owner}: ${label} is also claimed by ${other}`);
    owners.set(key, owner);
  };
  for (const { folder, manifest } of sources) {
    claim(`name ${manifest.name}`, `the name ${manifest.name}`, folder);
    for (const { name } of manifest.skills ?? []) claim(`name ${name}`, `the skill ${name}`, folder);
    for (const { name } of manifest.tools ?? []) claim(`tool ${name}`, `the tool ${name}`, folder);
  }
  return problems;
}
