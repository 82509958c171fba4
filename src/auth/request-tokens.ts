/** Asks a provider's token endpoint for tokens, for a refresh token or an authorization code, and says which of five things came of it. */
import type { ClientAuth } from "oauth4webapi";
import { guardedFetch } from "../egress/guarded-fetch.ts";
import type { NetworkPolicy } from "../egress/network-policy.ts";
import { readCapped } from "../egress/read-capped.ts";
import { quote } from "../kernel/codes/row.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import { HttpFailure } from "../kernel/http-failure.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Ports } from "../kernel/ports.ts";
import { redactCredentials } from "../kernel/redact.ts";
import { Credential } from "./credential.ts";
import { claimsIn } from "./jwt-claims.ts";
import type { OAuthProvider } from "./oauth-providers.ts";
import { normalAnswer } from "./token-answer.ts";

/** The client that a provider knows. A public one has no secret. */
export interface TokenClient {
  readonly id: string;
  readonly secret: string | undefined;
}

/** What tokens are asked for with. */
type TokenGrant =
  | { readonly kind: "refresh"; readonly refreshToken: string }
  | {
      readonly kind: "code";
      /** As oauth4webapi validated it. */
      readonly callback: URLSearchParams;
      /** The one that was sent for the code, letter by letter. */
      readonly redirectUri: string;
      readonly verifier: string;
      /** Members of the request beside those of RFC 6749 and RFC 7636. */
      readonly extras: Readonly<Record<string, string>>;
    };

/** What a provider gives. */
export interface NewTokens {
  readonly accessToken: string;
  /** undefined: the old one goes on being good. */
  readonly refreshToken: string | undefined;
  /** Unix time in milliseconds; undefined: neither the provider nor the token says. */
  readonly expiresAt: number | undefined;
  readonly scopes: readonly string[] | undefined;
  /** The whole answer, which may tell whose tokens they are. It holds secrets. */
  readonly answer: JsonObject;
}

/**
 * `ended`: the refresh token is worth nothing any more. `client_rejected`: the client is refused, which says nothing of
 * the grant. `failed`: certainly nothing was done. `unanswered`: it may have been done (DECISIONS 30).
 */
export type TokenAnswer =
  | { readonly kind: "granted"; readonly tokens: NewTokens }
  | { readonly kind: "ended" | "client_rejected" | "failed" | "unanswered"; readonly reason: string };

interface Asked {
  readonly provider: OAuthProvider;
  readonly client: TokenClient;
  readonly grant: TokenGrant;
  readonly network: NetworkPolicy;
  readonly signal?: AbortSignal | undefined;
}

/** Spec 8.3. */
const ATTEMPTS = 3;
const PAUSE_MS = 350;
/** The provider controls the length; its tokens are a few kilobytes. */
const MAX_ANSWER_BYTES = 256 * 1024;
/** Shorter than others wait for the profile's lock twice over. */
const DEADLINES = { connectMs: 10_000, firstByteMs: 15_000, totalMs: 20_000 } as const;
/** The last second that a date can be (ECMA-262, 21.4.1.1). */
const MAX_TIME_S = 8.64e12;
const BUSY_STATUSES: readonly number[] = [429, 503];

/** An outcome on its way out of the library. */
class Outcome extends Error {
  readonly answer: Exclude<TokenAnswer, { kind: "granted" }>;
  /** The provider certainly did nothing, and might do it if asked again in a moment. */
  readonly again: boolean;

  constructor(kind: "failed" | "unanswered", reason: string, again = false) {
    super(reason);
    this.answer = { kind, reason };
    this.again = again;
  }
}

/**
 * The provider's answer. It is asked again, up to three times, only when it certainly did nothing: no connection, 429 or
 * 503 (DECISIONS 30). No reason holds a secret that was sent.
 */
export async function requestTokens(ports: Pick<Ports, "clock" | "dns" | "http">, asked: Asked): Promise<TokenAnswer> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return masked(asked, await requestOnce(ports, asked));
    } catch (error) {
      if (!(error instanceof Outcome)) throw error;
      if (!error.again || attempt === ATTEMPTS) return masked(asked, error.answer);
      await ports.clock.sleep(PAUSE_MS * attempt);
    }
  }
}

async function requestOnce(ports: Pick<Ports, "clock" | "dns" | "http">, asked: Asked): Promise<TokenAnswer> {
  const { provider, client, grant } = asked;
  const oauth = await import("oauth4webapi");
  const server = { issuer: provider.issuer, token_endpoint: provider.tokenEndpoint };
  const self = { client_id: client.id };
  let received: Received = { status: 0, answer: {} };
  const options = {
    headers: { "user-agent": "fermix" },
    [oauth.customFetch]: async (url: string, { body, headers }: { body: unknown; headers: Record<string, string> }) => {
      const { response, answer } = await send(ports, asked, url, { body, headers });
      received = { status: response.status, answer };
      return response;
    },
  };
  const auth = clientAuth(provider, client);
  try {
    const response = await (grant.kind === "refresh"
      ? oauth.refreshTokenGrantRequest(server, self, auth, grant.refreshToken, options)
      : oauth.authorizationCodeGrantRequest(server, self, auth, grant.callback, grant.redirectUri, grant.verifier, {
          ...options,
          additionalParameters: { ...grant.extras },
        }));
    const { access_token, refresh_token, expires_in, scope } = await (grant.kind === "refresh"
      ? oauth.processRefreshTokenResponse(server, self, response)
      : oauth.processAuthorizationCodeResponse(server, self, response));
    return {
      kind: "granted",
      tokens: {
        accessToken: access_token,
        refreshToken: refresh_token,
        expiresAt: expires_in === undefined ? endIn(access_token) : ports.clock.now() + expires_in * 1000,
        scopes: scopesIn(provider, scope),
        answer: received.answer,
      },
    };
  } catch (error) {
    if (error instanceof Outcome || received.status === 0) throw error;
    if (error instanceof oauth.ResponseBodyError) return refusal(provider, error.error, error.error_description);
    return unreadable(received.status);
  }
}

