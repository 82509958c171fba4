/** What `plugins info NAME` tells about one plugin: what it can do, where its work happens, and who vouches for it (CLI-8). */
import type { Catalog, CatalogEntry, Publisher } from "../catalog/catalog.ts";
import { openCatalog } from "../catalog/open.ts";
import { isFermixError } from "../kernel/error.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { railOf } from "./catalog-list.ts";
import { consentLine, endpointHosts, hostedConsent } from "./consent.ts";
import { notHere } from "./known.ts";
import { type LoadReport, loadPlugins } from "./load.ts";
import { artifactFor, offeredManifest } from "./offered-manifest.ts";
import { fixFor, type Readiness } from "./readiness.ts";
import { type ShownStatus, shownStatus } from "./shown-status.ts";

interface ToolInfo {
  readonly name: string;
  readonly access: "read" | "write";
  readonly description: string;
  readonly scopes: readonly string[];
}

export interface PluginInfo {
  readonly name: string;
  readonly displayName: string;
  readonly description: string | undefined;
  readonly category: string | undefined;
  readonly version: string | undefined;
  readonly source: "bundled" | "installed" | "dev_local" | "catalog";
  readonly status: Readiness["status"];
  readonly account: string | undefined;
  readonly stale: boolean;
  readonly detail: string;
  readonly fix: string;
  readonly rail: Manifest["rail"] | undefined;
  readonly auth: "none" | "oauth2" | "api_key";
  readonly provider: string | undefined;
  readonly scopes: readonly string[];
  /** undefined when no manifest can be read, only the catalog's entry. */
  readonly tools: readonly ToolInfo[] | undefined;
  readonly skills: readonly string[];
  readonly config: readonly { readonly key: string; readonly required: boolean }[];
  readonly endpoints: readonly string[];
  readonly publisher: Publisher | undefined;
  readonly consent: string;
  /** Why a plugin that is here is left out of loading. */
  readonly excludedBecause: string | undefined;
}

/**
 * Everything there is to know about a name: from its loaded manifest, or from the catalog and the archive inside this
 * binary when it is not installed or cannot be loaded. Throws `plugin_unknown`, and what loading throws.
 */
export async function pluginInfo(app: App, name: string): Promise<PluginInfo> {
  const report = await loadPlugins(app);
  const plugin = report.plugins.find((loaded) => loaded.name === name);
  const entry = catalogEntry(app, name);
  if (plugin !== undefined) {
    const { origin, version, manifest } = plugin;
    const publisher = origin === "installed" ? publisherOf(entry, version) : undefined;
    return {
      ...fromManifest(manifest),
      source: origin,
      publisher,
      ...standingIn(await shownStatus(app, report, name)),
    };
  }
  if (entry === undefined) throw notHere(app, report, name);
  return await infoOfAbsent(app, report, name, entry);
}

async function infoOfAbsent(app: App, report: LoadReport, name: string, entry: CatalogEntry): Promise<PluginInfo> {
  const left = report.excluded.find((excluded) => excluded.name === name);
  const version = entry.versions.find((candidate) => candidate.version === entry.latest);
  const manifest = await offeredManifest(app, name);
  const known = manifest === undefined ? fromEntry(entry) : fromManifest(manifest);
  const publisher = version === undefined ? undefined : publisherOf(entry, version.version);
  return {
    ...known,
    source: left?.origin ?? "catalog",
    publisher,
    ...(await standingOfAbsent(app, report, name, entry)),
  };
}

type Standing = Pick<PluginInfo, "status" | "account" | "stale" | "detail" | "fix" | "excludedBecause">;

function standingIn({ readiness, account, stale, detail, fix, excludedBecause }: ShownStatus): Standing {
  return { status: readiness.status, account, stale, detail, fix, excludedBecause };
}

/** A name that the home does not have at all is not installed, whether it is switched on or not. */
async function standingOfAbsent(app: App, report: LoadReport, name: string, entry: CatalogEntry): Promise<Standing> {
  const shown = standingIn(await shownStatus(app, report, name));
  if (report.excluded.some((excluded) => excluded.name === name)) return shown;
  if (entry.latest === undefined) {
    return { ...shown, status: "not_installed", fix: "Enable its card on the setup Plugins page" };
  }
  return { ...shown, status: "not_installed", fix: fixFor(name, { status: "not_installed" }) };
}

function catalogEntry(app: App, name: string): CatalogEntry | undefined {
  let catalog: Catalog;
  try {
    catalog = openCatalog(app.ports.embedded);
  } catch (error) {
    if (isFermixError(error)) return undefined;
    throw error;
  }
  return catalog.entries.find((entry) => entry.name === name);
}

function publisherOf(entry: CatalogEntry | undefined, version: string): Publisher | undefined {
  const listed = entry?.versions.find((candidate) => candidate.version === version);
  return listed === undefined ? undefined : artifactFor(listed)?.publisher;
}

type Described = Omit<PluginInfo, "source" | "publisher" | keyof Standing>;

function fromManifest(manifest: Manifest): Described {
  const { name, displayName, description, category, version, rail, auth } = manifest;
  return {
    name,
    displayName,
    description,
    category,
    version,
    rail,
    auth: auth.type,
    provider: auth.type === "oauth2" ? auth.provider : undefined,
    scopes: auth.type === "oauth2" ? auth.scopes : [],
    tools: manifest.tools.map((tool) => ({
      name: tool.name,
      access: tool.readOnly ? "read" : "write",
      description: tool.description,
      scopes: "requiresScopes" in tool ? tool.requiresScopes : [],
    })),
    skills: manifest.skills.map((skill) => skill.name),
    config: manifest.config.map(({ key, required }) => ({ key, required })),
    endpoints: endpointHosts(manifest),
    consent: consentLine(manifest),
  };
}

function fromEntry(entry: CatalogEntry): Described {
  const { name, displayName, description, category, latest, authType, authProvider } = entry;
  const rail = railOf(entry);
  return {
    name,
    displayName,
    description,
    category,
    version: latest,
    rail,
    auth: authType,
    provider: authProvider,
    scopes: [],
    tools: undefined,
    skills: [],
    config: [],
    endpoints: [],
    consent: entryConsent(entry, rail),
  };
}

function entryConsent({ displayName }: CatalogEntry, rail: Manifest["rail"] | undefined): string {
  switch (rail) {
    case "hosted-mcp":
      return hostedConsent(displayName, "named in its manifest");
    case "local-mcp":
      return "Starts a process on this machine with your user's rights.";
    case "http":
      return "Runs no code of its own: Fermix sends your agent's requests, with your credential, over HTTPS.";
    default:
      return "A setup card, not a set of tools; `fermix plugins` does not manage it.";
  }
}
