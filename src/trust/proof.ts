/** The stages of proof an artifact goes through: each type is made only by the step that proved it. */
import type { Artifact } from "../catalog/catalog.ts";
import type { PluginName, Sha256, Version } from "../kernel/names.ts";
import type { Manifest } from "../manifest/manifest.ts";

declare const downloaded: unique symbol;
declare const verified: unique symbol;
declare const unpacked: unique symbol;
declare const allowed: unique symbol;

/** Bytes on disk whose sha256 is the catalog's; made by `download.ts`. */
export interface DownloadedArtifact {
  readonly plugin: PluginName;
  readonly version: Version;
  readonly artifact: Artifact;
  /** Absolute path of the .tar.gz. */
  readonly path: string;
  readonly bytes: number;
  readonly sha256: Sha256;
  readonly [downloaded]: true;
}

/** Where the material that convinced cosign lies, in its three forms (DECISIONS 3). */
export type SignatureFiles =
  | { readonly form: "key"; readonly signature: string; readonly keyId: string }
  | { readonly form: "bundle"; readonly bundle: string; readonly identity: string; readonly issuer: string }
  | {
      readonly form: "pair";
      readonly signature: string;
      readonly certificate: string;
      readonly identity: string;
      readonly issuer: string;
    };

/** A download whose expected publisher signed it; made by `signature.ts`. */
export interface VerifiedArtifact {
  readonly plugin: PluginName;
  readonly version: Version;
  readonly artifact: Artifact;
  readonly path: string;
  readonly bytes: number;
  readonly sha256: Sha256;
  readonly signature: SignatureFiles;
  readonly [verified]: true;
}

export interface TreeFile {
  /** Relative, `/` between folders, as the archive spells it. */
  readonly path: string;
  readonly bytes: number;
  readonly executable: boolean;
}

/** The two digests of a tree (spec 2.3); made by `tree-digest.ts`. */
export interface TreeHashes {
  readonly treeDigestV2: Sha256;
  readonly h1: string;
}

/** A fresh tree on disk. */
interface Tree {
  readonly plugin: PluginName;
  readonly version: Version;
  readonly artifact: VerifiedArtifact;
  /** Absolute path of the tree's root, where plugin.json lies. */
  readonly root: string;
  readonly files: readonly TreeFile[];
  /** Relative, `/` between, parents before children; empty folders too. */
  readonly folders: readonly string[];
  /** Of what was read back from the disk. */
  readonly hashes: TreeHashes;
}

/** A tree that holds exactly a verified archive; made by `unpack.ts`. */
export interface UnpackedTree extends Tree {
  readonly [unpacked]: true;
}

/** An unpacked tree that holds only what its manifest's kind may carry; made by `content-policy.ts`. */
export interface VerifiedTree extends Tree {
  readonly manifest: Manifest;
  readonly [allowed]: true;
}
