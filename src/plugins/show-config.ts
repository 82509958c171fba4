/** What a plugin can be told in config.toml: its declared keys, their present values, and which are required (CLI-5). */
import type { ConfigKey } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { loadPlugin } from "./known.ts";

export interface ConfigRow extends ConfigKey {
  readonly value: string | boolean | number | undefined;
}

/** The plugin's declared keys in the manifest's order; throws what `loadPlugin` throws. */
export async function showConfig(app: App, name: string): Promise<readonly ConfigRow[]> {
  const { plugin, report } = await loadPlugin(app, name);
  const settings = report.config.plugins.settings.get(plugin.name);
  return plugin.manifest.config.map((declared) => ({ ...declared, value: settings?.get(declared.key) }));
}
