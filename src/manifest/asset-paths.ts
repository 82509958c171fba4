/** Names the files a manifest points at, for whoever has the plugin's folder to check (spec 1.3, 1.10). */
import { formatJsonPath } from "../kernel/json-path.ts";
import type { Manifest } from "./manifest.ts";

/** A file that must be a regular file inside the plugin, and which place of the manifest asks for it. */
export interface AssetPath {
  /** Such as `skills[0].path`. */
  readonly at: string;
  /** Relative to the plugin's root, with `/`. */
  readonly path: string;
}

/** The pictures and the skills the manifest names, in that order. */
export function assetPaths(manifest: Manifest): readonly AssetPath[] {
  const assets: AssetPath[] = [];
  for (const key of ["icon", "logo"]) {
    const path = manifest.interface[key];
    if (typeof path === "string") assets.push({ at: formatJsonPath(["interface", key]), path });
  }
  for (const [index, { path }] of manifest.skills.entries()) {
    assets.push({ at: formatJsonPath(["skills", index, "path"]), path });
  }
  return assets;
}
