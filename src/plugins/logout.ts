/** Takes a plugin's sign-in off this machine; the provider is told nothing (AUTH-10). */
import { entryIn, readAuthFile } from "../auth/auth-file.ts";
import { findLoginProvider } from "../auth/oauth/login-providers.ts";
import { removeSignIn } from "../auth/store-sign-in.ts";
import { isFermixError } from "../kernel/error.ts";
import { asPluginName } from "../kernel/names.ts";
import type { App } from "./app.ts";
import { findOAuthPlugin } from "./oauth-plugin.ts";
import { isEnabled, profileOf } from "./readiness.ts";

export interface LoggedOut {
  readonly plugin: string;
  /** False: there was no sign-in. */
  readonly removed: boolean;
  readonly enabled: boolean;
  /** As people call the provider; undefined for one that Fermix does not know. */
  readonly provider: string | undefined;
  /** The page where its users take an access back. */
  readonly revokeAt: string | undefined;
  /** Other plugins that used the same sign-in. */
  readonly sharedWith: readonly string[];
}

/**
 * Removes the plugin's entry from auth.json; one of a plugin that is not here any more by the plugin's own profile.
 * Throws auth_not_required, plugin_unknown and its kind, profile_busy, and what auth.json has wrong.
 */
export async function logoutPlugin(app: App, typed: string): Promise<LoggedOut> {
  const { profile, provider, name, enabled, sharedWith } = await whoseSignIn(app, typed);
  const removed = await removeSignIn(app.ports, app.home, profile);
  const page = provider === undefined ? undefined : findLoginProvider(provider);
  return { plugin: name, removed, enabled, provider: page?.name ?? provider, revokeAt: page?.revokeAt, sharedWith };
}

async function whoseSignIn(app: App, typed: string) {
  try {
    const { name, plugin, config, report } = await findOAuthPlugin(app, typed);
    const users = report.plugins.filter(
      ({ manifest }) =>
        manifest.auth.type === "oauth2" &&
        profileOf(manifest, config.plugins.settings.get(manifest.name) ?? new Map()) === plugin.profile,
    );
    return {
      name,
      profile: plugin.profile,
      provider: plugin.auth.provider,
      enabled: isEnabled(config, name),
      sharedWith: users.map((user) => user.name).filter((user) => user !== name),
    };
  } catch (error) {
    const profile = `${asPluginName(typed)}:primary`;
    const isGone = isFermixError(error) && !isFermixError(error, "auth_not_required");
    if (!isGone || entryIn(readAuthFile(app.home), profile) === undefined) throw error;
    return { name: typed, profile, provider: undefined, enabled: false, sharedWith: [] };
  }
}
