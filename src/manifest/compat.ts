/** Decides whether a plugin fits this Fermix: its plugin_api and the oldest core it asks for (spec 2.9). */

import { quote } from "../kernel/codes/row.ts";
import { asVersion, compareVersions, type Version } from "../kernel/names.ts";

/** The newest plugin_api this Fermix speaks, and the one generation back that still loads. */
const NEWEST_PLUGIN_API = 3;
const OLDEST_PLUGIN_API = 2;

export type Compat =
  | { readonly ok: true }
  | {
      readonly ok: false;
      /** What would help: a newer Fermix, a newer plugin, or a corrected plugin. */
      readonly kind: "needs_newer_core" | "plugin_too_old" | "missing_plugin_api" | "invalid_version";
      readonly reason: string;
    };

/** What decides compatibility, as a manifest or a catalog version states it; both may come from untrusted text. */
export interface CompatClaim {
  readonly pluginApi: number | null | undefined;
  readonly minCoreVersion: string | null | undefined;
}

/** Judges the claim against this core's version. Checked at install and at every load; never raises. */
export function judgeCompat({ pluginApi, minCoreVersion }: CompatClaim, core: Version): Compat {
  if (typeof pluginApi !== "number" || !Number.isInteger(pluginApi)) {
    return { ok: false, kind: "missing_plugin_api", reason: "it does not say which plugin_api it was written for" };
  }
  if (pluginApi > NEWEST_PLUGIN_API) {
    const reason = `it needs a newer Fermix: plugin_api ${pluginApi}, and this one speaks up to ${NEWEST_PLUGIN_API}`;
    return { ok: false, kind: "needs_newer_core", reason };
  }
  if (pluginApi < OLDEST_PLUGIN_API) {
    const reason = `it is too old: plugin_api ${pluginApi}, and this Fermix starts at ${OLDEST_PLUGIN_API}`;
    return { ok: false, kind: "plugin_too_old", reason };
  }
  if (minCoreVersion === undefined || minCoreVersion === null) return { ok: true };
  const wanted = asVersion(minCoreVersion);
  if (wanted === undefined) {
    return {
      ok: false,
      kind: "invalid_version",
      reason: `its min_core_version ${quote(minCoreVersion)} is no version`,
    };
  }
  if (compareVersions(wanted, core) > 0) {
    return { ok: false, kind: "needs_newer_core", reason: `it needs Fermix ${wanted} or newer, and this is ${core}` };
  }
  return { ok: true };
}
