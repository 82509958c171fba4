/** Sends one request of a call with the plugin's credential, and once more with a fresh one where that is allowed. */
import type { Credential } from "../../auth/credential.ts";
import type { CredentialSource } from "../../auth/credential-source.ts";
import { raceAbort } from "../../egress/deadlines.ts";
import { type GuardedOptions, guardedFetch } from "../../egress/guarded-fetch.ts";
import { MAX_URL_CHARS } from "../../egress/url-policy.ts";
import { FermixError, isFermixError } from "../../kernel/error.ts";
import { HttpFailure } from "../../kernel/http-failure.ts";
import type { Ports } from "../../kernel/ports.ts";
import type { HttpTool, Manifest } from "../../manifest/manifest.ts";
import type { ApiReply, ApiRequest, Ask } from "./api.ts";
import { readReply } from "./read-reply.ts";

export interface Caller {
  readonly ports: Pick<Ports, "dns" | "http" | "clock">;
  readonly manifest: Manifest;
  readonly tool: Pick<HttpTool, "readOnly" | "requiresScopes"> & { readonly name: string };
  /** Where the credential comes from; undefined for a plugin that has none. */
  readonly source: CredentialSource | undefined;
  /** Every credential this call has used, the latest last: what must be masked in all that it says. */
  readonly used: Credential[];
  readonly fetchOptions: () => GuardedOptions;
}

/** The one renewal that a call may have, and what it was of. */
interface Renewal {
  readonly rejected: Credential;
  readonly fresh: Promise<Credential | undefined>;
}

/**
 * The `ask` of one call. After the call's first 401 a read-only tool gets another credential and one more try: a
 * refreshed token, or a key that was replaced meanwhile. A tool may ask for several things at once, so requests that
 * were refused together share that renewal. A write is never sent twice (AUTH-7, spec 3.7), and its refused key is
 * forgotten, so that the next call reads the keychain again.
 */
export function openAsk(caller: Caller): Ask {
  let renewal: Renewal | undefined;
  return async (request) => {
    const credential = caller.used.at(-1);
    try {
      return await send(caller, request, credential);
    } catch (refusal) {
      if (credential === undefined || !isRejected(refusal)) throw refusal;
      renewal ??= { rejected: credential, fresh: renew(caller, credential) };
      if (renewal.rejected !== credential) throw refusal;
      const { signal } = caller.fetchOptions();
      const fresh = await (signal === undefined ? renewal.fresh : raceAbort(renewal.fresh, signal));
      if (fresh === undefined || !caller.tool.readOnly) throw refusal;
      if (caller.used.at(-1) !== fresh) caller.used.push(fresh);
      return await send(caller, request, fresh);
    }
  };
}

/** For an OAuth write nothing is refreshed: the person who reads the refusal decides (spec 3.7). */
async function renew({ manifest, tool, source }: Caller, rejected: Credential): Promise<Credential | undefined> {
  if (manifest.auth.type === "oauth2" && !tool.readOnly) return undefined;
  return (await source?.renew(rejected))?.credential;
}

/** Whether the provider answered 401, as `read-reply.ts` names it for each kind of credential. */
function isRejected(error: unknown): error is FermixError {
  return isFermixError(error, "reauthorization_required") || isFermixError(error, "api_key_rejected");
}

/** What a failed write throws says that the write may have been done, unless nothing of it was sent for certain. */
async function send(caller: Caller, request: ApiRequest, credential: Credential | undefined): Promise<ApiReply> {
  try {
    return await sendOnce(caller, request, credential);
  } catch (error) {
    throw caller.tool.readOnly ? error : brokenWrite(error, caller.tool.name);
  }
}

/** Whoever reads only that a write broke off would send it again. */
function brokenWrite(error: unknown, write: string): unknown {
  if (isFermixError(error, "network_timeout") && error.details.phase !== "connect") {
    return new FermixError("network_timeout", { ...error.details, write }, { cause: error.cause });
  }
  if (!isFermixError(error, "network_failed")) return error;
  const { cause, details } = error;
  const unsent = cause instanceof HttpFailure && (cause.kind === "connect" || cause.kind === "tls");
  return unsent ? error : new FermixError("network_failed", { ...details, write }, { cause });
}

async function sendOnce(caller: Caller, request: ApiRequest, credential: Credential | undefined): Promise<ApiReply> {
  const { ports, manifest, tool, used, fetchOptions } = caller;
  // The floor's own refusal would tell the agent that the host is at fault.
  if (request.url.length > MAX_URL_CHARS) {
    throw new FermixError("argument_too_long", { tool: tool.name, limit: MAX_URL_CHARS });
  }
  const reply = await guardedFetch(
    ports,
    {
      ...request,
      headers: { accept: "application/json", ...lowerCased(request.headers), ...authorization(manifest, credential) },
    },
    fetchOptions(),
  );
  return await readReply(reply, request, {
    plugin: manifest.name,
    tool: tool.name,
    auth: manifest.auth,
    readOnly: tool.readOnly,
    requiresScopes: tool.requiresScopes,
    now: () => ports.clock.now(),
    mask: (text) => used.reduce((masked, secret) => secret.maskIn(masked), text),
  });
}

/** The header that the manifest names, with the scheme it names (AUTH-1, spec 1.2). */
function authorization({ auth }: Manifest, credential: Credential | undefined): Record<string, string> {
  if (auth.type === "none" || credential === undefined) return {};
  return { [auth.header.toLowerCase()]: credential.headerValue(auth.scheme) };
}

/** A template may write `Accept`; two spellings of one name would both be sent. */
function lowerCased(headers: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
