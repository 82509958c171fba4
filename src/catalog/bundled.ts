/** The plugins that are part of the binary itself (BUN-1): their manifests and other files. */
import { asPluginName, type PluginName } from "../kernel/names.ts";
import type { EmbeddedFiles } from "../kernel/ports.ts";

const MANIFEST = /^bundled\/([^/]+)\/plugin\.json$/;

/** plugin.json of each bundled plugin, sorted by name. */
export function bundledManifests(embedded: EmbeddedFiles): ReadonlyMap<PluginName, string> {
  const found = new Map<PluginName, string>();
  for (const file of embedded.names().toSorted()) {
    const name = asPluginName(MANIFEST.exec(file)?.[1]);
    const text = name === undefined ? undefined : readBundledFile(embedded, name, "plugin.json");
    if (name !== undefined && text !== undefined) found.set(name, text);
  }
  return found;
}

/** A text file of a bundled plugin by its path in the plugin, for example a skill; undefined when it has none. */
export function readBundledFile(embedded: EmbeddedFiles, plugin: PluginName, path: string): string | undefined {
  const bytes = embedded.read(`bundled/${plugin}/${path}`);
  return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
}
