/** What Fermix knows about each OAuth provider's token endpoint (spec 8.2), and how each says that a grant or a client is refused. */

export interface OAuthProvider {
  readonly id: string;
  readonly issuer: string;
  readonly tokenEndpoint: string;
  /** How the client proves itself: its id and secret in the body, HTTP Basic, or not at all (a public client). */
  readonly clientAuth: "post" | "basic" | "none";
  /** How the request's parameters are written: Notion documents JSON, everybody else the form of RFC 6749. */
  readonly body: "form" | "json";
  /** What stands between the scopes in an answer. */
  readonly scopeDelimiter: " " | ",";
  /** Error codes, beside RFC 6749's, that mean: this refresh token is worth nothing any more. */
  readonly endedCodes: readonly string[];
  /** Error codes, beside RFC 6749's, that mean: it is the client that is refused. */
  readonly clientCodes: readonly string[];
  /** Where a general code means an ended grant only with this description. */
  readonly endedDescription: { readonly code: string; readonly says: RegExp } | undefined;
}

const USUAL = {
  clientAuth: "post",
  body: "form",
  scopeDelimiter: " ",
  endedCodes: [],
  clientCodes: [],
  endedDescription: undefined,
} as const;

const providers: readonly OAuthProvider[] = [
  {
    ...USUAL,
    id: "google",
    issuer: "https://accounts.google.com",
    tokenEndpoint: "https://oauth2.googleapis.com/token",
    clientCodes: ["deleted_client", "disabled_client"],
  },
  {
    ...USUAL,
    id: "github",
    issuer: "https://github.com/login/oauth",
    tokenEndpoint: "https://github.com/login/oauth/access_token",
    scopeDelimiter: ",",
    endedCodes: ["bad_refresh_token"],
    clientCodes: ["incorrect_client_credentials"],
  },
  {
    ...USUAL,
    id: "notion",
    issuer: "https://api.notion.com",
    tokenEndpoint: "https://api.notion.com/v1/oauth/token",
    clientAuth: "basic",
    body: "json",
  },
  {
    ...USUAL,
    id: "x",
    issuer: "https://x.com",
    tokenEndpoint: "https://api.x.com/2/oauth2/token",
    clientAuth: "basic",
    // X answers a refresh token that was used before as if the request were malformed.
    endedDescription: { code: "invalid_request", says: /\btoken was invalid\b/i },
  },
  {
    ...USUAL,
    id: "openai_codex",
    issuer: "https://auth.openai.com",
    tokenEndpoint: "https://auth.openai.com/oauth/token",
    clientAuth: "none",
    endedCodes: ["refresh_token_reused", "refresh_token_expired", "refresh_token_invalidated"],
  },
  {
    ...USUAL,
    id: "xai_oauth",
    issuer: "https://auth.x.ai",
    tokenEndpoint: "https://auth.x.ai/oauth2/token",
    clientAuth: "none",
  },
];

/** The provider of this id; undefined for one that Fermix does not know. */
export function findProvider(id: string): OAuthProvider | undefined {
  return providers.find((provider) => provider.id === id);
}
