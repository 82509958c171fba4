/** A plugin on its way through the stages of proof, with real cosign, real keys and a folder of its own. */

import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Artifact, Publisher } from "../../src/catalog/catalog.ts";
import type { Environment } from "../../src/config/env.ts";
import { DIRECT } from "../../src/egress/network-policy.ts";
import { asPluginName, asSha256, asVersion, type Sha256 } from "../../src/kernel/names.ts";
import { systemClock } from "../../src/system/clock.ts";
import { systemProcesses } from "../../src/system/processes.ts";
import { cosignPlaces, locateCosign } from "../../src/trust/cosign.ts";
import { downloadArtifact } from "../../src/trust/download.ts";
import type { DownloadedArtifact, VerifiedArtifact } from "../../src/trust/proof.ts";
import { verifySignature } from "../../src/trust/signature.ts";
import { FakeDns, OfflineDns } from "../fakes/dns.ts";
import { embeddedOf } from "../fakes/embedded.ts";
import { refusing } from "../fakes/refusing.ts";
import { newPublisher, type TestPublisher } from "../forge/sign.ts";
import { MANIFEST, tarball } from "../forge/tar.ts";

/** The checked value, or a failure of the test itself. */
function known<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("the test's own value is malformed");
  return value;
}

export const PLUGIN = known(asPluginName("notes"));
export const VERSION = known(asVersion("1.0.0"));
const SIGNED_URL = "embedded:artifacts/notes-1.0.0.tar.gz";

export function sha256Of(bytes: Uint8Array): Sha256 {
  return known(asSha256(new Bun.CryptoHasher("sha256").update(bytes).digest("hex")));
}

/** A temporary folder that is gone after the work, spaces and letters of other alphabets in its name. */
export async function withFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), "fermix tést "));
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** An environment in which cosign is found where it really is on this machine, or only where the test says. */
export function environment(more: Partial<Environment> = {}): Environment {
  return {
    fermixHome: "/nonexistent",
    noColor: true,
    path: (process.env["PATH"] ?? "").split(":").filter((folder) => folder.startsWith("/")),
    userHome: process.env["HOME"] ?? "/nonexistent",
    get: () => undefined,
    ...more,
  };
}

/** The real cosign of this machine; the suite's set-up brings it, so its absence is a failure that says so. */
export function realCosign(): string {
  const found = locateCosign(environment());
  if (found !== undefined) return found.path;
  throw new Error(`not run: cosign (looked in ${cosignPlaces(environment()).join(", ")}; \`npm test\` brings it)`);
}

export interface Offered {
  readonly publisher: TestPublisher;
  readonly bytes: Uint8Array;
  readonly files: Record<string, string | Uint8Array>;
  readonly artifact: Artifact;
}

/** An artifact that its publisher signed with a key, in a catalog's files. */
export function offer(bytes: Uint8Array = tarball(MANIFEST), publisher = newPublisher()): Offered {
  return {
    publisher,
    bytes,
    files: { "artifacts/notes-1.0.0.tar.gz": bytes, "artifacts/notes-1.0.0.tar.gz.sig": publisher.sign(bytes) },
    artifact: artifactOf(bytes, { kind: "key", keyId: publisher.keyId }, { sigUrl: `${SIGNED_URL}.sig` }),
  };
}

export function artifactOf(bytes: Uint8Array, publisher: Publisher, urls: Partial<Artifact>): Artifact {
  return {
    target: "any",
    url: SIGNED_URL,
    sha256: sha256Of(bytes),
    publisher,
    sigUrl: undefined,
    certUrl: undefined,
    bundleUrl: undefined,
    ...urls,
  };
}

/** Ports with the real clock and processes, these embedded files, and no network at all. */
export function offlinePorts(files: Readonly<Record<string, string | Uint8Array>>) {
  return {
    clock: systemClock(),
    processes: systemProcesses(),
    embedded: embeddedOf(files),
    dns: new OfflineDns(),
    http: refusing<{ send: never }>("http") as never,
  };
}

/** The same with a resolver that knows nothing, for tests in which even a lookup is a failure. */
export function noNetwork() {
  return { dns: new FakeDns(), http: refusing<never>("http") };
}

/** Download and signature of an offer, as an install does them. */
export async function verified(offered: Offered, workDir: string): Promise<VerifiedArtifact> {
  const ports = offlinePorts(offered.files);
  const downloaded = await download(offered, workDir);
  const publishers = new Map([[offered.publisher.keyId, offered.publisher.publicKey]]);
  return verifySignature(ports, environment(), { downloaded, publishers, workDir, network: DIRECT });
}

export async function download(offered: Offered, into: string): Promise<DownloadedArtifact> {
  mkdirSync(into, { recursive: true });
  const { artifact } = offered;
  const request = { plugin: PLUGIN, version: VERSION, artifact, network: DIRECT, into };
  return downloadArtifact(offlinePorts(offered.files), request);
}
