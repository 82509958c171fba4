/** Signs somebody in with a provider: a page in the browser, its answer on loopback or pasted, and tokens for the code (spec 8.2). */
import type { NetworkPolicy } from "../../egress/network-policy.ts";
import { FermixError } from "../../kernel/error.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Ports } from "../../kernel/ports.ts";
import type { LoginProvider } from "./login-providers.ts";

export type LoginPorts = Pick<Ports, "browser" | "clock" | "dns" | "http" | "loopback" | "random">;

/** The client that the provider knows; a public one has no secret. */
export interface LoginClient {
  readonly id: string;
  readonly secret: string | undefined;
}

/** Where the provider sends the browser back to: the first free port, or the only one. */
export interface Callback {
  readonly host: string;
  readonly path: string;
  readonly ports: readonly number[];
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
  readonly client: LoginClient;
  readonly scopes: readonly string[];
  readonly callback: Callback;
  readonly network: NetworkPolicy;
  /** How long the user has. */
  readonly timeoutMs: number;
  /** False: the address is only shown. */
  readonly openBrowser: boolean;
  /** The account to offer, where the provider can. */
  readonly account?: string | undefined;
  /** Called once, as soon as the sign-in can be answered. */
  readonly onPage: (page: LoginPage) => void;
  /** Gives the redirect URL that the user pasted; the signal ends the asking. */
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
 * Signs in and hands the tokens to `keep`; the browser is told of success only after `keep` is done. Gives what `keep`
 * gave. Throws login_port_in_use, login_timed_out, login_state_mismatch, login_code_missing, login_denied,
 * login_client_rejected, login_failed, the signal's reason, or what `keep` throws; then nothing listens any more.
 */
export async function signIn<T>(
  _ports: LoginPorts,
  request: LoginRequest,
  _keep: (fresh: FreshSignIn) => Promise<T>,
): Promise<T> {
  await Promise.resolve();
  throw new FermixError("usage", { problem: `No sign-in with ${request.provider.tokens.id} yet.`, command: "fermix" });
}
