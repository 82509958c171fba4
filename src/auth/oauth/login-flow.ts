/** Signs somebody in with a provider: a page in the browser, its answer on loopback or pasted, and tokens for the code (spec 8.2). */
import type { NetworkPolicy } from "../../egress/network-policy.ts";
import type { Home } from "../../files/home.ts";
import { FermixError } from "../../kernel/error.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Ports } from "../../kernel/ports.ts";
import { type NewTokens, requestTokens, type TokenClient } from "../request-tokens.ts";
import { whoSignedIn } from "./account.ts";
import { type AttemptSecrets, authorizationUrl, freshSecrets } from "./authorize.ts";
import { type Callback, redirectUri } from "./callback.ts";
import { readCallback } from "./callback-answer.ts";
import { listenForCallback } from "./listen.ts";
import type { LoginProvider } from "./login-providers.ts";
import { pastedParameters } from "./pasted.ts";

export interface LoginDeps {
  readonly ports: Pick<Ports, "browser" | "clock" | "dns" | "http" | "loopback" | "random">;
  readonly home: Home;
}

/** What the user is shown while the sign-in waits. */
export interface LoginPage {
  readonly url: string;
  readonly redirectUri: string;
  /** Whether a browser took the address; undefined where none was asked for. */
  readonly opened: boolean | undefined;
}

export interface LoginRequest {
  readonly provider: LoginProvider;
  readonly client: TokenClient;
  readonly scopes: readonly string[];
  readonly callback: Callback;
  readonly network: NetworkPolicy;
  /** How long the user has. */
  readonly timeoutMs: number;
  /** False: the address is only shown. */
  readonly openBrowser: boolean;
  /** The account to offer, where the provider can. */
  readonly account?: string | undefined;
  /** Called once, when the sign-in can be answered. */
  readonly onPage: (page: LoginPage) => void;
  /** Gives the redirect URL that the user pasted; asked where no browser was opened here. The signal ends the asking. */
  readonly paste?: ((signal: AbortSignal) => Promise<string>) | undefined;
  /** Ends the sign-in: its reason is thrown. */
  readonly signal?: AbortSignal | undefined;
}

/** What the provider gave. Tokens are secrets: nothing but auth.json may get them. */
export interface FreshSignIn {
  readonly accessToken: string;
  readonly refreshToken: string | undefined;
  /** Unix time in milliseconds; undefined: it does not end by itself. */
  readonly expiresAt: number | undefined;
  /** What was granted; what was asked for where the provider did not say. */
  readonly scopes: readonly string[];
  /** Whose it is, as far as the provider said. */
  readonly account: JsonObject | undefined;
}

/**
 * Signs in and hands the tokens to `keep`; the browser is told of success only when `keep` is done. Gives what `keep`
 * gave. Throws login_port_in_use, login_listen_failed, login_timed_out, login_superseded, login_state_mismatch,
 * login_code_missing, login_denied, login_client_rejected, login_failed, the signal's reason, or what `keep` throws; in
 * any case nothing listens any more.
 */
export async function signIn<T>(
  { ports, home }: LoginDeps,
  request: LoginRequest,
  keep: (fresh: FreshSignIn) => Promise<T>,
): Promise<T> {
  request.signal?.throwIfAborted();
  const secrets = freshSecrets(ports.random);
  const answered = Promise.withResolvers<URLSearchParams>();
  const done = Promise.withResolvers<T>();
  // One may fail before anybody waits for it, and of the other's failure only a browser may be told.
  answered.promise.catch(() => undefined);
  done.promise.catch(() => undefined);
  const listening = await listenForCallback({ ports, home }, request, {
    onCallback(parameters) {
      answered.resolve(parameters);
      return done.promise;
    },
    onSuperseded: () => answered.reject(new FermixError("login_superseded", { provider: request.provider.name })),
  });
  const uri = redirectUri(request.callback, listening.port);
  try {
    const parameters = await answerTo(ports, request, uri, secrets, answered);
    const tokens = await exchange(ports, request, uri, secrets, parameters);
    const account = await whoSignedIn(ports, request, tokens, secrets.nonce);
    request.signal?.throwIfAborted();
    const { accessToken, refreshToken, expiresAt, scopes = request.scopes } = tokens;
    const kept = await keep({ accessToken, refreshToken, expiresAt, scopes, account });
    done.resolve(kept);
    return kept;
  } catch (error) {
    done.reject(error);
    throw error;
  } finally {
    await listening.close();
  }
}

/** Shows the page, and waits for what comes first: its answer, a pasted one, the end of the time, or the caller's signal. */
async function answerTo(
  ports: LoginDeps["ports"],
  request: LoginRequest,
  uri: string,
  secrets: AttemptSecrets,
  answered: PromiseWithResolvers<URLSearchParams>,
): Promise<URLSearchParams> {
  const { signal, timeoutMs, paste } = request;
  const over = new AbortController();
  const endTimer = ports.clock.after(timeoutMs, () => {
    answered.reject(timedOut(request, uri));
  });
  const onAbort = (): void => answered.reject(signal?.reason);
  signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const url = await authorizationUrl(request, uri, secrets);
    // A program that opens pages may stay until its browser ends; an answer, the end of the time and Ctrl-C go before.
    const opened = request.openBrowser
      ? await Promise.race([answered.promise.then(() => true), ports.browser.open(url)])
      : undefined;
    request.onPage({ url, redirectUri: uri, opened });
    if (opened !== true && paste !== undefined) {
      paste(over.signal).then((text) => answered.resolve(pastedParameters(text)), answered.reject);
    }
    return await answered.promise;
  } finally {
    endTimer();
    over.abort();
    signal?.removeEventListener("abort", onAbort);
  }
}

function timedOut({ provider, timeoutMs, openBrowser, paste }: LoginRequest, uri: string): FermixError {
  return new FermixError("login_timed_out", {
    provider: provider.name,
    seconds: Math.round(timeoutMs / 1000),
    redirectUri: uri,
    // A client without a secret is the provider's own, known to it with its redirect URI.
    ownClient: provider.tokens.clientAuth !== "none",
    openBrowser,
    canPaste: paste !== undefined,
  });
}

async function exchange(
  ports: LoginDeps["ports"],
  { provider, client, network, signal }: LoginRequest,
  uri: string,
  { state, verifier, challenge }: AttemptSecrets,
  parameters: URLSearchParams,
): Promise<NewTokens> {
  const callback = await readCallback(provider, client.id, parameters, state);
  const extras = provider.echoChallenge ? { code_challenge: await challenge(), code_challenge_method: "S256" } : {};
  const answer = await requestTokens(ports, {
    provider: provider.tokens,
    client,
    grant: { kind: "code", callback, redirectUri: uri, verifier, extras },
    network,
    signal,
  });
  if (answer.kind === "granted") return answer.tokens;
  const details = { provider: provider.name, id: provider.tokens.id, reason: answer.reason };
  if (answer.kind === "client_rejected") throw new FermixError("login_client_rejected", details);
  throw new FermixError("login_failed", details);
}
