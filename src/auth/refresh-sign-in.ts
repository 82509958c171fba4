/** Refreshes a sign-in once, however many processes ask: one flight in each, and one profile lock among them (spec 8.1, 8.3). */
import { readConfig } from "../config/read.ts";
import type { Home } from "../files/home.ts";
import { FermixError, never } from "../kernel/error.ts";
import { isJsonObject, type JsonObject } from "../kernel/json.ts";
import type { Ports } from "../kernel/ports.ts";
import { withProfileLock } from "./auth-file-lock.ts";
import { changeEntry, rehearseChange } from "./change-entry.ts";
import { publicClient } from "./models/model-providers.ts";
import { readClient } from "./oauth-client.ts";
import { findProvider, type OAuthProvider } from "./oauth-providers.ts";
import { type NewTokens, requestTokens, type TokenAnswer } from "./request-tokens.ts";
import { readEntry, UNANSWERED_KEY } from "./sign-in-entry.ts";
import { isAlive, type SignedIn, signedInAnew, type TokenPlugin } from "./signed-in.ts";

export interface RefreshDeps {
  readonly ports: Pick<Ports, "clock" | "dns" | "http" | "keychain" | "log">;
  readonly home: Home;
}

/** Refreshes under way in this process, by file and profile. */
const underWay = new Map<string, Promise<SignedIn>>();
/** Tokens that the provider gave and the disk did not take, by file and the refresh token that is used up. */
const unsaved = new Map<string, NewTokens>();

/**
 * The sign-in with another access token than `stale` (DECISIONS 30):
 * 1. take the profile's lock               Fail: profile_busy; nothing was asked
 * 2. read the entry again                  Fail: gone means signed out; another token means that it is done already
 * 3. find provider and client              Fail: named; nothing was asked
 * 4. see that auth.json can be written     Fail: named; nothing was asked
 * 5. ask the provider                      Fail: `ended` marks the entry; every other failure leaves it
 * 6. store, where the entry is still the one that was refreshed
 * 7. read the entry again, and use what it holds
 * Throws not_connected (signed out meanwhile),
 * reauthorization_required, oauth_client_missing, oauth_client_rejected, token_refresh_failed, sign_in_unusable,
 * profile_busy, or what keychain and disk have against it.
 */
export async function refreshSignIn(deps: RefreshDeps, plugin: TokenPlugin, stale: string): Promise<SignedIn> {
  const key = flightKey(deps.home, plugin);
  const running = underWay.get(key);
  if (running !== undefined) return await running;
  const flight = withProfileLock(deps.ports, deps.home, plugin.profile, () => refreshLocked(deps, plugin, stale));
  underWay.set(key, flight);
  try {
    return await flight;
  } finally {
    underWay.delete(key);
  }
}

/** Resolves when this process refreshes that sign-in no longer, however its refresh went. */
export async function refreshSettled(home: Home, plugin: TokenPlugin): Promise<void> {
  await underWay.get(flightKey(home, plugin))?.catch(() => undefined);
}

function flightKey(home: Home, { profile }: TokenPlugin): string {
  return `${home.authFile}\n${profile}`;
}

