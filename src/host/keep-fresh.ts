/** Refreshes the sign-ins of served plugins and of model providers before they end, so that nobody waits for it (TOK-4, spec 8.3). */
import type { Credential } from "../auth/credential.ts";
import { refreshedModels } from "../auth/models/model-providers.ts";
import type { SignInEntry } from "../auth/sign-in-entry.ts";
import { type SignedIn, signedIn, type TokenPlugin } from "../auth/signed-in.ts";
import { readConfig } from "../config/read.ts";
import { isFermixError } from "../kernel/error.ts";
import { profileOf } from "../plugins/readiness.ts";
import type { Host } from "./host.ts";
import { sessionOf } from "./standing.ts";

/** How long before its end a token is refreshed (spec 8.3). */
const MARGIN_MS = 5 * 60_000;
/** A timer knows nothing of a clock that was set, or of a machine that slept, and of nothing longer than 24 days. */
const LONGEST_SLEEP_MS = 10 * 60_000;

/** A sign-in that is watched; `credential` tells whether another token has come since. */
interface Watched {
  readonly credential: Credential;
  readonly stop: AbortController;
}

/**
 * Refreshes each served plugin's sign-in five minutes before its token ends, once for each token: after a failure the
 * token stays, and its next use tries again. A token that had no five minutes left when it was first seen is left to its
 * use; a model provider's, which nothing here uses, is refreshed at once. Returns the way to stop, which resolves when no
 * refresh is under way.
 */
export function keepFresh(host: Host): () => Promise<void> {
  const watched = new Map<string, Watched>();
  const flights = new Set<Promise<void>>();
  let stopped = false;
  const watch = (plugin: TokenPlugin): void => {
    const now = usableSignIn(host, plugin);
    const before = watched.get(plugin.profile);
    if (now !== undefined && before?.credential.equals(now.grant.credential) === true) return;
    before?.stop.abort();
    watched.delete(plugin.profile);
    if (now === undefined) return;
    const stop = new AbortController();
    watched.set(plugin.profile, { credential: now.grant.credential, stop });
    const due = dueAt(plugin, now.entry, host.app.ports.clock.now(), before === undefined);
    if (due === undefined) return;
    const flight = refreshInTime(host, plugin, { ...now.entry, due }, stop.signal).finally(() =>
      flights.delete(flight),
    );
    flights.add(flight);
  };
  const look = async (): Promise<void> => {
    const plugins = await servedSignIns(host);
    if (stopped || plugins === undefined) return;
    for (const plugin of plugins.values()) watch(plugin);
    for (const [profile, { stop }] of watched) {
      if (plugins.has(profile)) continue;
      stop.abort();
      watched.delete(profile);
    }
  };
  // One look at a time, and one more after it for whatever changed meanwhile.
  let looking = Promise.resolve();
  let asked = false;
  const lookAgain = (): void => {
    if (asked || stopped) return;
    asked = true;
    looking = looking.then(() => {
      asked = false;
      return look();
    });
  };
  host.onChange(lookAgain);
  lookAgain();
  return async () => {
    stopped = true;
    await looking;
    for (const { stop } of watched.values()) stop.abort();
    await Promise.all(flights);
  };
}

/**
 * When the token is to be refreshed, in Unix milliseconds; undefined: never, or not ahead of its use. A model provider
 * whose tokens live for less than the margin is asked once, not again for each of them.
 */
function dueAt(
  plugin: TokenPlugin,
  { refreshToken, expiresAt }: SignInEntry,
  now: number,
  firstSeen: boolean,
): number | undefined {
  if (refreshToken === undefined || expiresAt === undefined) return undefined;
  const due = expiresAt - MARGIN_MS;
  return due > now || (firstSeen && refreshedModels.includes(plugin)) ? due : undefined;
}

async function refreshInTime(
  host: Host,
  plugin: TokenPlugin,
  { accessToken, due }: Pick<SignInEntry, "accessToken"> & { readonly due: number },
  stop: AbortSignal,
): Promise<void> {
  const { ports, home } = host.app;
  while (ports.clock.now() < due) {
    const left = Math.min(due - ports.clock.now(), LONGEST_SLEEP_MS);
    await ports.clock.sleep(left, stop).catch(() => undefined);
    if (stop.aborted) return;
  }
  const { refreshSignIn } = await import("../auth/refresh-sign-in.ts");
  try {
    await refreshSignIn({ ports, home }, plugin, accessToken);
  } catch (error) {
    if (!isFermixError(error)) throw error;
    ports.log.write("warn", "refresh_failed", { profile: plugin.profile, code: error.code });
  }
}

/** The sign-ins of the plugins that serve now and of model providers, by profile; undefined while config.toml cannot be read. */
async function servedSignIns(host: Host): Promise<ReadonlyMap<string, TokenPlugin> | undefined> {
  try {
    const { settings } = (await readConfig(host.app.home)).plugins;
    const served = host.plugins().flatMap((hosted): TokenPlugin[] => {
      const manifest = hosted.plugin?.manifest;
      if (manifest?.auth.type !== "oauth2" || sessionOf(hosted) === undefined) return [];
      const profile = profileOf(manifest, settings.get(manifest.name) ?? new Map());
      return [{ name: manifest.name, auth: manifest.auth, profile }];
    });
    return new Map([...served, ...refreshedModels].map((plugin) => [plugin.profile, plugin]));
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return undefined;
  }
}

/** Signed out, ended or unreadable: there is nothing to refresh, and whoever uses it is told why. */
function usableSignIn({ app }: Host, plugin: TokenPlugin): SignedIn | undefined {
  try {
    return signedIn(app.home, plugin);
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return undefined;
  }
}
