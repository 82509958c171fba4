/** Reads `interface`, which is free but for the pictures it names (spec 1.3). */

import * as v from "valibot";
import type { JsonObject, JsonValue } from "../kernel/json.ts";
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