async function refreshLocked(deps: RefreshDeps, plugin: TokenPlugin, stale: string): Promise<SignedIn> {
  const { ports, home } = deps;
  const before = signedInAnew(home, plugin);
  if (before.entry.accessToken !== stale && isAlive(before.entry, ports.clock.now())) return before;
  const { refreshToken } = before.entry;
  if (refreshToken === undefined) throw new FermixError("reauthorization_required", { plugin: plugin.name });
  const provider = findProvider(plugin.auth.provider);
  if (provider === undefined) throw unknownProvider(plugin);
  const answer = await ask(deps, plugin, provider, refreshToken);
  const level = answer.kind === "granted" ? "info" : "warn";
  ports.log.write(level, "refresh", { profile: plugin.profile, outcome: answer.kind });
  switch (answer.kind) {
    case "granted":
      unsaved.set(spent(home, refreshToken), answer.tokens);
      await store(deps, plugin, refreshToken, (raw) => refreshed(raw, answer.tokens, ports.clock.now()));
      unsaved.delete(spent(home, refreshToken));
      return signedInAnew(home, plugin);
    case "ended":
      await store(deps, plugin, refreshToken, (raw) => ({ ...raw, status: "reauthorization_required" }));
      return ofAnother(deps, plugin, refreshToken);
    case "client_rejected":
      throw new FermixError("oauth_client_rejected", {
        plugin: plugin.name,
        provider: provider.id,
        reason: answer.reason,
      });
    case "failed":
      throw failed(plugin, answer.reason);
    case "unanswered":
      if (before.entry.unansweredSince !== undefined) {
        throw new FermixError("reauthorization_required", { plugin: plugin.name });
      }
      await store(deps, plugin, refreshToken, (raw) => ({ ...raw, [UNANSWERED_KEY]: isoTime(ports.clock.now()) }));
      throw failed(plugin, answer.reason);
    default:
      return never(answer);
  }
}

async function ask(
  deps: RefreshDeps,
  plugin: TokenPlugin,
  provider: OAuthProvider,
  refreshToken: string,
): Promise<TokenAnswer> {
  const { ports, home } = deps;
  const kept = unsaved.get(spent(home, refreshToken));
  if (kept !== undefined) return { kind: "granted", tokens: kept };
  const config = await readConfig(home);
  const client = publicClient(config, provider.id) ?? (await readClient(ports, config, provider.id));
  if (client === undefined) {
    throw new FermixError("oauth_client_missing", { plugin: plugin.name, provider: provider.id });
  }
  await rehearseChange(ports, home);
  return await requestTokens(ports, {
    provider,
    client,
    grant: { kind: "refresh", refreshToken },
    network: config.network,
  });
}

/** Changes the entry only while it holds the refresh token that was sent: a sign-out or a new sign-in goes before. */
async function store(
  { ports, home }: RefreshDeps,
  { profile }: TokenPlugin,
  sent: string,
  change: (raw: JsonObject) => JsonObject,
): Promise<void> {
  await changeEntry(ports, home, profile, (raw) => {
    const read = readEntry(raw);
    return read.ok && read.entry.refreshToken === sent && isJsonObject(raw) ? change(raw) : undefined;
  });
}

function refreshed(raw: JsonObject, tokens: NewTokens, now: number): JsonObject {
  const { [UNANSWERED_KEY]: _answered, ...entry } = raw;
  const { accessToken, refreshToken, expiresAt, scopes } = tokens;
  const old = isJsonObject(raw["tokens"]) ? raw["tokens"] : {};
  return {
    ...entry,
    tokens: {
      ...old,
      access_token: accessToken,
      ...(refreshToken === undefined ? {} : { refresh_token: refreshToken }),
    },
    expires_at: expiresAt === undefined ? null : isoTime(expiresAt),
    last_refresh: isoTime(now),
    ...(scopes === undefined ? {} : { granted_scopes: scopes }),
    // A missing key would leave the old word there (spec 8.1).
    status: "ready",
  };
}

/** After a refusal: whoever lost a race finds the winner's token in the file, everybody else that the grant has ended. */
function ofAnother({ home }: RefreshDeps, plugin: TokenPlugin, sent: string): SignedIn {
  const now = signedInAnew(home, plugin);
  if (now.entry.refreshToken !== sent) return now;
  throw new FermixError("reauthorization_required", { plugin: plugin.name });
}

function spent(home: Home, refreshToken: string): string {
  return `${home.authFile}\n${refreshToken}`;
}

function failed({ name, auth }: TokenPlugin, reason: string): FermixError {
  return new FermixError("token_refresh_failed", { plugin: name, provider: auth.provider, reason });
}

function unknownProvider({ name, profile, auth }: TokenPlugin): FermixError {
  const reason = `it has to be refreshed, and Fermix does not know how ${JSON.stringify(auth.provider)} does that`;
  return new FermixError("sign_in_unusable", { plugin: name, profile, reason });
}

function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
