/** Finds the OAuth client that the operator configured for a provider: its id and its secret (spec 8.5, DECISIONS 25). */
import type { Config } from "../config/config.ts";
import { isSentinel } from "../config/sentinel.ts";
import type { Keychain } from "../kernel/ports.ts";
import { keychainItem, readKeychain } from "./keychain-item.ts";
import { standIn } from "./stand-in.ts";

/** The client of one provider. Its secret goes nowhere but into a request to the provider's token endpoint. */
export interface OAuthClient {
  readonly id: string;
  readonly secret: string;
}

/**
 * The client, undefined when its id or its secret is blank, missing or only a stand-in. The keychain is asked only
 * where config.toml holds the sentinel. Throws keychain_locked, keychain_unavailable and keychain_timed_out.
 */
export async function readClient(
  { keychain }: { readonly keychain: Keychain },
  config: Config,
  provider: string,
): Promise<OAuthClient | undefined> {
  const { clientId, clientSecret } = config.oauth.get(provider) ?? {};
  const id = clientId?.trim() ?? "";
  if (id === "" || clientSecret === undefined) return undefined;
  const stored = isSentinel(clientSecret)
    ? await readKeychain(keychain, [keychainItem(config.profile, clientSecretItem(provider))])
    : clientSecret;
  // Spaces are kept, and one line end goes that files and pipes add (DECISIONS 27).
  const secret = stored?.replace(/\r?\n$/, "") ?? "";
  return secret.trim() === "" || standIn(secret) !== undefined ? undefined : { id, secret };
}

/** The keychain item of a provider's client secret, such as `X_OAUTH_CLIENT_SECRET`. */
export function clientSecretItem(provider: string): string {
  return `${provider.toUpperCase().replaceAll("-", "_")}_OAUTH_CLIENT_SECRET`;
}
