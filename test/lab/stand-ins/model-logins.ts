/**
 * The sign-in pages and token endpoints of OpenAI Codex and xAI, as their own command lines use them, and xAI's list of
 * models (docs.x.ai/docs/api-reference). What these have not documented is as RFC 6749 and RFC 7636 have it.
 */
import { createHash } from "node:crypto";
import { json, type StandIn } from "../stand-in.ts";

interface Page {
  readonly clientId: string;
  readonly authorizePath: string;
  readonly tokenPath: string;
  readonly redirect: RegExp;
  readonly scope: string;
  readonly extras: Readonly<Record<string, string>>;
  readonly nonce: boolean;
  /** Whether the token request has to carry the challenge again. */
  readonly echo: boolean;
}

const PAGES: Readonly<Record<string, Page>> = {
  "auth.openai.com": {
    clientId: "app_EMoamEEZ73f0CkXaXp7hrann",
    authorizePath: "/oauth/authorize",
    tokenPath: "/oauth/token",
    redirect: /^http:\/\/localhost:1455\/auth\/callback$/,
    scope: "openid profile email offline_access",
    extras: { codex_cli_simplified_flow: "true", id_token_add_organizations: "true" },
    nonce: false,
    echo: false,
  },
  "auth.x.ai": {
    clientId: "b1a00492-073a-47ea-816f-4c329264a828",
    authorizePath: "/oauth2/authorize",
    tokenPath: "/oauth2/token",
    redirect: /^http:\/\/127\.0\.0\.1:\d+\/callback$/,
    scope: "openid profile email offline_access grok-cli:access api:access",
    extras: { plan: "generic" },
    nonce: true,
    echo: true,
  },
};

interface Attempt {
  readonly host: string;
  readonly challenge: string;
  readonly redirectUri: string;
  readonly nonce: string | null;
}

/** By code; each is good once. */
const attempts = new Map<string, Attempt>();

const refused = (error: string, error_description: string): Response => json({ error, error_description }, 400);

function authorize(host: string, page: Page, { searchParams: given }: URL): Response {
  const wanted: Record<string, string | RegExp> = {
    response_type: "code",
    client_id: page.clientId,
    redirect_uri: page.redirect,
    scope: page.scope,
    state: /^[\w-]{32}$/,
    code_challenge: /^[\w-]{43}$/,
    code_challenge_method: "S256",
    ...(page.nonce ? { nonce: /^[\w-]{32}$/ } : {}),
    ...page.extras,
  };
  const wrong = mismatch(wanted, given);
  if (wrong !== undefined) return refused("invalid_request", wrong);
  const code = `code-${attempts.size + 1}`;
  const redirectUri = given.get("redirect_uri") ?? "";
  attempts.set(code, { host, challenge: given.get("code_challenge") ?? "", redirectUri, nonce: given.get("nonce") });
  const location = `${redirectUri}?${new URLSearchParams({ code, state: given.get("state") ?? "" })}`;
  return new Response(null, { status: 302, headers: { location } });
}

function mismatch(wanted: Readonly<Record<string, string | RegExp>>, given: URLSearchParams): string | undefined {
  const unknown = [...given.keys()].find((name) => !(name in wanted) || given.getAll(name).length > 1);
  if (unknown !== undefined) return `unknown or repeated ${unknown}`;
  const wrong = Object.entries(wanted).find(([name, value]) => {
    const got = given.get(name) ?? "";
    return typeof value === "string" ? got !== value : !value.test(got);
  });
  return wrong === undefined ? undefined : `wrong ${wrong[0]}`;
}

async function token(host: string, page: Page, request: Request): Promise<Response> {
  if (request.headers.has("authorization")) return refused("invalid_client", "a public client has no secret");
  const given = new URLSearchParams(await request.text());
  const code = given.get("code") ?? "";
  const attempt = attempts.get(code);
  attempts.delete(code);
  if (attempt === undefined || attempt.host !== host) return refused("invalid_grant", "unknown code");
  const wanted = {
    grant_type: "authorization_code",
    client_id: page.clientId,
    code,
    redirect_uri: attempt.redirectUri,
    code_verifier: /^[\w-]{86}$/,
    ...(page.echo ? { code_challenge: attempt.challenge, code_challenge_method: "S256" } : {}),
  };
  const wrong = mismatch(wanted, given);
  if (wrong !== undefined) return refused("invalid_request", wrong);
  const hash = createHash("sha256")
    .update(given.get("code_verifier") ?? "")
    .digest("base64url");
  return hash === attempt.challenge ? json(tokens(page, attempt)) : refused("invalid_grant", "PKCE failed");
}

/** OpenAI tells the end of a token in the token itself, xAI beside it. */
function tokens(page: Page, { nonce }: Attempt): unknown {
  const id = jwt({ aud: page.clientId, sub: "user-1", email: "ada@example.com", ...(nonce === null ? {} : { nonce }) });
  if (page.nonce) {
    const rest = { token_type: "Bearer", expires_in: 21_600, scope: page.scope };
    return { access_token: "lab-xai-access-canary", refresh_token: "lab-xai-refresh-canary", id_token: id, ...rest };
  }
  const access = jwt({ exp: 4_000_000_000, sub: "user-1" });
  return { access_token: access, refresh_token: "lab-codex-refresh-canary", id_token: id, token_type: "Bearer" };
}

function jwt(claims: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "none" })}.${part(claims)}.sig`;
}

function models(request: Request): Response {
  const bearer = request.headers.get("authorization");
  if (bearer !== "Bearer lab-xai-access-canary") return json({ code: "unauthenticated", error: "bad token" }, 401);
  return json({ object: "list", data: [{ id: "grok-4", object: "model" }] });
}

export const standIn: StandIn = {
  hosts: ["auth.openai.com", "auth.x.ai", "api.x.ai"],
  async handle(request) {
    const url = new URL(request.url);
    if (url.hostname === "api.x.ai") {
      return url.pathname === "/v1/models" && request.method === "GET" ? models(request) : json({ error: "none" }, 404);
    }
    const page = PAGES[url.hostname];
    if (page === undefined) return json({ error: "none" }, 404);
    if (request.method === "GET" && url.pathname === page.authorizePath) return authorize(url.hostname, page, url);
    if (request.method === "POST" && url.pathname === page.tokenPath) return await token(url.hostname, page, request);
    return json({ error: "none" }, 404);
  },
};
