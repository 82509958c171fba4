/** Reads `interface`, which is free but for its pictures, and names the files a manifest points at (spec 1.3). */

import * as v from "valibot";
import type { JsonObject, JsonValue } from "../kernel/json.ts";
import type { JsonPath } from "../kernel/json-path.ts";
import type { Manifest } from "./manifest.ts";
import { jsonObject, staysInside, textThat } from "./parts.ts";
import { below, ROOT } from "./place.ts";
import { type Reading, wantForPublishing } from "./reading.ts";

const PICTURES = ["icon", "logo"] as const;
const PICTURE = v.optional(textThat(staysInside, "asset_escapes_plugin_dir"));
const PICTURE_NAME = /\.(?:png|svg|jpg|jpeg)$/;

/** The interface object, `{}` when absent. */
export function readInterface(reading: Reading, raw: JsonValue | undefined): JsonObject {
  if (raw === undefined) return {};
  const object = reading.problems.value(raw, below(ROOT, "interface"), jsonObject);
  if (object === undefined) return {};
  const pictures = reading.problems.fields(object, below(ROOT, "interface"), { icon: PICTURE, logo: PICTURE });
  for (const key of PICTURES) {
    const picture = pictures[key];
    if (picture === undefined) continue;
    wantForPublishing(
      reading,
      PICTURE_NAME.test(picture),
      below(below(ROOT, "interface"), key),
      "a picture is a png, svg, jpg or jpeg",
    );
  }
  return object;
}

/** A file that must be a regular file inside the plugin, and which place of the manifest asks for it. */
export interface AssetPath {
  readonly at: JsonPath;
  /** Relative to the plugin's root, with `/`. */
  readonly path: string;
}

/** The pictures the manifest names; whoever has the files checks that each exists (`missing_asset`). */
export function assetPaths(manifest: Manifest): readonly AssetPath[] {
  const assets: AssetPath[] = [];
  for (const key of PICTURES) {
    const path = manifest.interface[key];
    if (typeof path === "string") assets.push({ at: ["interface", key], path });
  }
  return assets;
}
