/** Keeps a host in step with the disk: config, the store and the record, whoever changes them (AGT-3, LOC-5). */
import { watchPaths } from "../files/watch-paths.ts";
import type { Host } from "./host.ts";

/** Re-reads and re-applies after each change on disk. Returns the way to stop. */
export function followDisk(host: Host): () => void {
  const { ports } = host.app;
  return watchPaths(
    ports.clock,
    () => pathsOf(host),
    () => void host.reconcile(),
  );
}

/** What decides which plugins run; a version becomes live by a rename inside its plugin's folder. */
function pathsOf(host: Host): readonly string[] {
  const { home } = host.app;
  const files = [home.configFile, home.authFile, home.plugins.record, home.plugins.installed];
  const folders = host.plugins().flatMap(({ plugin }) => {
    if (plugin?.dir === undefined) return [];
    return plugin.origin === "installed" ? [home.pluginDir(plugin.name)] : [`${plugin.dir}/plugin.json`];
  });
  return [...files, ...folders];
}
