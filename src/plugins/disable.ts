/** Switches a plugin off; its files, its settings and its credentials stay (DECISIONS 34). */
import { disableInConfig } from "../config/edit.ts";
import { asPluginName, type PluginName } from "../kernel/names.ts";
import type { App } from "./app.ts";
import { notHere } from "./known.ts";
import { type LoadReport, loadPlugins } from "./load.ts";

/**
 * Disables any plugin that is here in some form: loaded (bundled ones too), left out, or only named in the config.
 * Throws `plugin_not_installed` or `plugin_unknown` for any other name, and writes nothing then.
 */
export async function disablePlugin(app: App, name: string): Promise<PluginName> {
  const report = await loadPlugins(app);
  const known = asPluginName(name);
  if (known === undefined || !isHere(report, known)) throw notHere(app, report, name);
  await disableInConfig(app.ports, app.home, known);
  return known;
}

function isHere({ plugins, excluded, config }: LoadReport, name: PluginName): boolean {
  return (
    plugins.some((plugin) => plugin.name === name) ||
    excluded.some((left) => left.name === name) ||
    config.plugins.enabled.includes(name) ||
    config.plugins.settings.has(name)
  );
}
