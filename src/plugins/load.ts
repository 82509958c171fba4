/** Which plugins this process may use: one shared check for install and load, and the union of all origins (spec 1.11). */
import { join } from "node:path";
import { bundledManifests } from "../catalog/bundled.ts";
import type { Config } from "../config/config.ts";
import { readConfig } from "../config/read.ts";
import { reasonFor } from "../files/fs-failure.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import { isJsonObject } from "../kernel/json.ts";
import { asPluginName, asVersion, type Version } from "../kernel/names.ts";
import { CORE_VERSION } from "../kernel/version.ts";
import { judgeCompat } from "../manifest/compat.ts";
import type { LoadedPlugin, Manifest } from "../manifest/manifest.ts";
import { parseManifest } from "../manifest/parse.ts";
import { readInstalled } from "../store/installed.ts";
import { isBeingChanged } from "../store/store-lock.ts";
import type { App } from "./app.ts";
import { bundledCandidates, type Candidate, devLocalCandidates, installedCandidates } from "./candidates.ts";
import { settleClashes } from "./clashes.ts";
import { MANIFEST_FILE, type ManifestText } from "./manifest-file.ts";
import { namedFileProblems } from "./named-files.ts";

/** A plugin that is there but may not be used, and why. */
export interface ExcludedPlugin {
  readonly name: string;
  readonly origin: LoadedPlugin["origin"];
  /** The version on disk, when it could be told. */
  readonly version: Version | undefined;
  readonly error: FermixError;
}

export interface LoadReport {
  readonly config: Config;
  /** Sorted by name. */
  readonly plugins: readonly LoadedPlugin[];
  /** Sorted by name; never a name that is also among `plugins`. */
  readonly excluded: readonly ExcludedPlugin[];
  /** What dev_local skipped, one sentence each. */
  readonly warnings: readonly string[];
}

export interface LoadCheck {
  /** The name the manifest must carry: its folder in the store, or the catalog name being installed. */
  readonly directory?: string;
  /** Absolute folder of the plugin's files; absent for a bundled plugin, whose files are inside the binary. */
  readonly dir?: string;
  /** The version of the Fermix that would run it. */
  readonly core: Version;
  /** Bundled manifests come with the binary, so they may leave `plugin_api` out (spec 1.1). */
  readonly bundled?: boolean;
}

/**
 * The manifest of a plugin that can be loaded, from the text of its plugin.json (INS-4, spec 2.8 steps 5 and 15).
 * Throws `manifest_invalid` with every problem, a missing or escaping file included, or `incompatible`. The window is
 * also judged when the grammar refuses, because a later plugin_api may use keys that this grammar does not know.
 */
export function assertLoadable(text: ManifestText, check: LoadCheck): Manifest {
  let manifest: Manifest;
  try {
    manifest = parseManifest(text, check.directory === undefined ? {} : { directory: check.directory });
  } catch (cause) {
    if (isFermixError(cause, "manifest_invalid")) throw newerThanThisFermix(text, check, cause) ?? cause;
    throw cause;
  }
  if (!check.bundled || manifest.pluginApi !== undefined) {
    const verdict = judgeCompat(manifest, check.core);
    if (!verdict.ok) throw new FermixError("incompatible", { plugin: manifest.name, reason: verdict.reason });
  }
  const problems = check.dir === undefined ? [] : namedFileProblems(manifest, check.dir);
  if (problems.length > 0) throw new FermixError("manifest_invalid", { plugin: manifest.name, problems });
  return manifest;
}

/** `incompatible` when an unparsable manifest declares a window that this Fermix is outside of, else undefined. */
function newerThanThisFermix(
  text: ManifestText,
  check: LoadCheck,
  cause: FermixError<"manifest_invalid">,
): FermixError<"incompatible"> | undefined {
  const raw = rawObject(text);
  const pluginApi = raw?.["plugin_api"];
  if (typeof pluginApi !== "number" || !Number.isSafeInteger(pluginApi) || pluginApi < 1) return undefined;
  const verdict = judgeCompat({ pluginApi, minCoreVersion: asVersion(raw?.["min_core_version"]) }, check.core);
  if (verdict.ok) return undefined;
  return new FermixError("incompatible", { plugin: cause.details.plugin, reason: verdict.reason }, { cause });
}

function rawObject(text: ManifestText): Readonly<Record<string, unknown>> | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const raw: unknown = JSON.parse(text);
    return isJsonObject(raw) ? raw : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}

/** A tree is replaced within milliseconds, a plugin removed within some more; what takes longer is not waited for. */
const CHANGE = { looks: 50, everyMs: 20 };

/**
 * Refuses to go on while config.toml or the author's folder is broken (DECISIONS 10): for the verbs of the store, which
 * have no other use for what is loaded. Throws as loadPlugins does.
 */
export async function assertLoads(app: App): Promise<void> {
  const config = await readConfig(app.home);
  if (config.plugins.devLocal !== undefined) await loadPlugins(app);
}

/**
 * Everything this home offers: bundled, installed and dev_local plugins. Throws on a broken config or record, and on
 * every dev_local fault (DEV-1, DECISIONS 10); any other fault leaves that one plugin out with its reason. A plugin that
 * another process is changing is looked at again, so that its pieces are not taken for damage.
 */
