/** Gives an OAuth plugin its access token: the stored one, or one refreshed on use (spec 8.3). */
import { isFermixError } from "../kernel/error.ts";
import type { CredentialSource, Grant } from "./credential-source.ts";
import { type RefreshDeps, refreshSettled, refreshSignIn } from "./refresh-sign-in.ts";
import { endsSoon, isAlive, type SignedIn, signedIn, type TokenPlugin } from "./signed-in.ts";

/**
 * The credentials of one plugin. `current` looks at auth.json each time, so that a sign-in, a sign-out and a refresh by
 * another process count at once; `renew` gives undefined where the sign-in has no refresh token. Both throw what
 * `signedIn` and `refreshSignIn` throw.
 */
export function openTokenSource(deps: RefreshDeps, plugin: TokenPlugin): CredentialSource {
  const { ports, home } = deps;
  return {
    async current() {
      const now = signedIn(home, plugin);
      if (!endsSoon(now.entry, ports.clock.now())) return now.grant;
      return await refreshOrLastMoments(deps, plugin, now);
    },
    async renew(rejected) {
      const now = signedIn(home, plugin);
      if (!now.grant.credential.equals(rejected) && !endsSoon(now.entry, ports.clock.now())) return now.grant;
      if (now.entry.refreshToken === undefined) return undefined;
      const { grant } = await refreshSignIn(deps, plugin, now.entry.accessToken);
      return grant.credential.equals(rejected) ? undefined : grant;
    },
    settled: () => refreshSettled(home, plugin),
  };
}

/** A token with seconds to live is still good when no new one can be had. */
async function refreshOrLastMoments(deps: RefreshDeps, plugin: TokenPlugin, old: SignedIn): Promise<Grant> {
  try {
    return (await refreshSignIn(deps, plugin, old.entry.accessToken)).grant;
  } catch (error) {
    const over = ["not_connected", "reauthorization_required"] as const;
    if (!isFermixError(error) || over.some((code) => isFermixError(error, code))) throw error;
    const now = signedIn(deps.home, plugin);
    if (!isAlive(now.entry, deps.ports.clock.now())) throw error;
    return now.grant;
  }
}