/** When a token that is a JSON Web Token says it ends, in Unix milliseconds (spec 8.2). */
function endIn(token: string): number | undefined {
  const end = claimsIn(token)?.["exp"];
  return typeof end === "number" && end >= 0 && end <= MAX_TIME_S ? end * 1000 : undefined;
}

/** What RFC 6749 section 5.2 and the provider's own list make of an error code. */
function refusal(provider: OAuthProvider, code: string, description: string | undefined): TokenAnswer {
  const reason = quote(description === undefined ? code : `${code}: ${description}`);
  const { endedDescription: ended } = provider;
  if (code === "invalid_grant" || provider.endedCodes.includes(code)) return { kind: "ended", reason };
  if (ended?.code === code && ended.says.test(description ?? "")) return { kind: "ended", reason };
  if (code === "invalid_client" || code === "unauthorized_client" || provider.clientCodes.includes(code)) {
    return { kind: "client_rejected", reason };
  }
  return { kind: "failed", reason };
}

/** An answer that is none of OAuth's: its status alone tells whether anything was done. */
function unreadable(status: number): TokenAnswer {
  if (status === 401) return { kind: "client_rejected", reason: "HTTP 401" };
  if (status >= 300 && status < 500) return { kind: "failed", reason: `HTTP ${status}` };
  const reason = status >= 500 ? `HTTP ${status}` : `HTTP ${status} without tokens`;
  return { kind: "unanswered", reason };
}

/** The library's own Basic writes `-` as %2D, which providers that decode nothing take for another client. */
function clientAuth(provider: OAuthProvider, { id, secret }: TokenClient): ClientAuth {
  return (_server, _client, body, headers) => {
    if (provider.clientAuth === "basic" && secret !== undefined) {
      headers.set(
        "authorization",
        `Basic ${Buffer.from(`${formEncoded(id)}:${formEncoded(secret)}`).toString("base64")}`,
      );
      return;
    }
    body.set("client_id", id);
    if (provider.clientAuth !== "none" && secret !== undefined) body.set("client_secret", secret);
  };
}

function formEncoded(text: string): string {
  return new URLSearchParams([["", text]]).toString().slice(1);
}

interface Received {
  readonly status: number;
  /** Empty when it was no JSON object. */
  readonly answer: JsonObject;
}

async function send(
  ports: Pick<Ports, "clock" | "dns" | "http">,
  { provider, network, signal }: Asked,
  url: string,
  { body, headers }: { body: unknown; headers: Record<string, string> },
): Promise<{ readonly response: Response; readonly answer: JsonObject }> {
  const form = new URLSearchParams(String(body));
  const request =
    provider.body === "json"
      ? { body: JSON.stringify(Object.fromEntries(form)), headers: { ...headers, "content-type": "application/json" } }
      : { body: form.toString(), headers };
  try {
    const reply = await guardedFetch(
      ports,
      { url, method: "POST", ownConnection: true, ...request },
      { network, deadlines: DEADLINES, ...(signal === undefined ? {} : { signal }) },
    );
    const bytes = await readCapped(
      reply.body,
      MAX_ANSWER_BYTES,
      () => new FermixError("reply_too_large", { host: reply.url.hostname, limit: MAX_ANSWER_BYTES }),
    );
    if (BUSY_STATUSES.includes(reply.status)) throw new Outcome("failed", `HTTP ${reply.status}`, true);
    return normalAnswer(reply.status, bytes);
  } catch (error) {
    if (error instanceof Outcome || signal?.aborted === true || !isFermixError(error)) throw error;
    throw transportOutcome(error);
  }
}

/** Whether a request that failed on its way can have been received. */
function transportOutcome(error: FermixError): Outcome {
  const reason = error.message.replace(/\.$/, "");
  if (isFermixError(error, "dns_failed")) return new Outcome("failed", reason, true);
  if (isFermixError(error, "blocked_url") || isFermixError(error, "blocked_address")) {
    return new Outcome("failed", reason);
  }
  if (isFermixError(error, "network_timeout") && error.details.phase === "connect") {
    return new Outcome("failed", reason, true);
  }
  const kind = error.cause instanceof HttpFailure ? error.cause.kind : undefined;
  if (kind === "connect") return new Outcome("failed", reason, true);
  if (kind === "tls") return new Outcome("failed", reason);
  return new Outcome("unanswered", reason);
}

function scopesIn({ scopeDelimiter }: OAuthProvider, scope: string | undefined): readonly string[] | undefined {
  const scopes = (scope ?? "").split(scopeDelimiter).map((name) => name.trim());
  const named = scopes.filter((name) => name !== "");
  return named.length === 0 ? undefined : named;
}

/** Providers' descriptions may repeat what they were sent. */
function masked({ client, grant }: Asked, answer: TokenAnswer): TokenAnswer {
  if (answer.kind === "granted") return answer;
  const sent = grant.kind === "refresh" ? [grant.refreshToken] : [grant.callback.get("code") ?? "", grant.verifier];
  const secrets = [...sent, client.secret ?? ""].map((secret) => new Credential(secret));
  const reason = secrets.reduce((text, secret) => secret.maskIn(text), redactCredentials(answer.reason));
  return { ...answer, reason };
}
