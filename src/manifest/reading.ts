/** What every area of one manifest is read with: where problems go, and which generation of the grammar applies. */

import type { JsonObject } from "../kernel/json.ts";
import { below, type Place } from "./place.ts";
import type { Problems } from "./problems.ts";

export interface Reading {
  readonly problems: Problems;
  /** The plugin's name as written, when it is a legal one. */
  readonly plugin: string | undefined;
  /** 1 is the legacy form, whose rails, requests and runtime are not read (spec 1.1). */
  readonly schemaVersion: 1 | 2;
  readonly api3: boolean;
  /** The publishing side's stricter rules apply too. */
  readonly publishing: boolean;
}

/** Refuses each of the keys that is present while the manifest is not of plugin_api 3. */
export function refuseBeforeApi3(reading: Reading, raw: JsonObject, path: Place, keys: Iterable<string>): void {
  if (reading.api3) return;
  for (const key of keys) {
    if (Object.hasOwn(raw, key)) reading.problems.add(below(path, key), "requires_plugin_api_3");
  }
}

/** Notes what only the publishing side asks for. */
export function wantForPublishing(reading: Reading, sound: boolean, path: Place, detail: string): void {
  if (reading.publishing && !sound) reading.problems.add(path, "unpublishable", detail);
}
