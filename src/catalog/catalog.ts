/** What the embedded catalog holds once read (spec 2.5 with DECISIONS 1 and 3): types only; `read-index.ts` is the one maker. */
import type { PluginName, Sha256, Version } from "../kernel/names.ts";

/** Who must have signed an artifact. */
export type Publisher =
  | { readonly kind: "key"; readonly keyId: string }
  /** Exact identity and issuer, compared by equality, never as a pattern. */
  | { readonly kind: "keyless"; readonly identity: string; readonly issuer: string };

export interface Artifact {
  /** `any` or `<os>-<arch>`. */
  readonly target: string;
  /** `embedded:NAME`, or https. */
  readonly url: string;
  readonly sha256: Sha256;
  readonly publisher: Publisher;
  /** A raw cosign signature (key), the ecosystem's certificate beside it, or a Sigstore bundle (keyless). */
  readonly sigUrl: string | undefined;
  readonly certUrl: string | undefined;
  readonly bundleUrl: string | undefined;
}

export interface CatalogVersion {
  readonly version: Version;
  readonly publishedAt: string | undefined;
  readonly minCoreVersion: Version | undefined;
  readonly pluginApi: number | undefined;
  readonly artifacts: readonly Artifact[];
}

export interface CatalogEntry {
  readonly name: PluginName;
  readonly displayName: string;
  readonly category: string | undefined;
  readonly description: string | undefined;
  readonly shortDescription: string | undefined;
  readonly developerName: string | undefined;
  readonly brandColor: string | undefined;
  readonly authType: "none" | "oauth2" | "api_key";
  readonly authProvider: string | undefined;
  readonly runtimeKind: "local_stdio" | "remote_mcp" | undefined;
  readonly rails: readonly ("http" | "mcp")[];
  /** undefined for a card with no installable version (computer_use_sidecar). */
  readonly latest: Version | undefined;
  readonly yanked: readonly Version[];
  readonly versions: readonly CatalogVersion[];
}

export interface Catalog {
  readonly generatedAt: string;
  readonly entries: readonly CatalogEntry[];
  /** Key id -> PEM of every publisher key that ever signed a listed version. */
  readonly publishers: ReadonlyMap<string, string>;
}
