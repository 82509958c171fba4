/** Writes a fresh sign-in into auth.json, and takes one out of it (spec 8.1). */
import { ensureHome } from "../files/ensure-home.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import { isJsonObject, type JsonObject } from "../kernel/json.ts";
import type { Ports } from "../kernel/ports.ts";
import { withProfileLock } from "./auth-file-lock.ts";
import { changeEntry, rehearseChange } from "./change-entry.ts";
import { UNANSWERED_KEY } from "./sign-in-entry.ts";

/** Longer than the longest refresh: somebody went to a browser for this one, and its code is spent. */
const STORE_ATTEMPTS = 700;

/** A sign-in to be kept. */
export interface NewSignIn {
  /** `oauth2` for a plugin's; see spec 8.1 for the model providers'. */
  readonly authMode: string;
  readonly provider: string;
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Unix time in milliseconds; undefined: it does not end by itself. */
  readonly expiresAt: number | undefined;
  readonly scopes: readonly string[];
  readonly account: JsonObject | undefined;
}

/**
 * Makes sure that a sign-in could be stored now, before anybody is sent to a browser for one. A file that is no auth.json
 * is put aside, as by a write. Throws auth_file_malformed, auth_file_exposed, auth_file_unusable, auth_file_busy,
 * disk_full or home_unusable.
 */
export async function prepareToStore(ports: Pick<Ports, "clock">, home: Home, profile: string): Promise<void> {
  await ensureHome(home);
  await changeEntry(ports, home, profile, () => undefined);
  await rehearseChange(ports, home);
}

/** What belongs to a change and is written elsewhere, before anybody else may sign in or out. */
type AndThen = () => Promise<void>;

/**
 * Puts the sign-in in place of the profile's old one, while nobody refreshes it. Keys that Fermix does not know stay, and
 * so does the region; nothing of the old grant does. Throws profile_busy, what `prepareToStore` throws, and what `andThen`
 * throws, the sign-in being stored by then.
 */
export async function storeSignIn(
  ports: Pick<Ports, "clock">,
  home: Home,
  profile: string,
  signIn: NewSignIn,
  andThen?: AndThen,
): Promise<void> {
  const entry = (raw: unknown) => entryOf(isJsonObject(raw) ? raw : {}, signIn, ports.clock.now());
  const store = async () => {
    await changeEntry(ports, home, profile, entry);
    await andThen?.();
  };
  await withProfileLock(ports, home, profile, store, STORE_ATTEMPTS);
}

/**
 * Takes the profile's entry out of the file, while nobody refreshes it; false when there was none. Nobody is told at the
 * provider's. Throws as `storeSignIn`.
 */
export async function removeSignIn(
  ports: Pick<Ports, "clock">,
  home: Home,
  profile: string,
  andThen?: AndThen,
): Promise<boolean> {
  if (andThen === undefined && !isThere(home.root)) return false;
  let removed = false;
  await withProfileLock(ports, home, profile, async () => {
    await changeEntry(ports, home, profile, (raw) => {
      removed = raw !== undefined;
      return removed ? "remove" : undefined;
    });
    await andThen?.();
  });
  return removed;
}

/** What another account's sign-in must not inherit: its tokens, its name, its scopes, and what went wrong with it. */
const OF_THE_GRANT: readonly string[] = ["tokens", "account", "granted_scopes", UNANSWERED_KEY];

function entryOf(old: JsonObject, signIn: NewSignIn, now: number): JsonObject {
  const kept = Object.fromEntries(Object.entries(old).filter(([key]) => !OF_THE_GRANT.includes(key)));
  const { authMode, provider, accessToken, refreshToken, expiresAt, scopes, account } = signIn;
  return {
    ...kept,
    auth_mode: authMode,
    provider,
    tokens: { access_token: accessToken, refresh_token: refreshToken ?? null },
    expires_at: expiresAt === undefined ? null : new Date(expiresAt).toISOString(),
    last_refresh: new Date(now).toISOString(),
    ...(account === undefined ? {} : { account }),
    ...(scopes.length === 0 ? {} : { granted_scopes: scopes }),
    status: "ready",
  };
}
