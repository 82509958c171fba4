/** Bundles the servers of `catalog/servers/<plugin>/` into the one file that a plugin ships. */
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** Path below the catalog (for example `plugins/obsidian/src/index.js`) to the bundle's text; deterministic for one Bun. */
export async function bundleServers(catalog: string): Promise<ReadonlyMap<string, string>> {
  const servers = join(catalog, "servers");
  const bundles = new Map<string, string>();
  if (!existsSync(servers)) return bundles;
  for (const plugin of readdirSync(servers).toSorted()) {
    bundles.set(`plugins/${plugin}/src/index.js`, await bundle(join(servers, plugin), plugin));
  }
  return bundles;
}

async function bundle(folder: string, plugin: string): Promise<string> {
  const built = await Bun.build({ entrypoints: [join(folder, "main.ts")], target: "node", format: "esm" });
  const [output] = built.outputs;
  if (!built.success || output === undefined) throw new AggregateError(built.logs, `bundling ${plugin} failed`);
  // The bundler names each module by a path that depends on where it runs.
  const text = (await output.text()).replace(/^\/\/ .*\.ts$/gm, "").replace(/\n{3,}/g, "\n\n");
  return `// The ${plugin} server, bundled from catalog/servers/${plugin} by \`bun run catalog\`.\n${text.trim()}\n`;
}
