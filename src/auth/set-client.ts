/** Stores the OAuth client that the operator registered with a provider: its secret in the keychain, its id in config.toml (DECISIONS 28). */
import { setOauthClient } from "../config/edit-secrets.ts";
import { readConfig } from "../config/read.ts";
import { isSentinel } from "../config/sentinel.ts";
import type { Home } from "../files/home.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";
import { keychainItem } from "./keychain-item.ts";
import { callbackOf, redirectUri } from "./oauth/callback.ts";
import { findLoginProvider, type LoginProvider } from "./oauth/login-providers.ts";
import { clientSecretItem } from "./oauth-client.ts";
import { withSecretLock } from "./secret-lock.ts";
import { storeSecret } from "./store-secret.ts";

export interface ClientDeps {
  readonly ports: Pick<Ports, "clock" | "keychain">;
  readonly home: Home;
}

export interface ClientGiven {
  readonly provider: string;
  readonly id: string;
  /** Asks for the secret; called once, when it is certain that it could be taken. */
  readonly readSecret: (provider: LoginProvider) => Promise<string>;
  /** Somebody is there to unlock the keychain. */
  readonly unlock?: boolean;
}

export interface ClientSet {
  readonly provider: LoginProvider;
  readonly id: string;
  readonly outcome: "stored" | "unchanged" | "left_in_clear";
  /** What to register with the provider, the one that is used first in front. */
  readonly redirectUris: readonly [string, ...string[]];
}

/** Those whose sign-in needs a client of the operator's own; the others are public clients (DECISIONS 28). */
const REGISTERED = ["google", "github", "notion", "x"] as const;
/** Whoever types it chooses its length; the providers' own have some dozens of characters. */
const MAX_ID_BYTES = 512;

/**
 * Stores the client. Throws, with nothing changed, client_provider_unknown, client_id_unusable, login_host_unusable, what
 * `readSecret` and the keychain throw (KCH-2) and secrets_busy; then what an edit of config.toml throws.
 */
export async function setClient({ ports, home }: ClientDeps, given: ClientGiven): Promise<ClientSet> {
  const provider = providerOf(given.provider);
  const id = given.id.trim();
  if (id === "" || Buffer.byteLength(id) > MAX_ID_BYTES || !/^[\x21-\x7e]+$/.test(id)) {
    throw new FermixError("client_id_unusable", { provider: given.provider });
  }
  const before = await readConfig(home);
  const configured = before.oauth.get(given.provider);
  const callback = callbackOf(provider, configured);
  const [first = 0, ...others] = callback.ports;
  const redirectUris = [redirectUri(callback, first), ...others.map((port) => redirectUri(callback, port))] as const;
  const secret = await given.readSecret(provider);
  const item = keychainItem(before.profile, clientSecretItem(given.provider));
  const unlock = given.unlock === true ? { unlock: true } : {};
  const outcome = await withSecretLock(ports, home, async () => {
    const stored = await storeOrLeave(async () => await storeSecret(ports.keychain, item, secret, unlock), {
      inClear: !isSentinel(configured?.clientSecret) && configured?.clientSecret === secret,
    });
    const where = stored === "left_in_clear" ? "as_it_is" : "in_keychain";
    await setOauthClient(ports, home, given.provider, { id, secret: where });
    return stored;
  });
  return { provider, id, outcome, redirectUris };
}

/** A secret that lies in clear already and did not change is left there where no keychain takes it (KCH-2). */
async function storeOrLeave(
  store: () => Promise<boolean>,
  { inClear }: { readonly inClear: boolean },
): Promise<ClientSet["outcome"]> {
  try {
    return (await store()) ? "stored" : "unchanged";
  } catch (error) {
    if (inClear && isFermixError(error, "keychain_unavailable")) return "left_in_clear";
    throw error;
  }
}

function providerOf(id: string): LoginProvider {
  const provider = REGISTERED.some((known) => known === id) ? findLoginProvider(id) : undefined;
  if (provider === undefined) throw new FermixError("client_provider_unknown", { known: REGISTERED });
  return provider;
}
