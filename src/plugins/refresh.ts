/** Gets a plugin's sign-in a new access token now, whether the old one is still good or not (spec 7.1). */
import { refreshSignIn } from "../auth/refresh-sign-in.ts";
import { type SignedIn, signedIn, type TokenPlugin } from "../auth/signed-in.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { App } from "./app.ts";
import { findOAuthPlugin } from "./oauth-plugin.ts";
import { isEnabled } from "./readiness.ts";

export interface Refreshed {
  readonly plugin: PluginName;
  /** When the new token ends, in Unix milliseconds; undefined: not by itself. */
  readonly expiresAt: number | undefined;
}

/** Throws auth_not_required, no_refresh_token, and what `signedIn` and `refreshSignIn` throw; the entry is kept then. */
export async function refreshPlugin(app: App, typed: string): Promise<Refreshed> {
  const { name, plugin, config } = await findOAuthPlugin(app, typed);
  const { entry } = signedInOf(app, plugin, isEnabled(config, name));
  if (entry.refreshToken === undefined) throw new FermixError("no_refresh_token", { plugin: name });
  const fresh = await refreshSignIn(app, plugin, entry.accessToken);
  return { plugin: name, expiresAt: fresh.entry.expiresAt };
}

/** Agents call only what is enabled; this verb may meet a plugin that is not. */
function signedInOf({ home }: App, plugin: TokenPlugin, enabled: boolean): SignedIn {
  try {
    return signedIn(home, plugin);
  } catch (error) {
    if (!isFermixError(error, "not_connected") || enabled) throw error;
    throw new FermixError("not_connected", { plugin: plugin.name, enabled });
  }
}
