/** Fetches what vouches for an artifact (signature, certificate, bundle) and checks that it can be read at all. */
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact } from "../catalog/catalog.ts";
import type { NetworkPolicy } from "../egress/network-policy.ts";
import { drainCapped } from "../egress/read-capped.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import { isJsonObject } from "../kernel/json.ts";
import { decodeKeySignature } from "./key-signature.ts";
import { openSource, type SourcePorts } from "./source.ts";

/** Whoever serves them controls their length; real ones are 96 bytes, 3 KB and 5 to 15 KB. */
export const MAX_MATERIAL_BYTES = 262_144;

export const SIGNATURE_FILE = "artifact.sig";
export const CERTIFICATE_FILE = "artifact.pem";
export const BUNDLE_FILE = "artifact.sigstore.json";

/** What vouches for an artifact, on disk, in its three forms (DECISIONS 3). */
export type Material =
  | { readonly form: "key"; readonly signature: string; readonly der: Uint8Array }
  | { readonly form: "bundle"; readonly bundle: string }
  | { readonly form: "pair"; readonly signature: string; readonly certificate: string };

export interface MaterialRequest {
  readonly plugin: string;
  readonly version: string;
  readonly artifact: Artifact;
  readonly mirror: string | undefined;
  readonly network: NetworkPolicy;
  readonly workDir: string;
  readonly signal: AbortSignal;
}

/**
 * Writes the material into `workDir`. Throws signature_missing when the catalog names none of the publisher's kind,
 * when it is not there, or when it cannot be decoded (DECISIONS 4); what openSource throws when it could not be had.
 */
export async function fetchMaterial(ports: SourcePorts, request: MaterialRequest): Promise<Material> {
  const { publisher, sigUrl, certUrl, bundleUrl } = request.artifact;
  if (publisher.kind === "key") {
    if (sigUrl === undefined) throw missing(request, "the catalog names no signature for it");
    const signature = await bring(ports, request, sigUrl, SIGNATURE_FILE);
    const der = decodeKeySignature(signature.text);
    if (der === undefined) throw missing(request, "its signature file does not hold a signature");
    return { form: "key", signature: signature.path, der };
  }
  if (bundleUrl !== undefined) {
    const bundle = await bring(ports, request, bundleUrl, BUNDLE_FILE);
    if (!isBundle(bundle.text)) throw missing(request, "its bundle file does not hold a Sigstore bundle");
    return { form: "bundle", bundle: bundle.path };
  }
  if (sigUrl === undefined || certUrl === undefined) throw missing(request, "the catalog names no signature for it");
  const signature = await bring(ports, request, sigUrl, SIGNATURE_FILE);
  const certificate = await bring(ports, request, certUrl, CERTIFICATE_FILE);
  if (decodeKeySignature(signature.text) === undefined) throw missing(request, "its signature file holds no signature");
  if (certificate.text.trim() === "") throw missing(request, "its certificate file is empty");
  return { form: "pair", signature: signature.path, certificate: certificate.path };
}

async function bring(
  ports: SourcePorts,
  request: MaterialRequest,
  url: string,
  name: string,
): Promise<{ path: string; text: string }> {
  const bytes = await read(ports, request, url);
  const path = join(request.workDir, name);
  await writeFile(path, bytes, { mode: 0o600 });
  return { path, text: Buffer.from(bytes).toString("latin1") };
}

async function read(ports: SourcePorts, request: MaterialRequest, url: string): Promise<Uint8Array> {
  const { plugin, version, mirror, network, signal } = request;
  try {
    const { reader } = await openSource(ports, { plugin, version, url, mirror, network, signal });
    return await drainCapped(reader, MAX_MATERIAL_BYTES, () =>
      missing(request, `its signature file is larger than ${MAX_MATERIAL_BYTES} bytes`),
    );
  } catch (cause) {
    if (!isFermixError(cause, "artifact_unavailable") || !cause.details.absent) throw cause;
    throw missing(request, `its signature file is not there (${cause.details.reason})`, cause);
  }
}

/** The shape every Sigstore bundle of a blob has; whether it proves anything is cosign's to say. */
function isBundle(text: string): boolean {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return false;
    throw cause;
  }
  return (
    isJsonObject(parsed) && isJsonObject(parsed["verificationMaterial"]) && isJsonObject(parsed["messageSignature"])
  );
}

function missing({ plugin, version }: MaterialRequest, reason: string, cause?: unknown): FermixError {
  return new FermixError("signature_missing", { plugin, version, reason }, { cause });
}
