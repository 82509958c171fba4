/** Brings an artifact to disk and proves that its bytes are the ones the catalog lists. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { Artifact } from "../catalog/catalog.ts";
import type { NetworkPolicy } from "../egress/network-policy.ts";
import { FermixError } from "../kernel/error.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import type { DownloadedArtifact } from "./proof.ts";
import { type OpenSource, openSource, type SourcePorts } from "./source.ts";
import { streamToFile } from "./stream-to-file.ts";

/** Whoever serves the artifact controls its length (spec 2.2). */
export const MAX_ARTIFACT_BYTES = 104_857_600;
/** A stalled transfer must fail long before a lock grows stale (spec 2.2). */
export const DOWNLOAD_IDLE_MS = 30_000;

export interface DownloadRequest {
  readonly plugin: PluginName;
  readonly version: Version;
  readonly artifact: Artifact;
  /** `artifact_mirror` of config.toml: a folder, as an https or file URL. */
  readonly mirror?: string | undefined;
  readonly network: NetworkPolicy;
  /** An existing folder of the caller's own; the artifact becomes `artifact.tgz` in it (spec 2.6). */
  readonly into: string;
  readonly onProgress?: ((done: number, total?: number) => void) | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Streams the artifact to disk while its sha256 is computed (INS-1); on any failure nothing of it is left in `into`.
 * Throws artifact_unavailable, artifact_too_large, artifact_incomplete, download_stalled, artifact_digest_mismatch,
 * disk_full or home_unusable, what guardedFetch throws, or the signal's reason.
 */
export async function downloadArtifact(ports: SourcePorts, request: DownloadRequest): Promise<DownloadedArtifact> {
  const { plugin, version, artifact, into } = request;
  const signal = request.signal ?? new AbortController().signal;
  const { mirror, network } = request;
  const source = await openSource(ports, { plugin, version, url: artifact.url, mirror, network, signal });
  const path = join(into, "artifact.tgz");
  const { bytes, sha256 } = await receive(ports, request, source, path, signal);
  const expected = artifact.sha256;
  if (source.total === undefined || source.total === bytes) {
    if (sha256 === expected) return { plugin, version, artifact, path, bytes, sha256 } as DownloadedArtifact;
  }
  await rm(path, { force: true });
  if (source.total !== undefined && bytes < source.total) {
    throw new FermixError("artifact_incomplete", { plugin, received: bytes, expected: source.total });
  }
  throw new FermixError("artifact_digest_mismatch", { plugin, expected, actual: sha256 });
}

function receive(
  ports: SourcePorts,
  { plugin, onProgress }: DownloadRequest,
  { reader, total }: OpenSource,
  path: string,
  signal: AbortSignal,
): ReturnType<typeof streamToFile> {
  const tooLarge = (): FermixError => new FermixError("artifact_too_large", { plugin, limit: MAX_ARTIFACT_BYTES });
  if (total !== undefined && total > MAX_ARTIFACT_BYTES) {
    return reader.cancel().then(() => {
      throw tooLarge();
    });
  }
  return streamToFile(ports.clock, reader, path, {
    maxBytes: MAX_ARTIFACT_BYTES,
    idleMs: DOWNLOAD_IDLE_MS,
    tooLarge,
    stalled: () => new FermixError("download_stalled", { plugin, afterMs: DOWNLOAD_IDLE_MS }),
    signal,
    onProgress: (done) => (total === undefined ? onProgress?.(done) : onProgress?.(done, total)),
  });
}
