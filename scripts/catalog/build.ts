/** Builds a packed catalog from sources: packs what is new, signs it, keeps everything that was listed before. */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { gunzipSync } from "node:zlib";
import { asVersion, compareVersions } from "../../src/kernel/names.ts";
import {
  artifactName,
  type IndexEntry,
  type IndexFile,
  type IndexVersion,
  indexBytes,
  listedIn,
} from "./index-file.ts";
import { lintSources } from "./lint.ts";
import { gzip, packTar } from "./pack.ts";
import { openSigner, type Signer, signedBy } from "./sign.ts";
import { type PluginSource, readSources } from "./sources.ts";

export interface CatalogBuild {
  /** A folder with `plugins/<name>/` and, when the trio is to be replaced, `bundled/<name>/`. */
  readonly sources: string;
  /** The packed catalog; versions it lists already stay listed, byte for byte. */
  readonly out: string;
  /** A maintainer's private key (PEM text or path); a fresh pair when absent. */
  readonly key?: string;
  /** false packs sources that break the rules, for catalogs that tests make hostile. */
  readonly lint?: boolean;
}

export interface BuildReport {
  /** `name@version` of what was packed and signed this time. */
  readonly added: readonly string[];
  readonly kept: number;
  readonly indexSigned: boolean;
  readonly keyId: string;
}

/**
 * Packs and signs. A changed source under a version that is listed already is refused (CASE-7), as is a listed plugin
 * whose source is gone: an installed plugin must stay provable (INS-14), so versions are yanked, never removed.
 */
export async function buildCatalog(build: CatalogBuild): Promise<BuildReport> {
  const out = resolve(build.out);
  const sources = readSources(build.sources);
  if (build.lint !== false) await lintSources(sources);
  const listed = listedIn(out);
  const lost = listed?.plugins.find(({ name }) => !sources.some(({ manifest }) => manifest.name === name));
  if (lost !== undefined) throw new Error(`${lost.name} is listed but has no source: yank its versions instead`);

  const signer = openSigner(build.key);
  const added: string[] = [];
  const plugins: IndexEntry[] = [];
  let kept = 0;
  for (const source of sources) {
    const before = listed?.plugins.find(({ name }) => name === source.manifest.name)?.versions ?? [];
    kept += before.length;
    const fresh = await packIfNew(out, source, before, signer);
    if (fresh !== undefined) added.push(`${source.manifest.name}@${fresh.version}`);
    plugins.push(toEntry(source, fresh === undefined ? before : [...before, fresh]));
  }
  copyBundled(build.sources, out);
  const index: IndexFile = { schema_version: 1, generated_at: newestDate(plugins), plugins };
  return { added, kept, indexSigned: writeIndex(out, indexBytes(index), signer), keyId: signer.keyId };
}

async function packIfNew(
  out: string,
  { kind, manifest, files, dates }: PluginSource,
  before: readonly IndexVersion[],
  signer: Signer,
): Promise<IndexVersion | undefined> {
  if (kind === "card") return undefined;
  const version = manifest.version ?? "";
  const name = artifactName(manifest.name, version);
  const path = join(out, name);
  const tar = await packTar(files);
  if (before.some((listed) => listed.version === version)) {
    if (tar.equals(gunzipSync(readFileSync(path)))) return undefined;
    throw new Error(`the source of ${manifest.name} changed but its version is still ${version}: raise it`);
  }
  write(path, gzip(tar));
  // What the index names is what the disk holds, not what was meant to be written (CASE-3).
  const packed = readFileSync(path);
  write(`${path}.sig`, `${signer.sign(packed)}\n`);
  write(join(out, `publishers/${signer.keyId}.pub`), signer.publicPem);
  return {
    version,
    published_at: dates.get(version) ?? "1970-01-01T00:00:00Z",
    min_core_version: manifest.min_core_version ?? null,
    plugin_api: manifest.plugin_api ?? null,
    artifacts: [
      {
        target: "any",
        url: `embedded:${name}`,
        sha256: createHash("sha256").update(packed).digest("hex"),
        sig_url: `embedded:${name}.sig`,
        publisher: { kind: "key", key_id: signer.keyId },
      },
    ],
  };
}

function toEntry({ manifest, yanked }: PluginSource, versions: readonly IndexVersion[]): IndexEntry {
  const shown = manifest.interface ?? {};
  const kind = manifest.runtime?.kind;
  const rails = new Set((manifest.tools ?? []).map(({ rail }) => rail ?? "http"));
  return {
    name: manifest.name,
    display_name: manifest.display_name ?? manifest.name,
    category: manifest.category ?? null,
    description: manifest.description ?? null,
    short_description: shown.short_description ?? null,
    developer_name: shown.developer_name ?? null,
    brand_color: shown.brand_color ?? null,
    auth_type: manifest.auth?.type ?? "none",
    auth_provider: manifest.auth?.provider ?? null,
    ...(kind === undefined ? {} : { runtime_kind: kind === "remote_mcp" ? "remote_mcp" : "local_stdio" }),
    rails: [...rails].toSorted(),
    latest: newestOf(versions.map(({ version }) => version).filter((version) => !yanked.includes(version))),
    yanked: yanked.toSorted(),
    versions,
  };
}

function newestOf(versions: readonly string[]): string | null {
  const checked = versions.map(asVersion).filter((version) => version !== undefined);
  return checked.toSorted(compareVersions).at(-1) ?? null;
}

function newestDate(plugins: readonly IndexEntry[]): string {
  const dates = plugins.flatMap(({ versions }) => versions.map(({ published_at }) => published_at));
  return dates.toSorted().at(-1) ?? "1970-01-01T00:00:00Z";
}

/** Writes and signs the index unless it is what is there and its signature holds. */
function writeIndex(out: string, bytes: Buffer, signer: Signer): boolean {
  const path = join(out, "index.json");
  if (existsSync(path) && bytes.equals(readFileSync(path)) && indexHolds(out, bytes)) return false;
  write(path, bytes);
  write(`${path}.sig`, `${signer.sign(bytes)}\n`);
  write(join(out, "index.pub"), signer.publicPem);
  return true;
}

/** Whether `index.json.sig` over these bytes holds under `index.pub`. */
export function indexHolds(out: string, bytes: Uint8Array): boolean {
  const [key, signature] = [join(out, "index.pub"), join(out, "index.json.sig")];
  if (!existsSync(key) || !existsSync(signature)) return false;
  return signedBy(readFileSync(key, "utf8"), bytes, readFileSync(signature, "utf8"));
}

function copyBundled(sources: string, out: string): void {
  const bundled = join(resolve(sources), "bundled");
  if (resolve(sources) !== out && existsSync(bundled)) cpSync(bundled, join(out, "bundled"), { recursive: true });
}

function write(path: string, data: string | Uint8Array): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, data);
}
