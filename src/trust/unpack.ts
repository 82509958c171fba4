/** Unpacks a verified archive into a fresh tree, or leaves nothing at all (INS-6, spec 2.2). */
import { rmSync } from "node:fs";
import type { Environment } from "../config/env.ts";
import { namedFailure } from "../files/fs-failure.ts";
import { FermixError } from "../kernel/error.ts";
import type { DownloadedArtifact, TreeFile, TreeHashes, UnpackedTree, VerifiedArtifact } from "./proof.ts";
import { readArchive } from "./read-archive.ts";
import { beginVerification, type SignaturePorts, type SignatureRequest } from "./signature.ts";
import { treeHashes } from "./tree-digest.ts";
import { TreeWriter } from "./tree-writer.ts";

type Progress = ((done: number, total?: number) => void) | undefined;

interface Contents {
  readonly files: readonly TreeFile[];
  readonly folders: readonly string[];
  readonly hashes: TreeHashes;
}

/**
 * Writes the archive's files below the new folder `into`, flushed to disk, folders 0755, files 0644 or 0755. The bytes
 * read are hashed again and must be the verified ones. Throws archive_unsafe, tree_unsafe, disk_full or home_unusable; then
 * `into` does not exist. `onProgress` counts files; the total is known at the end.
 */
export async function unpackVerified(
  verified: VerifiedArtifact,
  into: string,
  onProgress?: Progress,
): Promise<UnpackedTree> {
  return asTree(verified, into, await writeTree(verified, into, onProgress));
}

/**
 * verifySignature and unpackVerified as one step that saves time: once Fermix's own check of a key signature has
 * passed, the archive is unpacked and its tree hashed while cosign still judges it. Nothing is returned, and nothing is
 * left in `into`, unless both accept; a publisher without a key waits for cosign. Throws what the two throw, the
 * signature's first.
 */
export async function verifyAndUnpack(
  ports: SignaturePorts,
  env: Environment,
  request: SignatureRequest & {
    readonly into: string;
    readonly onVerified?: () => void;
    readonly onProgress?: Progress;
  },
): Promise<UnpackedTree> {
  const { downloaded, into, onProgress } = request;
  const { ownCheckPassed, verdict } = await beginVerification(ports, env, request);
  const unpacking = ownCheckPassed ? writeTree(downloaded, into, onProgress) : undefined;
  const [judged, written] = await Promise.allSettled([verdict.then(tell(request.onVerified)), unpacking]);
  if (judged.status === "rejected") {
    rmSync(into, { recursive: true, force: true });
    throw judged.reason;
  }
  if (written.status === "rejected") throw written.reason;
  const contents = written.value ?? (await writeTree(judged.value, into, onProgress));
  return asTree(judged.value, into, contents);
}

function tell(onVerified: (() => void) | undefined): (verified: VerifiedArtifact) => VerifiedArtifact {
  return (verified) => {
    onVerified?.();
    return verified;
  };
}

function asTree(artifact: VerifiedArtifact, root: string, contents: Contents): UnpackedTree {
  return { plugin: artifact.plugin, version: artifact.version, artifact, root, ...contents } as UnpackedTree;
}

async function writeTree(
  { plugin, path, sha256 }: DownloadedArtifact | VerifiedArtifact,
  into: string,
  onProgress: Progress,
): Promise<Contents> {
  const tree = newTree(into, onProgress);
  try {
    await readArchive({ path, sha256, plugin }, tree);
    if (!tree.files.some((file) => file.path === "plugin.json")) {
      throw new FermixError("archive_unsafe", { plugin, entry: undefined, rule: "no_manifest" });
    }
    await tree.flush();
    const { files, folders } = tree;
    const hashes = await treeHashes(into);
    onProgress?.(files.length, files.length);
    return { files, folders, hashes };
  } catch (cause) {
    await tree.settle();
    rmSync(into, { recursive: true, force: true });
    throw namedFailure(into, cause);
  }
}

function newTree(into: string, onProgress: Progress): TreeWriter {
  try {
    return new TreeWriter(into, onProgress);
  } catch (cause) {
    throw namedFailure(into, cause);
  }
}
