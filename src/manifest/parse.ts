/** Turns the text of a plugin.json into a Manifest, or names every rule it breaks at once (spec section 1). */
import type { Manifest } from "./manifest.ts";

export interface ParseOptions {
  /** The folder the manifest must be named after. */
  readonly directory?: string;
}

/** The manifest in the text. Raises `manifest_invalid` with all problems, in document order. */
export function parseManifest(_source: string | Uint8Array, _options: ParseOptions = {}): Manifest {
  throw new Error("not reached");
}
