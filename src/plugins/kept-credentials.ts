/** Finds the plugins that are not loaded and still have a credential here: a key is set before an install, and outlives an uninstall. */
import { readAuthFile } from "../auth/auth-file.ts";
import { isFermixError } from "../kernel/error.ts";
import type { Manifest } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import type { LoadReport } from "./load.ts";
import { offeredManifest } from "./offered-manifest.ts";

const PROFILE_END = ":primary";

/** Their manifests as the catalog has them, by name; of a plugin that it does not offer nobody knows what it keeps where. */
export async function keptCredentials(app: App, { config, plugins }: LoadReport): Promise<readonly Manifest[]> {
  const loaded = new Set<string>(plugins.map(({ name }) => name));
  const named = new Set<string>([...config.pluginSecrets.keys(), ...signedInNames(app)]);
  const names = [...named].filter((name) => !loaded.has(name)).sort();
  const offered = await Promise.all(names.map((name) => offeredManifest(app, name)));
  return offered.filter((manifest) => manifest !== undefined);
}

/** What is wrong with auth.json is told where its entries are. */
function signedInNames({ home }: App): readonly string[] {
  try {
    const profiles = Object.keys(readAuthFile(home).providers);
    return profiles.flatMap((profile) =>
      profile.endsWith(PROFILE_END) ? [profile.slice(0, -PROFILE_END.length)] : [],
    );
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return [];
  }
}
