/** Removes from this machine what a plugin that is going away was connected with (DECISIONS 34); nothing is revoked. */
import { findLoginProvider } from "../auth/oauth/login-providers.ts";
import { removeSignIn } from "../auth/store-sign-in.ts";
import type { PluginName } from "../kernel/names.ts";
import type { App } from "./app.ts";
import { clearPluginKey } from "./clear-secret.ts";
import { findOAuthPlugin } from "./oauth-plugin.ts";
import { profileOf } from "./readiness.ts";

export interface Purged {
  readonly kind: "api_key" | "oauth2";
  /** Whether there was one. */
  readonly removed: boolean;
  /** Where the service takes it back, when that is known. */
  readonly revokeAt: string | undefined;
  /** Other plugins that go on using the same sign-in, which therefore stays. */
  readonly sharedWith: readonly string[];
  /** The variable that would still give a key. */
  readonly stillGivenBy: string | undefined;
}

/** Removes the key or the sign-in. Throws, with nothing changed, what the keychain and auth.json have wrong. */
export async function purgeCredential(
  app: App,
  name: PluginName,
  kind: Purged["kind"],
  options: { readonly unlock?: boolean },
): Promise<Purged> {
  return kind === "api_key" ? await purgeKey(app, name, options) : await purgeSignIn(app, name);
}

async function purgeKey(app: App, name: PluginName, options: { readonly unlock?: boolean }): Promise<Purged> {
  const { cleared: removed, helpUrl: revokeAt, stillGivenBy } = await clearPluginKey(app, name, options);
  return { kind: "api_key", removed, revokeAt, sharedWith: [], stillGivenBy };
}

async function purgeSignIn(app: App, name: PluginName): Promise<Purged> {
  const { plugin, report } = await findOAuthPlugin(app, name);
  const { settings } = report.config.plugins;
  const sharedWith = report.plugins.flatMap(({ name: other, manifest }) =>
    other !== name &&
    manifest.auth.type === "oauth2" &&
    profileOf(manifest, settings.get(other) ?? new Map()) === plugin.profile
      ? [other]
      : [],
  );
  const removed = sharedWith.length === 0 && (await removeSignIn(app.ports, app.home, plugin.profile));
  const revokeAt = findLoginProvider(plugin.auth.provider)?.revokeAt;
  return { kind: "oauth2", removed, revokeAt, sharedWith, stillGivenBy: undefined };
}