export async function loadPlugins(app: App): Promise<LoadReport> {
  for (let look = 1; ; look += 1) {
    const report = await loadOnce(app);
    const inPieces = report.excluded.some(({ name, origin }) => {
      const stored = origin === "installed" ? asPluginName(name) : undefined;
      return stored !== undefined && isBeingChanged(app.home, stored);
    });
    if (!inPieces || look === CHANGE.looks) return report;
    await app.ports.clock.sleep(CHANGE.everyMs);
  }
}

async function loadOnce(app: App): Promise<LoadReport> {
  const config = await readConfig(app.home);
  const record = await readInstalled(app.home);
  const installed = installedCandidates(app.home, record.keys());
  const author =
    config.plugins.devLocal === undefined ? undefined : devLocalCandidates(fromUserHome(app, config.plugins.devLocal));
  const loaded: LoadedPlugin[] = [];
  const excluded: ExcludedPlugin[] = installed.damaged.map((error) => ({
    name: error.details.plugin,
    origin: "installed",
    version: undefined,
    error,
  }));
  const candidates = [
    ...bundledCandidates(bundledManifests(app.ports.embedded)),
    ...installed.candidates,
    ...(author?.candidates ?? []),
  ];
  for (const candidate of candidates) {
    const judged = await judge(app, candidate);
    if ("error" in judged) excluded.push(judged);
    else loaded.push(judged);
  }
  const { kept, excluded: clashing } = settleClashes(loaded);
  for (const error of clashing) {
    const version = loaded.findLast(({ name }) => name === error.details.plugin)?.version;
    excluded.push({ name: error.details.plugin, origin: "installed", version, error });
  }
  const names = new Set<string>(kept.map(({ name }) => name));
  return {
    config,
    plugins: kept.toSorted(byName),
    excluded: excluded.filter(({ name }) => !names.has(name)).toSorted(byName),
    warnings: [...(author?.warnings ?? []), ...kept.flatMap(authorWarnings)],
  };
}

/** What the author of a plugin would want to know of its manifest; an installed plugin's is its publisher's concern. */
function authorWarnings({ origin, name, manifest }: LoadedPlugin): readonly string[] {
  return origin === "dev_local" ? manifest.warnings.map((warning) => `dev_local: ${name}: ${warning}`) : [];
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** `~/…` is the one shorthand that people write in a config file. */
function fromUserHome(app: App, path: string): string {
  return path === "~" || path.startsWith("~/") ? join(app.env.userHome, path.slice(1)) : path;
}

async function judge(app: App, candidate: Candidate): Promise<LoadedPlugin | ExcludedPlugin> {
  const { origin, dir, storedAs, place } = candidate;
  const check: LoadCheck = {
    core: CORE_VERSION,
    bundled: origin === "bundled",
    ...(origin === "dev_local" ? {} : { directory: place }),
    ...(dir === undefined ? {} : { dir }),
  };
  try {
    const manifest = assertLoadable(candidate.text, check);
    const { name, version } = manifest;
    if (storedAs !== undefined && version !== storedAs) {
      const reason = `the manifest says version ${version}, the folder ${storedAs}`;
      throw new FermixError("plugin_damaged", { plugin: name, path: dir ?? place, reason });
    }
    const plugin: LoadedPlugin = { name, version, origin, dir, manifest };
    const signed = await provenText(app, plugin, candidate);
    if (signed === undefined || signed === candidate.text) return plugin;
    return { ...plugin, manifest: assertLoadable(signed, check) };
  } catch (cause) {
    const error = isFermixError(cause) ? cause : unreadable(candidate, cause);
    if (origin === "dev_local" && isFermixError(error, "manifest_invalid")) {
      const path = join(dir ?? place, MANIFEST_FILE);
      throw new FermixError("dev_local_invalid", { path, problems: error.details.problems }, { cause: error });
    }
    return { name: place, origin, version: storedAs, error };
  }
}

/** A folder that went away, or may not be read, between its manifest and the files that this one names. */
function unreadable({ origin, place, dir }: Candidate, cause: unknown): FermixError {
  const reason = reasonFor(cause);
  if (reason === undefined) throw cause;
  const path = dir ?? place;
  if (origin === "dev_local") throw new FermixError("dev_local_unreadable", { path, reason }, { cause });
  return new FermixError("plugin_damaged", { plugin: place, path, reason }, { cause });
}

/**
 * The manifest as its publisher signed it, for a hosted plugin, which loads only from a catalog install that proves
 * itself again (DECISIONS 7, spec 2.11); undefined for any other. Kept evidence means that the plugin was hosted when
 * it was installed: a manifest that no longer says so was edited, and must not get out of the proof that way.
 */
async function provenText(app: App, plugin: LoadedPlugin, { hasEvidence }: Candidate): Promise<string | undefined> {
  const { name, origin, dir, manifest } = plugin;
  const hosted = manifest.rail === "hosted-mcp";
  if (hosted && origin !== "installed") {
    throw new FermixError("unverified_remote_runtime", { plugin: name, path: dir ?? "this binary" });
  }
  if (origin !== "installed") return undefined;
  if (!hosted && !hasEvidence) return undefined;
  const { proveInstalledHosted } = await import("./hosted-proof.ts");
  return await proveInstalledHosted(app, plugin);
}
