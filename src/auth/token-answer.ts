/** Puts a token endpoint's answer into RFC 6749's form, so that no slip of a provider costs a token that is used up. */
import { isJsonObject, type JsonObject } from "../kernel/json.ts";

/** No token lives longer; a provider that names more seconds than a date can hold means "for ever". */
const MAX_LIFE_S = 10 * 366 * 24 * 3600;
/** RFC 6750: what may stand in a header behind `Bearer`. */
const TOKEN = /^[\x21-\x7e]+$/;

export interface NormalAnswer {
  readonly response: Response;
  /** As the provider sent it; empty when it was no JSON object. */
  readonly answer: JsonObject;
}

/**
 * The answer as the OAuth library takes it. A refusal that came with status 200 (GitHub) becomes one with 400. Dropped
 * are members that are null, an `id_token` (whose clock or audience must not decide about the tokens beside it) and an
 * `expires_in` that is no number of seconds; a missing `token_type` is taken for bearer.
 */
export function normalAnswer(status: number, bytes: Uint8Array): NormalAnswer {
  const headers = { "content-type": "application/json" };
  const answer = parse(bytes);
  if (answer === undefined) return { response: new Response(null, { status, headers }), answer: {} };
  const refused = typeof answer["error"] === "string" && answer["error"] !== "";
  const init = { status: refused ? Math.max(status, 400) : status, headers };
  const body = status === 200 && !refused ? normalTokens(answer) : answer;
  return { response: new Response(JSON.stringify(body), init), answer };
}

function normalTokens(body: JsonObject): JsonObject {
  const { id_token: _dropped, expires_in, ...members } = body;
  const given = Object.entries(members).filter(([, value]) => value !== null);
  const seconds = typeof expires_in === "string" && expires_in.trim() !== "" ? Number(expires_in) : expires_in;
  const life = typeof seconds === "number" && seconds >= 0 ? { expires_in: Math.min(seconds, MAX_LIFE_S) } : {};
  const tokens = Object.fromEntries(given.filter(([name, value]) => isUsable(name, value)));
  return { token_type: "bearer", ...tokens, ...life };
}

/** A refresh token that is blank counts as none; an access token that no header can carry makes the answer unusable. */
function isUsable(name: string, value: unknown): boolean {
  if (name === "access_token") return typeof value === "string" && TOKEN.test(value);
  if (name === "refresh_token" || name === "scope") return typeof value === "string" && value.trim() !== "";
  return true;
}

function parse(bytes: Uint8Array): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return isJsonObject(value) ? value : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
