/** Opens where a plugin's credential comes from: a key, a sign-in, or nothing. */
import type { CredentialSource } from "../auth/credential-source.ts";
import type { PluginSettings } from "../config/config.ts";
import { never } from "../kernel/error.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import type { App } from "./app.ts";
import { profileOf } from "./readiness.ts";

/** The source; it is read when it is used and never kept in the caller's own state. undefined: the plugin has none. */
export async function openCredential(
  app: App,
  { name, manifest }: Pick<LoadedPlugin, "name" | "manifest">,
  settings: PluginSettings,
): Promise<CredentialSource | undefined> {
  const { auth } = manifest;
  switch (auth.type) {
    case "none":
      return undefined;
    case "api_key": {
      const { openKeySource } = await import("../auth/plugin-key.ts");
      return openKeySource(app, { name, auth });
    }
    case "oauth2": {
      const { openTokenSource } = await import("../auth/token-source.ts");
      return openTokenSource(app, { name, auth, profile: profileOf(manifest, settings) });
    }
    default:
      return never(auth);
  }
}
