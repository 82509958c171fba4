/** Reads what a JSON Web Token says, without judging it: for labels and for when a token ends, never for a decision on trust. */
import { isJsonObject, type JsonObject } from "../kernel/json.ts";

/** The claims; undefined for text that is no JSON Web Token. */
export function claimsIn(token: string): JsonObject | undefined {
  const [, payload, signature, ...more] = token.split(".");
  if (payload === undefined || signature === undefined || more.length > 0) return undefined;
  try {
    const claims: unknown = JSON.parse(Buffer.from(payload, "base64url").toString("utf8"));
    return isJsonObject(claims) ? claims : undefined;
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
