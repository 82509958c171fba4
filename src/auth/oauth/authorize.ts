/** Makes the address of a provider's sign-in page, and the one-time values that bind its answer to this attempt. */
import type { Random } from "../../kernel/ports.ts";
import type { LoginProvider } from "./login-providers.ts";

/** Spec 8.2. */
const VERIFIER_BYTES = 64;
const STATE_BYTES = 24;

export interface AttemptSecrets {
  readonly state: string;
  readonly verifier: string;
  readonly nonce: string;
  /** What the verifier becomes by S256 (RFC 7636). */
  challenge(): Promise<string>;
}

export function freshSecrets(random: Random): AttemptSecrets {
  const verifier = base64url(random, VERIFIER_BYTES);
  return {
    state: base64url(random, STATE_BYTES),
    nonce: base64url(random, STATE_BYTES),
    verifier,
    challenge: async () => (await import("oauth4webapi")).calculatePKCECodeChallenge(verifier),
  };
}

interface Asked {
  readonly provider: LoginProvider;
  readonly client: { readonly id: string };
  readonly scopes: readonly string[];
  readonly account?: string | undefined;
}

/** The address (RFC 6749 section 4.1.1 with RFC 7636, and the provider's own members). */
export async function authorizationUrl(asked: Asked, redirectUri: string, secrets: AttemptSecrets): Promise<string> {
  const { provider, client, scopes, account } = asked;
  const hint = provider.accountParameter;
  const url = new URL(provider.authorizationEndpoint);
  url.search = new URLSearchParams({
    response_type: "code",
    client_id: client.id,
    redirect_uri: redirectUri,
    ...(scopes.length === 0 ? {} : { scope: scopes.join(" ") }),
    state: secrets.state,
    code_challenge: await secrets.challenge(),
    code_challenge_method: "S256",
    ...(provider.nonce ? { nonce: secrets.nonce } : {}),
    ...(hint === undefined || account === undefined ? {} : { [hint]: account }),
    ...provider.extras,
  })
    .toString()
    // A plus means a space only to who reads the query as a form.
    .replaceAll("+", "%20");
  return url.href;
}

function base64url(random: Random, bytes: number): string {
  return Buffer.from(random.hex(bytes), "hex").toString("base64url");
}
