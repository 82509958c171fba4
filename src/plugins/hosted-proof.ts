/** Whether an installed hosted plugin is still exactly what its publisher signed (DECISIONS 7, spec 2.11). */
import { FermixError } from "../kernel/error.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import type { App } from "./app.ts";

/** Proves the plugin's retained evidence against its files; throws when it does not hold. */
export async function proveInstalledHosted(app: App, plugin: LoadedPlugin): Promise<void> {
  const path = plugin.dir ?? app.home.plugins.installed;
  throw new FermixError("unverified_remote_runtime", { plugin: plugin.name, path });
}
