/** Finds the plugin whose API key is to be changed: loaded, or only offered by the catalog, and one that takes a key. */
import type { KeyedPlugin } from "../auth/plugin-key.ts";
import type { Config } from "../config/config.ts";
import { FermixError } from "../kernel/error.ts";
import { asPluginName } from "../kernel/names.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { notHere } from "./known.ts";
import { type LoadReport, loadPlugins } from "./load.ts";
import { offeredManifest } from "./offered-manifest.ts";

export interface FoundKeyed {
  readonly plugin: KeyedPlugin;
  readonly manifest: Manifest;
  readonly config: Config;
  readonly report: LoadReport;
}

/**
 * The plugin of this name; its key may be set before it is installed. Throws usage for what is no name, without telling it,
 * because it may be the key itself; takes_no_key, plugin_unknown, and what loading throws.
 */
export async function findKeyedPlugin(app: App, typed: string, verb: "set" | "clear"): Promise<FoundKeyed> {
  const name = asPluginName(typed);
  if (name === undefined) {
    const problem = "NAME is not a plugin's name: lower-case letters, digits and _, starting with a letter.";
    throw new FermixError("usage", { problem, command: `fermix plugins auth ${verb}` });
  }
  const report = await loadPlugins(app);
  const loaded = report.plugins.find((plugin) => plugin.name === name)?.manifest;
  const manifest = loaded ?? (await offeredManifest(app, name));
  if (manifest === undefined) throw notHere(app, report, name);
  const { auth } = manifest;
  if (auth.type !== "api_key") throw new FermixError("takes_no_key", { plugin: name, auth: auth.type });
  return { plugin: { name, auth }, manifest, config: report.config, report };
}
