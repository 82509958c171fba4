/** Installs a plugin from the signed catalog (spec 2.8): the steps in their order, and what a failure of each leaves.
 *
 *  1. The name may name a plugin, is not part of this binary, is in the verified catalog; the version exists, is not
 *     yanked, fits this Fermix and has a build for this machine. Fail: nothing was written.
 *  2. One writer per plugin, after the sweep of what crashes left. Fail: `plugin_busy`, nothing was written.
 *  3. A kept copy of the very same artifact whose files still have their digest is used again, offline. Otherwise
 *     cosign must be there. Fail: nothing was fetched.
 *  4. Download into a staging folder of this run, hashed as it streams. Fail (4 to 8): the staging folder goes.
 *  5. Signature of the exact publisher: Fermix's own check, then cosign. 6. Unpack into a fresh tree, beside cosign when
 *     the own check has accepted, and take its digests; nothing of it counts unless both do.
 *  7. The catalog's name and version, the loader's own check, the content allowlist, the names of all other plugins and
 *     the host runtime: what installs will load.
 *  8. Evidence of a hosted plugin.
 *  9. `store/activate.ts`: everything in place, `current` flipped last, then the record. Fail: the old version is live.
 */
import { join } from "node:path";
import type { Artifact, Catalog, CatalogVersion, Publisher } from "../catalog/catalog.ts";
import { chooseVersion, findEntry, hostTarget, pickArtifact } from "../catalog/find.ts";
import { openCatalog } from "../catalog/open.ts";
import { readConfig } from "../config/read.ts";
import { FermixError } from "../kernel/error.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import { CORE_VERSION } from "../kernel/version.ts";
import { judgeCompat } from "../manifest/compat.ts";
import { activate, activateKept } from "../store/activate.ts";
import { currentVersion, readInstalled } from "../store/installed.ts";
import { withStaging } from "../store/staging.ts";
import { withPluginLock } from "../store/store-lock.ts";
import { sweepStore } from "../store/sweep.ts";
import { assertAllowedContent } from "../trust/content-policy.ts";
import { requireCosign } from "../trust/cosign.ts";
import { downloadArtifact } from "../trust/download.ts";
import type { VerifiedTree } from "../trust/proof.ts";
import { retainEvidence } from "../trust/receipt.ts";
import { verifyAndUnpack } from "../trust/unpack.ts";
import type { App } from "./app.ts";
import { judgeKept } from "./kept-version.ts";
import { assertLoads } from "./load.ts";
import { namePlugin, parseVersion } from "./name-plugin.ts";
import { assertUsable, readPackageManifest } from "./usable.ts";

export interface InstallProgress {
  readonly stage: "download" | "verify" | "unpack" | "activate";
  /** Bytes of a download, files of an unpacking, else steps. */
  readonly done: number;
  readonly total?: number;
}

export interface InstallOptions {
  /** Installs again what is installed already. */
  readonly force?: boolean;
  /** Everything but the activation; nothing stays. */
  readonly dryRun?: boolean;
  readonly onProgress?: (event: InstallProgress) => void;
  readonly signal?: AbortSignal;
}

export interface InstallOutcome {
  readonly name: PluginName;
  readonly version: Version;
  /** `checked` ends a dry run. */
  readonly status: "installed" | "already_installed" | "checked";
  /** What was live before; undefined when nothing was. */
  readonly previous: Version | undefined;
  readonly publisher: Publisher;
}

interface Plan {
  readonly name: PluginName;
  readonly catalog: Catalog;
  readonly chosen: CatalogVersion;
  readonly artifact: Artifact;
  readonly pinned: boolean;
}

/**
 * Installs the version asked for (the pinned one or the catalog's latest when none is) and makes it live. Throws, with
 * the old version live and nothing left behind: usage, bundled_plugin, plugin_pinned, and the refusals of each step.
 */
export async function installPlugin(
  app: App,
  asked: { readonly name: string; readonly version?: string },
  options: InstallOptions = {},
): Promise<InstallOutcome> {
  const name = namePlugin(app, asked.name, "install");
  const wanted = asked.version === undefined ? undefined : parseVersion(asked.version, "install");
  const catalog = openCatalog(app.ports.embedded);
  const entry = findEntry(catalog, name);
  const known = (await readInstalled(app.home)).get(name);
  const pinned = known?.pinned === true ? known.version : undefined;
  const chosen = chooseVersion(entry, wanted ?? pinned);
  if (pinned !== undefined && chosen.version !== pinned) {
    throw new FermixError("plugin_pinned", { plugin: name, pinned, wanted: chosen.version });
  }
  return await installChosen(app, { name, catalog, chosen, pinned: pinned !== undefined }, options);
}

