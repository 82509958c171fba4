/** The one door to the network: judges the URL, judges every address it resolves to, and dials one that was judged. */
import { FermixError, isFermixError } from "../kernel/error.ts";
import { certificateFaultOf, HttpFailure, reasonOf } from "../kernel/http-failure.ts";
import type { HttpReply, HttpRoute, Ports } from "../kernel/ports.ts";
import { DEFAULT_DEADLINES, type Deadlines, Watch } from "./deadlines.ts";
import { takeSlot } from "./host-slots.ts";
import type { NetworkPolicy } from "./network-policy.ts";
import { forgetAddresses, publicAddresses, rememberAnswer } from "./public-addresses.ts";
import { assertPublicUrl } from "./url-policy.ts";
import { type ByteBody, WatchedBody } from "./watched-body.ts";

/** Set by the transport alone: a caller's value could name another host or ask for a compressed body. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "accept-encoding",
  "connection",
  "transfer-encoding",
  "upgrade",
]);

type NetworkPorts = Pick<Ports, "dns" | "http" | "clock">;

export interface GuardedRequest {
  readonly url: string;
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** For a request that must not be lost to a kept connection which its server is just closing. */
  readonly ownConnection?: boolean;
}

export interface GuardedOptions {
  /** What the operator configured; `DIRECT` where there is no config. */
  readonly network: NetworkPolicy;
  readonly signal?: AbortSignal;
  /** Goes before what the operator configured. */
  readonly deadlines?: Partial<Deadlines>;
}

export interface GuardedReply {
  readonly url: URL;
  readonly status: number;
  readonly headers: Headers;
  /** Read it to its end or cancel it: until then it holds one of the host's slots. Undecoded, uncapped. */
  readonly body: ByteBody | null;
}

/**
 * One https request, with no redirect followed and nothing decompressed (spec 3.2, 3.3; DECISIONS 14 to 16).
 * Every A and AAAA answer must be public or the whole name is refused, and the address that was judged is the one
 * dialled, so a second DNS answer changes nothing. Through the operator's proxy the name alone is judged. Throws
 * blocked_url, blocked_address, dns_failed, network_failed, network_timeout, or the caller's abort reason.
 */
export async function guardedFetch(
  ports: NetworkPorts,
  request: GuardedRequest,
  options: GuardedOptions,
): Promise<GuardedReply> {
  const url = assertPublicUrl(request.url);
  const deadlines = deadlinesOf(options);
  const watch = new Watch(ports.clock, url.hostname, options.signal);
  const endTotal = watch.arm("total", deadlines.totalMs);
  let giveBack: (() => void) | undefined;
  const finish = (): void => {
    endTotal();
    giveBack?.();
    watch.end();
  };
  try {
    giveBack = await takeSlot(url.host, watch);
    const routes = await routesTo(ports, url.hostname, options.network, deadlines, watch);
    const endFirstByte = watch.arm("first_byte", deadlines.firstByteMs);
    try {
      const reply = await dialInTurn({ ports, url, request, watch, connectMs: deadlines.connectMs }, routes);
      if (reply.body === null) finish();
      const fault = (cause: unknown): Error => networkFailed(url, cause);
      const body = reply.body && new WatchedBody(reply.body, watch, finish, fault);
      return { url, status: reply.status, headers: reply.headers, body };
    } finally {
      endFirstByte();
    }
  } catch (error) {
    finish();
    throw error;
  }
}

function deadlinesOf({ network, deadlines }: GuardedOptions): Deadlines {
  const configured = network.totalMs === undefined ? {} : { totalMs: network.totalMs };
  return { ...DEFAULT_DEADLINES, ...configured, ...deadlines };
}

async function routesTo(
  ports: NetworkPorts,
  host: string,
  { proxy }: NetworkPolicy,
  { connectMs }: Deadlines,
  watch: Watch,
): Promise<readonly HttpRoute[]> {
  if (proxy !== undefined) return [{ proxy }];
  const end = watch.arm("connect", connectMs);
  try {
    return (await watch.race(publicAddresses(ports, host))).map((address) => ({ address }));
  } catch (cause) {
    forgetAddresses(ports, host);
    throw cause;
  } finally {
    end();
  }
}

interface Work {
  readonly ports: NetworkPorts;
  readonly url: URL;
  readonly request: GuardedRequest;
  readonly watch: Watch;
  readonly connectMs: number;
}

/** Tries the next route only when nothing was sent by the one before. */
async function dialInTurn(work: Work, routes: readonly HttpRoute[]): Promise<HttpReply> {
  const { ports, url, watch } = work;
  let last: unknown;
  for (const route of routes) {
    try {
      const reply = await dial(work, route);
      if (route.address !== undefined) rememberAnswer(ports, url.hostname, route.address);
      return reply;
    } catch (cause) {
      if (watch.stopped !== undefined) {
        // What did not answer may be gone for good, while the name leads elsewhere by now.
        if (isFermixError(watch.stopped.reason, "network_timeout")) forgetAddresses(ports, url.hostname);
        throw watch.stopped.reason;
      }
      if (isFermixError(cause, "network_timeout")) last = cause;
      else if (cause instanceof HttpFailure) last = networkFailed(url, cause, route.proxy);
      else throw cause;
      if (cause instanceof HttpFailure && cause.kind !== "connect") break;
    }
  }
  forgetAddresses(ports, url.hostname);
  throw last;
}

/**
 * One request by one route. Where a connection has to be opened, that must not take longer than `connectMs`. What stops
 * the request later, while its body is read, closes the connection too.
 */
async function dial({ ports, url, request, watch, connectMs }: Work, route: HttpRoute): Promise<HttpReply> {
  const controller = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<HttpReply>();
  const giveUp = (reason: unknown): void => {
    controller.abort(reason);
    reject(reason);
  };
  const letGo = watch.onStop(giveUp);
  let endConnect = (): void => undefined;
  const { method = "GET", headers, body, ownConnection } = request;
  ports.http
    .send({
      ...route,
      url,
      method,
      headers: headersOf(headers),
      ...(body === undefined ? {} : { body }),
      ...(ownConnection === undefined ? {} : { ownConnection }),
      signal: controller.signal,
      onConnection(state) {
        endConnect();
        endConnect = state === "opening" ? watch.timer("connect", connectMs, giveUp) : () => undefined;
      },
    })
    .then(resolve, reject);
  try {
    return await promise;
  } catch (cause) {
    letGo();
    throw cause;
  } finally {
    endConnect();
  }
}

/** Without a prototype: a manifest's author may name a header `__proto__`. */
function headersOf(own: Readonly<Record<string, string>> = {}): Record<string, string> {
  const headers: Record<string, string> = Object.create(null);
  headers["user-agent"] = "fermix";
  for (const name in own) if (!OWN_HEADERS.has(name.toLowerCase())) headers[name] = own[name] ?? "";
  headers["accept-encoding"] = "identity";
  return headers;
}

function networkFailed(url: URL, cause: unknown, proxy?: string): FermixError {
  const what = reasonOf(cause);
  const reason = proxy === undefined ? what : `through the proxy ${proxy}: ${what}`;
  const certificate = certificateFaultOf(cause);
  const details = { host: url.hostname, reason, ...(certificate === undefined ? {} : { certificate }) };
  return new FermixError("network_failed", details, { cause });
}
