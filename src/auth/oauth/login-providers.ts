/** What each provider's sign-in page wants and where it sends the browser back to (spec 8.2, DECISIONS 29). */
import { findProvider, type OAuthProvider } from "../oauth-providers.ts";

export interface LoginProvider {
  /** Its token endpoint and the ways it has there. */
  readonly tokens: OAuthProvider;
  /** As people call it. */
  readonly name: string;
  readonly authorizationEndpoint: string;
  /** Who is signed in; undefined where the provider has no such page. */
  readonly userinfoEndpoint: string | undefined;
  /** The host as the provider knows it: the redirect URI is compared letter by letter. The listener is on 127.0.0.1. */
  readonly redirectHost: "127.0.0.1" | "localhost";
  readonly redirectPath: string;
  /** The first that is free is used. One alone is the one registered with the provider, and there is no other. */
  readonly ports: readonly number[];
  /** Members of the address beside those of RFC 6749 and RFC 7636. */
  readonly extras: Readonly<Record<string, string>>;
  /** The member that names the account to sign in with. */
  readonly accountParameter: string | undefined;
  /** Where its users take an access back, which signing out here does not do. */
  readonly revokeAt: string | undefined;
  /** Whether a nonce goes into the address. */
  readonly nonce: boolean;
  /** Whether the token endpoint wants the code challenge once more. */
  readonly echoChallenge: boolean;
  /** Whether the provider says for certain which issuer it names in a callback, so that no other may be there. */
  readonly exactIssuer: boolean;
}

const USUAL = {
  userinfoEndpoint: undefined,
  redirectHost: "127.0.0.1",
  redirectPath: "/auth/callback",
  extras: {},
  accountParameter: undefined,
  revokeAt: undefined,
  nonce: false,
  echoChallenge: false,
  exactIssuer: false,
} as const;

const pages: Readonly<Record<string, Omit<LoginProvider, "tokens">>> = {
  google: {
    ...USUAL,
    name: "Google",
    authorizationEndpoint: "https://accounts.google.com/o/oauth2/v2/auth",
    revokeAt: "https://myaccount.google.com/connections",
    userinfoEndpoint: "https://openidconnect.googleapis.com/v1/userinfo",
    ports: [1455, 1470, 1471, 1472, 1473, 1474],
    extras: { access_type: "offline", prompt: "consent" },
    accountParameter: "login_hint",
    exactIssuer: true,
  },
  github: {
    ...USUAL,
    name: "GitHub",
    authorizationEndpoint: "https://github.com/login/oauth/authorize",
    revokeAt: "https://github.com/settings/applications",
    userinfoEndpoint: "https://api.github.com/user",
    // Of the five next to it, those that belong to no other provider (AUTH-9).
    ports: [1457, 1460, 1461, 1462],
    accountParameter: "login",
    exactIssuer: true,
  },
  notion: {
    ...USUAL,
    name: "Notion",
    authorizationEndpoint: "https://api.notion.com/v1/oauth/authorize",
    redirectHost: "localhost",
    ports: [1458],
    extras: { owner: "user" },
  },
  x: {
    ...USUAL,
    name: "X",
    authorizationEndpoint: "https://x.com/i/oauth2/authorize",
    revokeAt: "https://x.com/settings/connected_apps",
    ports: [1459],
  },
  openai_codex: {
    ...USUAL,
    name: "OpenAI",
    authorizationEndpoint: "https://auth.openai.com/oauth/authorize",
    redirectHost: "localhost",
    ports: [1455],
    extras: { codex_cli_simplified_flow: "true", id_token_add_organizations: "true" },
  },
  xai_oauth: {
    ...USUAL,
    name: "xAI",
    authorizationEndpoint: "https://auth.x.ai/oauth2/authorize",
    redirectPath: "/callback",
    ports: [56121, 56122, 56123, 56124, 56125, 56126],
    extras: { plan: "generic" },
    nonce: true,
    echoChallenge: true,
  },
};

/** How a provider signs somebody in; undefined for one that Fermix does not know or whose page it does not open. */
export function findLoginProvider(id: string): LoginProvider | undefined {
  const tokens = findProvider(id);
  const page = Object.hasOwn(pages, id) ? pages[id] : undefined;
  return tokens === undefined || page === undefined ? undefined : { tokens, ...page };
}
