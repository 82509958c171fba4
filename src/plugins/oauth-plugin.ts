/** Finds the plugin whose sign-in is meant: loaded, or only offered by the catalog, and one that signs in. */
import type { TokenPlugin } from "../auth/signed-in.ts";
import type { Config } from "../config/config.ts";
import { FermixError } from "../kernel/error.ts";
import { asPluginName, type PluginName } from "../kernel/names.ts";
import type { App } from "./app.ts";
import { notHere } from "./known.ts";
import { type LoadReport, loadPlugins } from "./load.ts";
import { offeredManifest } from "./offered-manifest.ts";
import { profileOf } from "./readiness.ts";

export interface FoundOAuth {
  readonly name: PluginName;
  readonly plugin: TokenPlugin;
  readonly config: Config;
  readonly report: LoadReport;
  /** False: only the catalog has it. */
  readonly loaded: boolean;
}

/** The plugin of this name. Throws plugin_unknown and its kind, auth_not_required, and what loading throws. */
export async function findOAuthPlugin(app: App, typed: string): Promise<FoundOAuth> {
  const report = await loadPlugins(app);
  const { config } = report;
  const loaded = report.plugins.find(({ name }) => name === typed)?.manifest;
  const left = report.excluded.find(({ name }) => name === typed);
  if (loaded === undefined && left !== undefined) throw left.error;
  const name = asPluginName(typed);
  const manifest = loaded ?? (name === undefined ? undefined : await offeredManifest(app, name));
  if (manifest === undefined) throw notHere(app, report, typed);
  const { auth } = manifest;
  if (auth.type !== "oauth2") throw new FermixError("auth_not_required", { plugin: manifest.name, type: auth.type });
  const profile = profileOf(manifest, config.plugins.settings.get(manifest.name) ?? new Map());
  const plugin = { name: manifest.name, auth, profile };
  return { name: manifest.name, plugin, config, report, loaded: loaded !== undefined };
}
