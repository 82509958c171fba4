/** Keeps what proves a hosted plugin, and proves it again from that alone (spec 2.11). */
import { constants } from "node:fs";
import { copyFile, lstat, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog, Publisher } from "../catalog/catalog.ts";
import type { Environment } from "../config/env.ts";
import { flushFolder } from "../files/atomic-write.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import type { PluginName, Sha256, Version } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { requireCosign } from "./cosign.ts";
import { MAX_ARTIFACT_BYTES } from "./download.ts";
import { formatPublisher, parsePublisher } from "./evidence-publisher.ts";
import { judge } from "./judge.ts";
import { decodeKeySignature } from "./key-signature.ts";
import type { VerifiedArtifact } from "./proof.ts";
import {
  BUNDLE_FILE,
  CERTIFICATE_FILE,
  MAX_MATERIAL_BYTES,
  type Material,
  SIGNATURE_FILE,
} from "./signature-material.ts";
import { readSnapshot } from "./snapshot.ts";
import { treeDigestV2 } from "./tree-digest.ts";

const ARTIFACT_FILE = "artifact.tgz";
const CHECKSUM_FILE = "artifact.sha256";
const PUBLISHER_FILE = "artifact.publisher.json";
/** Whoever can write in the home controls these files (spec 2.2). */
const MAX_CHECKSUM_BYTES = 128;
const MAX_PUBLISHER_BYTES = 4096;
const READ_NO_LINK = constants.O_RDONLY | constants.O_NOFOLLOW;

/**
 * Copies the archive, its checksum, its signature and the name of its publisher into the new folder `dir`, flushed.
 * Throws disk_full or home_unusable, with `dir` gone.
 */
export async function retainEvidence(verified: VerifiedArtifact, dir: string): Promise<void> {
  const { signature } = verified;
  try {
    await mkdir(dir, { mode: 0o700 });
    await keep(verified.path, dir, ARTIFACT_FILE);
    if (signature.form === "bundle") await keep(signature.bundle, dir, BUNDLE_FILE);
    else await keep(signature.signature, dir, SIGNATURE_FILE);
    if (signature.form === "pair") await keep(signature.certificate, dir, CERTIFICATE_FILE);
    await writeFile(join(dir, CHECKSUM_FILE), `${verified.sha256}\n`, { mode: 0o600, flush: true });
    const publisher = formatPublisher(verified.artifact.publisher);
    await writeFile(join(dir, PUBLISHER_FILE), publisher, { mode: 0o600, flush: true });
    await flushFolder(dir);
  } catch (cause) {
    await rm(dir, { recursive: true, force: true });
    throw namedFailure(dir, cause);
  }
}

