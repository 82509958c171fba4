/** Tries an API key with the plugin's own health check before the key is stored. */
import { Credential } from "../auth/credential.ts";
import type { CredentialSource } from "../auth/credential-source.ts";
import type { FermixCode } from "../kernel/codes.ts";
import { FermixError, never } from "../kernel/error.ts";
import { checkHealth } from "../rails/http/health-check.ts";
import type { App } from "./app.ts";
import type { FoundKeyed } from "./keyed-plugin.ts";

/** What a service says of a key; anything else is no reason to look for another one. */
const ABOUT_THE_KEY: ReadonlySet<string> = new Set<FermixCode>([
  "api_key_rejected",
  "unauthorized",
  "missing_scope",
  "permission_denied",
  "request_failed",
  "provider_failed",
]);

/**
 * Whether the service took the key, or the manifest names no request that could tell (`local_readiness`, or no block at
 * all). Throws key_check_failed, which says what the service answered or why it could not be asked.
 */
export async function checkKey(
  { ports }: Pick<App, "ports">,
  { plugin, manifest, config }: FoundKeyed,
  key: string,
): Promise<"taken" | "not_asked"> {
  const health = await checkHealth(ports, manifest, { source: fixed(key), network: config.network });
  switch (health.state) {
    case "healthy":
      return "taken";
    case "local":
      return "not_asked";
    case "unhealthy":
      throw new FermixError(
        "key_check_failed",
        {
          plugin: plugin.name,
          code: health.error.code,
          reason: health.error.message.replace(/\.$/, ""),
          ...(ABOUT_THE_KEY.has(health.error.code) ? {} : { remedy: health.error.fix }),
        },
        { cause: health.error },
      );
    default:
      return never(health);
  }
}

/** The key that was just given, and no other one to try after it. */
function fixed(key: string): CredentialSource {
  const grant = { credential: new Credential(key), grantedScopes: undefined, region: undefined };
  return { current: async () => grant, renew: async () => undefined };
}
