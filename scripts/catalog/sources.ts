/** Reads the sources of a catalog: one folder a plugin under `plugins/`, files only, links refused. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Read by the packer and never packed, so that a yank does not change an artifact. */
const YANKED_FILE = "yanked.json";
/** What a folder has instead of plugin.json when it only shows a card. */
const CARD_FILE = "card.json";
/** `## 1.0.0 (2026-01-31)`: a version's line in CHANGELOG.md, and the one source of its publication date. */
const CHANGELOG_HEADING = /^## (\d+\.\d+\.\d+) \((\d{4}-\d{2}-\d{2})\)$/gm;

export interface PluginSource {
  readonly folder: string;
  readonly kind: "plugin" | "card";
  /** plugin.json or card.json, decoded; its grammar is judged by lint.ts. */
  readonly manifest: SourceManifest;
  /** Everything the artifact holds: path with `/` to content. */
  readonly files: ReadonlyMap<string, Uint8Array>;
  readonly yanked: readonly string[];
  /** Version to ISO time, from the changelog. */
  readonly dates: ReadonlyMap<string, string>;
}

/** The parts of a manifest that the index repeats. */
interface SourceManifest {
  readonly name: string;
  readonly version?: string;
  readonly display_name?: string;
  readonly category?: string;
  readonly description?: string;
  readonly min_core_version?: string;
  readonly plugin_api?: number;
  readonly interface?: {
    readonly short_description?: string;
    readonly developer_name?: string;
    readonly brand_color?: string;
  };
  readonly auth?: { readonly type?: string; readonly provider?: string };
  readonly runtime?: { readonly kind?: string };
  readonly tools?: readonly { readonly name: string; readonly rail?: string }[];
  readonly skills?: readonly { readonly name: string; readonly path: string }[];
}

/** Every plugin folder below `<sources>/plugins`, sorted by name; throws on a folder with neither manifest nor card. */
export function readSources(sources: string): readonly PluginSource[] {
  const root = join(sources, "plugins");
  return readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => readPluginSource(join(root, entry.name), entry.name))
    .toSorted((a, b) => (a.folder < b.folder ? -1 : 1));
}

/** One plugin folder. */
function readPluginSource(path: string, folder: string): PluginSource {
  const files = filesBelow(path);
  const kind = existsSync(join(path, CARD_FILE)) ? "card" : "plugin";
  const manifestFile = kind === "card" ? CARD_FILE : "plugin.json";
  const text = files.get(manifestFile);
  if (text === undefined) throw new Error(`${folder} has neither plugin.json nor ${CARD_FILE}`);
  const yanked = files.get(YANKED_FILE);
  files.delete(YANKED_FILE);
  return {
    folder,
    kind,
    manifest: decode(text, `${folder}/${manifestFile}`) as SourceManifest,
    files,
    yanked: yanked === undefined ? [] : (decode(yanked, `${folder}/${YANKED_FILE}`) as string[]),
    dates: changelogDates(files.get("CHANGELOG.md")),
  };
}

function decode(bytes: Uint8Array, name: string): unknown {
  try {
    return JSON.parse(Buffer.from(bytes).toString("utf8"));
  } catch (cause) {
    throw new Error(`${name} is not JSON`, { cause });
  }
}

function changelogDates(changelog: Uint8Array | undefined): ReadonlyMap<string, string> {
  const dates = new Map<string, string>();
  for (const [, version, day] of Buffer.from(changelog ?? [])
    .toString("utf8")
    .matchAll(CHANGELOG_HEADING)) {
    if (version !== undefined) dates.set(version, `${day}T00:00:00Z`);
  }
  return dates;
}

/** Every file below a folder by its path with `/`; a link or special file is refused. */
export function filesBelow(root: string): Map<string, Uint8Array> {
  const files = new Map<string, Uint8Array>();
  const walk = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) walk(path, `${name}/`);
      else if (entry.isFile()) files.set(name, readFileSync(path));
      else throw new Error(`${path} is not a plain file`);
    }
  };
  walk(root, "");
  return files;
}
