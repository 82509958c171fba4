/** The shape of index.json as it is written (spec 2.5 with DECISIONS 1 to 3), and what a catalog folder lists already. */
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";

export interface IndexArtifact {
  readonly target: string;
  readonly url: string;
  readonly sha256: string;
  readonly sig_url: string;
  readonly publisher: { readonly kind: "key"; readonly key_id: string };
}

export interface IndexVersion {
  readonly version: string;
  readonly published_at: string;
  readonly min_core_version: string | null;
  readonly plugin_api: number | null;
  readonly artifacts: readonly IndexArtifact[];
}

export interface IndexEntry {
  readonly name: string;
  readonly display_name: string;
  readonly category: string | null;
  readonly description: string | null;
  readonly short_description: string | null;
  readonly developer_name: string | null;
  readonly brand_color: string | null;
  readonly auth_type: string;
  readonly auth_provider: string | null;
  readonly runtime_kind?: "local_stdio" | "remote_mcp";
  readonly rails: readonly string[];
  /** The newest version that is not yanked; null for a card and when all are yanked. */
  readonly latest: string | null;
  readonly yanked: readonly string[];
  readonly versions: readonly IndexVersion[];
}

export interface IndexFile {
  readonly schema_version: 1;
  readonly generated_at: string;
  readonly plugins: readonly IndexEntry[];
}

/** What the folder's index.json lists now; undefined when it has none. */
export function listedIn(folder: string): IndexFile | undefined {
  const path = join(folder, "index.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as IndexFile) : undefined;
}

/** The index as bytes: two-space JSON and a final newline, so that a change reads well in a diff. */
export function indexBytes(index: IndexFile): Buffer {
  return Buffer.from(`${JSON.stringify(index, null, 2)}\n`);
}

/** The name of a version's archive, below the catalog folder and after `embedded:`. */
export function artifactName(plugin: string, version: string): string {
  return `artifacts/${plugin}-${version}.tar.gz`;
}
