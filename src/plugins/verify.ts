/** Proves an installed plugin again: its files are those that were verified, and its publisher signed them (CLI-8). */
import { join } from "node:path";
import type { Artifact, Catalog } from "../catalog/catalog.ts";
import { openCatalog } from "../catalog/open.ts";
import { readConfig } from "../config/read.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import type { InstalledEntry } from "../store/entry-json.ts";
import { currentLink, currentVersion, readInstalled } from "../store/installed.ts";
import { withStaging } from "../store/staging.ts";
import { withPluginLock } from "../store/store-lock.ts";
import { sweepStore } from "../store/sweep.ts";
import { downloadArtifact } from "../trust/download.ts";
import { verifySignature } from "../trust/signature.ts";
import { unpackVerified } from "../trust/unpack.ts";
import type { App } from "./app.ts";
import { proveInstalledHosted } from "./hosted-proof.ts";
import { assertKept, storedNames } from "./kept-version.ts";
import { assertLoads } from "./load.ts";
import { parsePluginName } from "./name-plugin.ts";
import { notInstalled } from "./upgrade.ts";

export type Verified =
  | {
      readonly name: PluginName;
      readonly version: Version;
      readonly ok: true;
      /** `not_checked`: the files are unchanged, but the signature could not be looked at, for the reason given. */
      readonly signature: "verified" | "not_checked";
      readonly reason: string | undefined;
    }
  | {
      readonly name: PluginName;
      readonly version: Version | undefined;
      readonly ok: false;
      readonly error: FermixError;
    };

/** Proves one plugin, or all that are installed, sorted by name. Throws usage, plugin_not_installed, plugin_unknown. */
export async function verifyPlugins(app: App, typed: string | undefined): Promise<readonly Verified[]> {
  await assertLoads(app);
  await sweepStore(app.ports, app.home);
  const record = await readInstalled(app.home);
  const stored = storedNames(app.home, record);
  if (typed === undefined) return await verifyEach(app, stored);
  const name = parsePluginName(typed, "verify");
  if (!stored.includes(name)) throw await notInstalled(app, record, name);
  return await verifyEach(app, [name]);
}

async function verifyEach(app: App, names: readonly PluginName[]): Promise<readonly Verified[]> {
  const verdicts: Verified[] = [];
  for (const name of names) {
    const version = await currentVersion(app.home, name);
    try {
      verdicts.push(await verifyOne(app, name, version));
    } catch (error) {
      if (!isFermixError(error)) throw error;
      verdicts.push({ name, version, ok: false, error });
    }
  }
  return verdicts;
}

async function verifyOne(app: App, name: PluginName, version: Version | undefined): Promise<Verified> {
  if (version === undefined) {
    const path = currentLink(app.home, name);
    throw new FermixError("plugin_damaged", { plugin: name, path, reason: "it leads to no version" });
  }
  const { entry, manifest } = await assertKept(app.home, name, version);
  const proven = { name, version, ok: true, signature: "verified", reason: undefined } as const;
  if (manifest.rail === "hosted-mcp") {
    const dir = app.home.versionDir(name, version);
    await proveInstalledHosted(app, { name, version, origin: "installed", dir, manifest });
    return proven;
  }
  const catalog = openCatalog(app.ports.embedded);
  const artifact = embeddedArtifact(catalog, name, entry);
  if (artifact === undefined) {
    const reason = "this Fermix does not carry the package it was installed from";
    return { ...proven, signature: "not_checked", reason };
  }
  try {
    await proveArtifact(app, name, catalog, artifact, entry);
    return proven;
  } catch (error) {
    if (!isFermixError(error, "cosign_missing")) throw error;
    return { ...proven, signature: "not_checked", reason: `${error.message} ${error.fix}` };
  }
}

/** The very package the version was installed from, when it is inside this binary. */
function embeddedArtifact(catalog: Catalog, name: PluginName, entry: InstalledEntry): Artifact | undefined {
  const versions = catalog.entries.find((listed) => listed.name === name)?.versions ?? [];
  return versions
    .filter(({ version }) => version === entry.version)
    .flatMap(({ artifacts }) => artifacts)
    .find(({ sha256, url }) => sha256 === entry.sha256 && url.startsWith("embedded:"));
}

/** Digest and signature of the package, then its tree against the recorded digest: the whole chain anew. */
async function proveArtifact(
  { ports, env, home }: App,
  plugin: PluginName,
  { publishers }: Catalog,
  artifact: Artifact,
  { version, treeDigestV2: expected }: InstalledEntry,
): Promise<void> {
  const { network } = await readConfig(home);
  await withPluginLock(ports, home, plugin, async () => {
    await withStaging(ports, home, plugin, version, async (dir) => {
      const downloaded = await downloadArtifact(ports, { plugin, version, artifact, network, into: dir });
      const request = { downloaded, publishers, workDir: dir, network, cacheDir: home.cache };
      const unpacked = await unpackVerified(await verifySignature(ports, env, request), join(dir, "tree"));
      if (unpacked.hashes.treeDigestV2 === expected) return;
      const reason = "its signed package holds other files than those that are recorded";
      throw new FermixError("installed_unproven", { plugin, version, reason });
    });
  });
}
