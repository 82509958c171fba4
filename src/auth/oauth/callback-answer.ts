/** Judges what came back from a provider's sign-in page: whose answer it is, and whether it holds a code. */
import { quote } from "../../kernel/codes/row.ts";
import { FermixError } from "../../kernel/error.ts";
import type { LoginProvider } from "./login-providers.ts";

/** What RFC 6749 section 4.1.2.1 has for a client that may not do this. */
const CLIENT_ERRORS: readonly string[] = ["unauthorized_client", "invalid_client"];
/** Said of twice the same member, another issuer, and whatever else no answer to this request has. */
const NOT_TO_THIS = "its answer is not one to this sign-in";

/**
 * The parameters as oauth4webapi takes them for the token request. Throws login_state_mismatch, login_denied,
 * login_client_rejected, login_code_missing, or login_failed with the provider's own words.
 */
export async function readCallback(
  provider: LoginProvider,
  clientId: string,
  parameters: URLSearchParams,
  state: string,
): Promise<URLSearchParams> {
  const { id, issuer, tokenEndpoint } = provider.tokens;
  const states = parameters.getAll("state");
  if (states.length !== 1 || states[0] !== state) {
    throw new FermixError("login_state_mismatch", { provider: provider.name });
  }
  const failed = (reason: string) => new FermixError("login_failed", { provider: provider.name, id, reason });
  const oauth = await import("oauth4webapi");
  const server = { issuer, token_endpoint: tokenEndpoint };
  let validated: URLSearchParams;
  try {
    validated = oauth.validateAuthResponse(server, { client_id: clientId }, issuerJudged(provider, parameters), state);
  } catch (error) {
    if (error instanceof oauth.AuthorizationResponseError) {
      throw refusal(provider, error.error, error.error_description);
    }
    if (error instanceof oauth.OperationProcessingError) throw failed(NOT_TO_THIS);
    throw error;
  }
  const [code = "", ...more] = validated.getAll("code");
  if (code === "") throw new FermixError("login_code_missing", { provider: provider.name });
  if (more.length > 0) throw failed(NOT_TO_THIS);
  return validated;
}

/**
 * The parameters without an issuer that is the provider's own. One whose issuer Fermix does not know for certain names
 * itself by the host of its page or of its issuer; any other is left in for the library to refuse (RFC 9207).
 */
function issuerJudged(provider: LoginProvider, parameters: URLSearchParams): URLSearchParams {
  const named = parameters.getAll("iss");
  if (provider.exactIssuer || named.length !== 1) return parameters;
  const host = URL.parse(named[0] ?? "")?.host;
  const own = [provider.authorizationEndpoint, provider.tokens.issuer].map((url) => new URL(url).host);
  if (host === undefined || !own.includes(host)) return parameters;
  const judged = new URLSearchParams(parameters);
  judged.delete("iss");
  return judged;
}

function refusal(provider: LoginProvider, error: string, description: string | undefined): FermixError {
  const words = description === undefined ? quote(error) : `${quote(error)} (${quote(description)})`;
  if (error === "access_denied") return new FermixError("login_denied", { provider: provider.name });
  const details = { provider: provider.name, id: provider.tokens.id, reason: `OAuth error: ${words}` };
  return CLIENT_ERRORS.includes(error)
    ? new FermixError("login_client_rejected", details)
    : new FermixError("login_failed", details);
}
