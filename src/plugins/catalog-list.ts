/** What `plugins catalog` shows: all that this binary knows, installed or not (CAT-4). */
import type { CatalogEntry } from "../catalog/catalog.ts";
import { openCatalog } from "../catalog/open.ts";
import { CORE_VERSION } from "../kernel/version.ts";
import type { LoadedPlugin, Manifest } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { type ExcludedPlugin, type LoadReport, loadPlugins } from "./load.ts";

interface CatalogRow {
  readonly name: string;
  readonly displayName: string;
  readonly auth: "none" | "oauth2" | "api_key";
  readonly category: string | undefined;
  /** The version in use, or the one that `install` would bring; undefined for a setup card. */
  readonly version: string | undefined;
  /** undefined for a setup card, which registers no tools. */
  readonly rail: Manifest["rail"] | undefined;
  /** `catalog`: not here yet. */
  readonly source: "bundled" | "installed" | "dev_local" | "catalog";
  /** The newest version of the catalog, for a plugin that is in it. */
  readonly latest: string | undefined;
}

export interface CatalogList {
  readonly rows: readonly CatalogRow[];
  /** The date of the catalog inside this binary, and the binary's version: newer plugins come with a newer binary. */
  readonly generatedAt: string;
  readonly coreVersion: string;
  readonly warnings: readonly string[];
}

/** One row for each plugin loaded, left out or offered by the catalog, by name. Throws what loading or the catalog throws. */
export async function listCatalog(app: App): Promise<CatalogList> {
  const report = await loadPlugins(app);
  const catalog = openCatalog(app.ports.embedded);
  const entries = new Map<string, CatalogEntry>(catalog.entries.map((entry) => [entry.name, entry]));
  return {
    rows: catalogRows(report, entries),
    generatedAt: catalog.generatedAt,
    coreVersion: CORE_VERSION,
    warnings: report.warnings,
  };
}

function catalogRows(report: LoadReport, entries: ReadonlyMap<string, CatalogEntry>): readonly CatalogRow[] {
  const rows = new Map<string, CatalogRow>();
  for (const [name, entry] of entries) rows.set(name, offeredRow(entry));
  for (const left of report.excluded) rows.set(left.name, excludedRow(left, entries.get(left.name)));
  for (const plugin of report.plugins) rows.set(plugin.name, loadedRow(plugin, entries.get(plugin.name)));
  return [...rows.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}

function loadedRow({ name, version, origin, manifest }: LoadedPlugin, entry: CatalogEntry | undefined): CatalogRow {
  const { displayName, category, rail, auth } = manifest;
  return { name, displayName, auth: auth.type, category, version, rail, source: origin, latest: entry?.latest };
}

function excludedRow({ name, origin, version }: ExcludedPlugin, entry: CatalogEntry | undefined): CatalogRow {
  return {
    name,
    displayName: entry?.displayName ?? name,
    auth: entry?.authType ?? "none",
    category: entry?.category,
    version,
    rail: entry === undefined ? undefined : railOf(entry),
    source: origin,
    latest: entry?.latest,
  };
}

function offeredRow(entry: CatalogEntry): CatalogRow {
  const { name, displayName, authType, category, latest } = entry;
  return {
    name,
    displayName,
    auth: authType,
    category,
    version: latest,
    rail: railOf(entry),
    source: "catalog",
    latest,
  };
}

/** Where a catalog entry's tools run; undefined for a card without tools. */
export function railOf({ runtimeKind, rails }: CatalogEntry): Manifest["rail"] | undefined {
  if (runtimeKind === "remote_mcp") return "hosted-mcp";
  if (runtimeKind === "local_stdio" || rails.includes("mcp")) return "local-mcp";
  return rails.includes("http") ? "http" : undefined;
}
