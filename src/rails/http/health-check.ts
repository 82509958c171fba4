/** Asks a plugin's service whether it takes the credential, with the request that the manifest names for it (spec 1.1 `health_check`). */
import type { Credential } from "../../auth/credential.ts";
import type { CredentialSource } from "../../auth/credential-source.ts";
import { raceAbort } from "../../egress/deadlines.ts";
import type { NetworkPolicy } from "../../egress/network-policy.ts";
import { type FermixError, isFermixError } from "../../kernel/error.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Ports } from "../../kernel/ports.ts";
import type { Manifest } from "../../manifest/manifest.ts";
import type { ApiRequest } from "./api.ts";
import { openAsk } from "./ask.ts";

/** How messages name the request, which is no tool of the plugin. */
const NAME = "health_check";
/** Somebody waits in front of the screen; the service controls how long it thinks. */
const TOTAL_MS = 15_000;
const METHODS = ["GET", "POST"] as const;

export type Health =
  | { readonly state: "healthy" }
  /** What the service answered, or why it could not be asked, as a call of a tool would say it. */
  | { readonly state: "unhealthy"; readonly error: FermixError }
  /** The manifest names no request: what is known on this machine is all there is to know (`local_readiness`). */
  | { readonly state: "local" };

export interface HealthOptions {
  /** undefined for a plugin without credentials. */
  readonly source: CredentialSource | undefined;
  readonly network: NetworkPolicy;
  readonly signal?: AbortSignal;
}

/**
 * One request, through the door of all requests, judged as an answer to a tool is: a failure inside a 200 is one too
 * (DECISIONS 18), and a 401 is tried once more with a fresh token. Nothing is thrown but the signal's reason and bugs.
 */
export async function checkHealth(
  ports: Pick<Ports, "dns" | "http" | "clock">,
  manifest: Manifest,
  { source, network, signal }: HealthOptions,
): Promise<Health> {
  const request = healthRequest(manifest);
  if (request === undefined) return { state: "local" };
  const used: Credential[] = [];
  const ask = openAsk({
    ports,
    manifest,
    tool: { name: NAME, readOnly: true, requiresScopes: [] },
    source,
    used,
    fetchOptions: () => ({
      network,
      deadlines: { totalMs: TOTAL_MS },
      ...(signal === undefined ? {} : { signal }),
    }),
  });
  try {
    const grant = source?.current();
    if (grant !== undefined) used.push((await (signal === undefined ? grant : raceAbort(grant, signal))).credential);
    await ask(request);
    return { state: "healthy" };
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return { state: "unhealthy", error };
  } finally {
    await source?.settled?.();
  }
}

/**
 * The request that the block names; undefined where it names none. Its content is nobody's to check when a manifest is
 * read (spec 1.1), so what is no address, method or status is passed over here.
 */
function healthRequest(manifest: Manifest): ApiRequest | undefined {
  const block: JsonObject = manifest.healthCheck ?? {};
  const url = block["url"];
  if (typeof url !== "string") return undefined;
  const named = typeof block["method"] === "string" ? block["method"].toUpperCase() : "GET";
  const listed = Array.isArray(block["success"]) ? block["success"] : [];
  const success = listed.filter((status): status is number => typeof status === "number");
  return {
    // A check that changes something is none.
    method: METHODS.find((method) => method === named) ?? "GET",
    url,
    headers: headersFor(manifest, url),
    success: success.length === 0 ? [200] : success,
  };
}

/**
 * What the plugin's own tools send to the same service, such as the version of its API, without which Notion answers
 * nothing: the block has no headers of its own. A template's headers are the same for every call (spec 1.6).
 */
function headersFor(manifest: Manifest, url: string): Readonly<Record<string, string>> {
  const origin = URL.parse(url)?.origin;
  if (manifest.rail === "hosted-mcp" || origin === undefined) return {};
  const templates = manifest.tools.flatMap((tool) => (tool.rail === "http" && tool.request ? [tool.request] : []));
  return templates.find((template) => URL.parse(template.url)?.origin === origin)?.headers ?? {};
}
