/** Asks xAI whether a sign-in's plan may use the API: its 403 speaks of the plan and not of a stale token (COD-3). */
import { secretPlaceAt } from "../../config/secret-places.ts";
import { guardedFetch } from "../../egress/guarded-fetch.ts";
import type { NetworkPolicy } from "../../egress/network-policy.ts";
import { FermixError, isFermixError } from "../../kernel/error.ts";
import type { Ports } from "../../kernel/ports.ts";
import type { Credential } from "../credential.ts";

/** The cheapest question there is: what models the holder may use (xAI's REST reference, "List models"). */
const MODELS = "https://api.x.ai/v1/models";
/** The sign-in is stored already; nobody waits long to hear more. */
const DEADLINES = { connectMs: 5_000, firstByteMs: 10_000, totalMs: 10_000 } as const;
const FORBIDDEN = 403;

/** Whether the API takes this token; false for a plan without API access, undefined when that could not be told. */
export async function mayUseXaiApi(
  ports: Pick<Ports, "clock" | "dns" | "http">,
  network: NetworkPolicy,
  token: Credential,
): Promise<boolean | undefined> {
  try {
    const headers = { authorization: token.headerValue("Bearer"), accept: "application/json", "user-agent": "fermix" };
    const reply = await guardedFetch(ports, { url: MODELS, method: "GET", headers }, { network, deadlines: DEADLINES });
    await reply.body?.cancel();
    if (reply.status === FORBIDDEN) return false;
    return reply.status === 200 ? true : undefined;
  } catch (error) {
    // Whatever is wrong with the network now, the sign-in is as good as before.
    if (isFermixError(error)) return undefined;
    throw error;
  }
}

/** The failure that tells of it, with the variable that takes an API key instead. */
export function planWithoutApi(cause?: unknown): FermixError<"xai_plan_without_api"> {
  const variable = secretPlaceAt("fermix_core", "providers", "xai", "api_key")?.variable ?? "";
  return new FermixError("xai_plan_without_api", { variable }, { cause });
}

/** Whether it is the token endpoint itself that answered 403: the plan is refused before there are tokens. */
export function saysForbidden(error: unknown): boolean {
  const refused = isFermixError(error, "login_failed") || isFermixError(error, "token_refresh_failed");
  return refused && /\bHTTP 403\b/.test(error.details.reason);
}
