/** Puts sign-ins into a home's auth.json as a login would leave them (spec 8.1): mode 0600, others' entries kept. */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { replaceFile } from "./replace-file.ts";

/** What a test wants of one sign-in; everything else is as a fresh login leaves it. */
export interface SignInGiven {
  readonly accessToken?: string;
  /** null: the provider gave none, as GitHub's OAuth apps do. */
  readonly refreshToken?: string | null;
  /** Seconds from now until the access token ends, negative when it has ended; null: never. Default one hour. */
  readonly endsInSeconds?: number | null;
  /** As the provider granted them; default: not recorded. */
  readonly grantedScopes?: readonly string[];
  readonly status?: string;
  readonly provider?: string;
  readonly region?: string;
  readonly account?: Readonly<Record<string, string>>;
  /** Further members of the entry, or other values for the ones above. */
  readonly more?: Readonly<Record<string, unknown>>;
}

const HOUR_S = 3600;

type Entry = Readonly<Record<string, unknown>>;

interface AuthDocument {
  readonly version: 2;
  readonly providers: Record<string, Entry>;
}

/**
 * Writes the sign-in of one profile (`gmail:primary`) into `<home>/auth.json`; `home` is the folder itself. `nowMs` is
 * for tests whose clock is not the real one.
 */
export function placeSignIn(home: string, profile: string, given: SignInGiven = {}, nowMs = Date.now()): void {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const path = join(home, "auth.json");
  const file: AuthDocument = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : { version: 2, providers: {} };
  file.providers[profile] = entryOf(given, nowMs);
  replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

/** Takes the sign-in of a profile out, as a logout would. */
export function removeSignIn(home: string, profile: string): void {
  const path = join(home, "auth.json");
  const file: AuthDocument = JSON.parse(readFileSync(path, "utf8"));
  delete file.providers[profile];
  replaceFile(path, `${JSON.stringify(file, null, 2)}\n`);
}

/** The entry as it is on disk now; undefined when there is none. */
export function signInOnDisk(home: string, profile: string): Readonly<Record<string, unknown>> | undefined {
  const file = JSON.parse(readFileSync(join(home, "auth.json"), "utf8")) as AuthDocument;
  return file.providers[profile];
}

function entryOf(given: SignInGiven, nowMs: number): Entry {
  const { endsInSeconds = HOUR_S } = given;
  return {
    auth_mode: "oauth2",
    tokens: {
      access_token: given.accessToken ?? "test-access-token-1",
      refresh_token: given.refreshToken === undefined ? "test-refresh-token-1" : given.refreshToken,
    },
    expires_at: endsInSeconds === null ? null : new Date(nowMs + endsInSeconds * 1000).toISOString(),
    last_refresh: new Date(nowMs).toISOString(),
    ...(given.provider === undefined ? {} : { provider: given.provider }),
    ...(given.account === undefined ? {} : { account: given.account }),
    ...(given.grantedScopes === undefined ? {} : { granted_scopes: given.grantedScopes }),
    ...(given.region === undefined ? {} : { region: given.region }),
    status: given.status ?? "ready",
    ...given.more,
  };
}
