/** Whether a typed name may be changed in the store: a plugin's name, and not one that is part of this binary. */
import { bundledManifests } from "../catalog/bundled.ts";
import { FermixError } from "../kernel/error.ts";
import { asPluginName, asVersion, type PluginName, type Version } from "../kernel/names.ts";
import type { App } from "./app.ts";

export type StoreVerb = "install" | "upgrade" | "pin" | "uninstall" | "verify";

/** The name. Throws usage for what can't be a name (a path, for one) and bundled_plugin (BUN-1, spec 2.8 step 1). */
export function namePlugin(app: App, typed: string, verb: Exclude<StoreVerb, "verify">): PluginName {
  const name = parsePluginName(typed, verb);
  if (bundledManifests(app.ports.embedded).has(name)) throw new FermixError("bundled_plugin", { plugin: name, verb });
  return name;
}

/** The name. Throws usage: it never gets near a path (CASE-10). */
export function parsePluginName(typed: string, verb: StoreVerb): PluginName {
  const name = asPluginName(typed);
  if (name !== undefined) return name;
  const problem = `${JSON.stringify(typed)} is not a plugin name: lower-case letters, digits and _, starting with a letter.`;
  throw new FermixError("usage", { problem, command: `fermix plugins ${verb}` });
}

/** The version. Throws usage for what is none, before anybody looks for it. */
export function parseVersion(typed: string, verb: StoreVerb): Version {
  const version = asVersion(typed);
  if (version !== undefined) return version;
  const problem = `${JSON.stringify(typed)} is not a version such as 1.2.3.`;
  throw new FermixError("usage", { problem, command: `fermix plugins ${verb}` });
}

/** Splits `NAME` or `NAME@VERSION`. */
export function splitSpec(spec: string): { readonly name: string; readonly version?: string } {
  const at = spec.indexOf("@");
  return at < 0 ? { name: spec } : { name: spec.slice(0, at), version: spec.slice(at + 1) };
}
