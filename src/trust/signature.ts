/** Proves that a downloaded artifact was signed by exactly the publisher that the catalog names (INS-2, DECISIONS 3 to 5). */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog, Publisher } from "../catalog/catalog.ts";
import type { Environment } from "../config/env.ts";
import type { NetworkPolicy } from "../egress/network-policy.ts";
import type { Ports } from "../kernel/ports.ts";
import { requireCosign } from "./cosign.ts";
import { judge } from "./judge.ts";
import type { DownloadedArtifact, SignatureFiles, VerifiedArtifact } from "./proof.ts";
import { BUNDLE_FILE, CERTIFICATE_FILE, fetchMaterial, type Material, SIGNATURE_FILE } from "./signature-material.ts";

export type SignaturePorts = Pick<Ports, "processes" | "embedded" | "dns" | "http" | "clock">;

export interface SignatureRequest {
  readonly downloaded: DownloadedArtifact;
  /** Every embedded publisher key, by id. */
  readonly publishers: Catalog["publishers"];
  /** The folder of the download; the signature is kept in it as `artifact.sig` or `artifact.sigstore.json`. */
  readonly workDir: string;
  /** As in the download. */
  readonly mirror?: string | undefined;
  readonly network: NetworkPolicy;
  /** Where a passed self-test of cosign is remembered, so that it runs once per cosign and not once per install. */
  readonly cacheDir?: string | undefined;
  /** Folders to look for cosign in; PATH and the usual places when absent. */
  readonly cosignPlaces?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * The artifact, verified. Each reason to refuse is a code of its own: signature_missing, cosign_missing,
 * cosign_untrusted, cosign_failed, signature_invalid, publisher_mismatch, verification_unavailable; and what the
 * network throws when the signature has to be fetched. A refusal leaves nothing in `workDir` but the download.
 */
export function verifySignature(
  ports: SignaturePorts,
  env: Environment,
  request: SignatureRequest,
): Promise<VerifiedArtifact> {
  return verify(ports, env, request, () => undefined);
}

/** A verification under way. */
export interface Verification {
  /** Whether Fermix's own check of a key signature has accepted; false for a publisher without a key. */
  readonly ownCheckPassed: boolean;
  /** Settles when cosign has answered too, as verifySignature does. */
  readonly verdict: Promise<VerifiedArtifact>;
}

/** verifySignature, as soon as Fermix's own check has an answer; only the verdict counts. Rejects never. */
export async function beginVerification(
  ports: SignaturePorts,
  env: Environment,
  request: SignatureRequest,
): Promise<Verification> {
  const own = Promise.withResolvers<boolean>();
  const verdict = verify(ports, env, request, own.resolve);
  verdict.then(
    () => own.resolve(false),
    () => own.resolve(false),
  );
  return { ownCheckPassed: await own.promise, verdict };
}

async function verify(
  ports: SignaturePorts,
  env: Environment,
  request: SignatureRequest,
  onOwnCheck: (passed: boolean) => void,
): Promise<VerifiedArtifact> {
  const { downloaded, publishers, workDir, mirror, network, cacheDir } = request;
  const { plugin, version, artifact, path, bytes, sha256 } = downloaded;
  const signal = request.signal ?? new AbortController().signal;
  try {
    const material = await fetchMaterial(ports, { plugin, version, artifact, mirror, network, workDir, signal });
    const cosign = requireCosign(env, request.cosignPlaces);
    const { publisher } = artifact;
    const matter = { plugin, version, file: path, material, publisher, publishers, workDir, cacheDir };
    await judge(ports, cosign, matter, onOwnCheck);
    const signature = filesOf(material, publisher);
    return { plugin, version, artifact, path, bytes, sha256, signature } as VerifiedArtifact;
  } catch (error) {
    for (const name of [SIGNATURE_FILE, CERTIFICATE_FILE, BUNDLE_FILE]) await rm(join(workDir, name), { force: true });
    throw error;
  }
}

function filesOf(material: Material, publisher: Publisher): SignatureFiles {
  if (publisher.kind === "key") {
    if (material.form !== "key") throw new Error("a key publisher signs in key form");
    return { form: "key", signature: material.signature, keyId: publisher.keyId };
  }
  if (material.form === "key") throw new Error("a keyless publisher signs with a certificate");
  const { identity, issuer } = publisher;
  return material.form === "bundle"
    ? { form: "bundle", bundle: material.bundle, identity, issuer }
    : { form: "pair", signature: material.signature, certificate: material.certificate, identity, issuer };
}