/** The steps from the compatibility window on, for a version that was already chosen; `pinned` is what the record will say. */
export async function installChosen(
  app: App,
  choice: Omit<Plan, "artifact">,
  options: InstallOptions,
): Promise<InstallOutcome> {
  const { name, catalog, chosen } = choice;
  assertFits(name, chosen);
  const plan = { ...choice, artifact: pickArtifact(findEntry(catalog, name), chosen, hostTarget()) };
  const { publisher } = plan.artifact;
  await assertLoads(app);
  await sweepStore(app.ports, app.home);
  return await withPluginLock(app.ports, app.home, name, async () => {
    const previous = await currentVersion(app.home, name);
    const ended = { name, version: chosen.version, previous, publisher };
    if (options.force !== true && (await reuseKept(app, plan, options))) {
      const unchanged = previous === chosen.version;
      return { ...ended, status: unchanged ? "already_installed" : options.dryRun ? "checked" : "installed" };
    }
    // Nothing can be proved without it, so nothing is fetched.
    requireCosign(app.env);
    await withStaging(app.ports, app.home, name, chosen.version, async (dir) => {
      await stageAndActivate(app, plan, dir, options);
    });
    return { ...ended, status: options.dryRun ? "checked" : "installed" };
  });
}

/** The catalog's own word on the window, before anything is downloaded; the manifest's is judged in step 7. */
function assertFits(name: PluginName, { pluginApi, minCoreVersion }: CatalogVersion): void {
  if (pluginApi === undefined) return;
  const verdict = judgeCompat({ pluginApi, minCoreVersion }, CORE_VERSION);
  if (!verdict.ok) throw new FermixError("incompatible", { plugin: name, reason: verdict.reason });
}

/** Step 3. Whether the wanted artifact is in the store already, whole; then it is live afterwards (not in a dry run). */
async function reuseKept(
  app: App,
  { name, chosen, artifact, pinned }: Plan,
  options: InstallOptions,
): Promise<boolean> {
  const kept = await judgeKept(app.home, name, chosen.version);
  if (kept.state !== "proven" || kept.entry.sha256 !== artifact.sha256) return false;
  await assertUsable(app, kept.manifest, app.home.versionDir(name, chosen.version));
  if (options.dryRun !== true) await activateKept(app.ports, app.home, name, { ...kept.entry, pinned });
  return true;
}

async function stageAndActivate(app: App, plan: Plan, dir: string, options: InstallOptions): Promise<void> {
  const progress = options.onProgress ?? (() => {});
  const tree = await stage(app, plan, dir, options, progress);
  progress({ stage: "activate", done: 0, total: 1 });
  const evidence = join(dir, "evidence");
  const hosted = tree.manifest.rail === "hosted-mcp";
  if (hosted) await retainEvidence(tree.artifact, evidence);
  if (options.dryRun === true) return;
  await activate(app.ports, app.home, {
    name: plan.name,
    tree,
    evidence: hosted ? evidence : undefined,
    entry: {
      version: plan.chosen.version,
      sha256: tree.artifact.sha256,
      ...tree.hashes,
      pluginApi: tree.manifest.pluginApi,
      minCoreVersion: tree.manifest.minCoreVersion,
      verifiedAt: new Date(app.ports.clock.now()).toISOString(),
      pinned: plan.pinned,
      others: {},
    },
  });
  progress({ stage: "activate", done: 1, total: 1 });
}

/** Steps 4 to 7: from the network to a tree that will load. */
async function stage(
  app: App,
  { name, chosen, artifact, catalog }: Plan,
  dir: string,
  { signal }: InstallOptions,
  progress: (event: InstallProgress) => void,
): Promise<VerifiedTree> {
  const { ports, env, home } = app;
  const { plugins, network } = await readConfig(home);
  const mirror = plugins.artifactMirror;
  const downloaded = await downloadArtifact(ports, {
    plugin: name,
    version: chosen.version,
    artifact,
    into: dir,
    network,
    onProgress: (done, total) => progress({ stage: "download", done, ...(total === undefined ? {} : { total }) }),
    ...(mirror === undefined ? {} : { mirror }),
    ...(signal === undefined ? {} : { signal }),
  });
  progress({ stage: "verify", done: 0, total: 1 });
  const unpacked = await verifyAndUnpack(ports, env, {
    downloaded,
    publishers: catalog.publishers,
    workDir: dir,
    mirror,
    network,
    cacheDir: home.cache,
    signal,
    into: join(dir, "tree"),
    onVerified: () => progress({ stage: "verify", done: 1, total: 1 }),
    onProgress: (done, total) => progress({ stage: "unpack", done, ...(total === undefined ? {} : { total }) }),
  });
  const manifest = readPackageManifest(unpacked.root, name, chosen.version);
  const tree = assertAllowedContent(unpacked, manifest);
  await assertUsable(app, manifest, tree.root);
  return tree;
}