async function keep(from: string, dir: string, name: string): Promise<void> {
  const to = join(dir, name);
  await copyFile(from, to);
  const file = await open(to, "r+");
  try {
    await file.chmod(0o600);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** A hosted plugin whose files are exactly what its publisher signed. */
export interface ProvenPlugin {
  /** plugin.json as it is in the signed archive: load this one, not the file on disk. */
  readonly manifestText: string;
  readonly sha256: Sha256;
  readonly treeDigestV2: Sha256;
}

/**
 * Proves an installed hosted plugin from its evidence: checksum, signature, and that the archive's tree is the active
 * one. Everything is judged on one private copy, so files that are swapped meanwhile change nothing. Throws
 * provenance_failed, and the refusals of the signature step (cosign_missing, signature_invalid, ...).
 */
export async function proveHosted(
  ports: Pick<Ports, "processes" | "embedded">,
  env: Environment,
  home: Home,
  subject: { readonly plugin: PluginName; readonly version: Version; readonly catalog: Catalog },
): Promise<ProvenPlugin> {
  const { plugin, version, catalog } = subject;
  const evidence = home.evidenceDir(plugin, version);
  await mkdir(home.plugins.run, { recursive: true, mode: 0o700 });
  const scratch = await mkdtemp(join(home.plugins.run, `.verify-${process.pid}-`));
  try {
    const sha256 = await copyArchive(plugin, evidence, scratch);
    const publisher = await publisherOf(subject, evidence);
    const material = await copyMaterial(plugin, evidence, scratch, publisher);
    const file = join(scratch, ARTIFACT_FILE);
    const matter = { plugin, version, file, material, publisher, publishers: catalog.publishers };
    await judge(ports, requireCosign(env), { ...matter, workDir: scratch, cacheDir: home.cache });
    const snapshot = await readSnapshot({ path: file, sha256, plugin }, { plugin, version });
    const active = await treeDigestV2(home.versionDir(plugin, version));
    if (snapshot.treeDigestV2 !== active) throw failed(plugin, "its installed files are not the signed ones");
    return { manifestText: snapshot.manifestText, sha256, treeDigestV2: active };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Copies the archive and returns its sha256, which must be the recorded one. */
async function copyArchive(plugin: PluginName, evidence: string, scratch: string): Promise<Sha256> {
  const archive = await readEvidence(plugin, evidence, ARTIFACT_FILE, MAX_ARTIFACT_BYTES);
  const recorded = await readEvidence(plugin, evidence, CHECKSUM_FILE, MAX_CHECKSUM_BYTES);
  const sha256 = new Bun.CryptoHasher("sha256").update(archive).digest("hex");
  if (Buffer.from(recorded).toString("latin1").trim().split(/\s/)[0] !== sha256) {
    throw failed(plugin, "its kept package does not have its recorded checksum");
  }
  await writeFile(join(scratch, ARTIFACT_FILE), archive, { mode: 0o600 });
  return sha256 as Sha256;
}

/**
 * Who must have signed it: the publisher that was recorded, if this catalog knows it (a key it ever used, or an
 * identity it names for this plugin), so that a version proves itself after an upgrade of Fermix (INS-14).
 */
async function publisherOf(
  { plugin, version, catalog }: { plugin: PluginName; version: Version; catalog: Catalog },
  evidence: string,
): Promise<Publisher> {
  const listed = catalog.entries.find((entry) => entry.name === plugin)?.versions ?? [];
  const recorded = await readOptional(plugin, evidence, PUBLISHER_FILE, MAX_PUBLISHER_BYTES);
  if (recorded === undefined) {
    const known = listed.find((candidate) => candidate.version === version)?.artifacts[0]?.publisher;
    if (known === undefined) throw failed(plugin, "nothing says who signed it");
    return known;
  }
  const publisher = parsePublisher(Buffer.from(recorded).toString("utf8"));
  if (publisher === undefined) throw failed(plugin, "the record of who signed it is damaged");
  const known =
    publisher.kind === "key"
      ? catalog.publishers.has(publisher.keyId)
      : listed.some(({ artifacts }) => artifacts.some((artifact) => isSame(artifact.publisher, publisher)));
  if (!known) throw failed(plugin, "this Fermix does not know who signed it");
  return publisher;
}

function isSame(a: Publisher, b: Extract<Publisher, { kind: "keyless" }>): boolean {
  return a.kind === "keyless" && a.identity === b.identity && a.issuer === b.issuer;
}

async function copyMaterial(
  plugin: PluginName,
  evidence: string,
  scratch: string,
  publisher: Publisher,
): Promise<Material> {
  const copy = async (name: string): Promise<{ path: string; text: string }> => {
    const bytes = await readEvidence(plugin, evidence, name, MAX_MATERIAL_BYTES);
    const path = join(scratch, name);
    await writeFile(path, bytes, { mode: 0o600 });
    return { path, text: Buffer.from(bytes).toString("latin1") };
  };
  if (publisher.kind === "keyless" && (await readOptional(plugin, evidence, BUNDLE_FILE, MAX_MATERIAL_BYTES))) {
    return { form: "bundle", bundle: (await copy(BUNDLE_FILE)).path };
  }
  const signature = await copy(SIGNATURE_FILE);
  const der = decodeKeySignature(signature.text);
  if (der === undefined) throw failed(plugin, "its kept signature is damaged");
  return publisher.kind === "key"
    ? { form: "key", signature: signature.path, der }
    : { form: "pair", signature: signature.path, certificate: (await copy(CERTIFICATE_FILE)).path };
}

async function readOptional(
  plugin: PluginName,
  evidence: string,
  name: string,
  maxBytes: number,
): Promise<Uint8Array | undefined> {
  try {
    await lstat(join(evidence, name));
  } catch (cause) {
    if (hasErrno(cause, "ENOENT")) return undefined;
    throw cause;
  }
  return readEvidence(plugin, evidence, name, maxBytes);
}

/** A regular file of the evidence, whole; a link or an oversized file is refused, not followed. */
async function readEvidence(plugin: PluginName, evidence: string, name: string, maxBytes: number): Promise<Uint8Array> {
  const path = join(evidence, name);
  try {
    const stat = await lstat(path);
    if (!stat.isFile()) throw failed(plugin, `its evidence ${name} is not a file`);
    if (stat.size > maxBytes) throw failed(plugin, `its evidence ${name} is larger than ${maxBytes} bytes`);
    const bytes = await readFile(path, { flag: READ_NO_LINK });
    if (bytes.byteLength !== stat.size) throw failed(plugin, `its evidence ${name} changed while it was read`);
    return bytes;
  } catch (cause) {
    if (!hasErrno(cause, "ENOENT", "ENOTDIR", "ELOOP", "EACCES")) throw cause;
    throw failed(plugin, `its evidence ${name} is missing or cannot be read`, cause);
  }
}

function failed(plugin: PluginName, reason: string, cause?: unknown): FermixError {
  return new FermixError("provenance_failed", { plugin, reason }, { cause });
}
