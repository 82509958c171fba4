/** The one door to the network: judges the URL, judges every address it resolves to, and dials one that was judged. */
import { FermixError, isFermixError } from "../kernel/error.ts";
import { HttpFailure, reasonOf } from "../kernel/http-failure.ts";
import type { HttpReply, HttpRoute, Ports } from "../kernel/ports.ts";
import { DEFAULT_DEADLINES, type Deadlines, raceAbort, type Watch, watchRequest } from "./deadlines.ts";
import { takeSlot } from "./host-slots.ts";
import type { NetworkPolicy } from "./network-policy.ts";
import { forgetAddresses, publicAddresses, rememberAnswer } from "./public-addresses.ts";
import { assertPublicUrl } from "./url-policy.ts";

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
  readonly body: ReadableStream<Uint8Array> | null;
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
  const watch = watchRequest(ports.clock, url.hostname, options.signal);
  const endTotal = watch.arm("total", deadlines.totalMs);
  let giveBack: (() => void) | undefined;
  const finish = (): void => {
    endTotal();
    giveBack?.();
    watch.end();
  };
  try {
    giveBack = await takeSlot(url.host, watch.signal);
    const routes = await routesTo(ports, url.hostname, options.network, deadlines, watch);
    const endFirstByte = watch.arm("first_byte", deadlines.firstByteMs);
    const work = { ports, url, request, watch, connectMs: deadlines.connectMs };
    const reply = await dialInTurn(work, routes).finally(endFirstByte);
    return { url, status: reply.status, headers: reply.headers, body: watched(reply.body, watch, url, finish) };
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
      if (watch.signal.aborted) throw watch.signal.reason;
      if (isFermixError(cause, "network_timeout")) last = cause;
      else if (cause instanceof HttpFailure) last = networkFailed(url, cause, route.proxy);
      else throw cause;
      if (cause instanceof HttpFailure && cause.kind !== "connect") break;
    }
  }
  forgetAddresses(ports, url.hostname);
  throw last;
}

/** One request by one route. Where a connection has to be opened, that must not take longer than `connectMs`. */
async function dial({ ports, url, request, watch, connectMs }: Work, route: HttpRoute): Promise<HttpReply> {
  const attempt = watch.attempt();
  let endConnect = (): void => undefined;
  try {
    const sent = ports.http.send({
      ...route,
      url,
      method: request.method ?? "GET",
      headers: { "user-agent": "fermix", ...ownedByCaller(request.headers), "accept-encoding": "identity" },
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(request.ownConnection === true ? { ownConnection: true } : {}),
      signal: attempt.signal,
      onConnection(state) {
        endConnect();
        endConnect = state === "opening" ? attempt.arm("connect", connectMs) : () => undefined;
      },
    });
    return await raceAbort(sent, attempt.signal);
  } finally {
    endConnect();
  }
}

function ownedByCaller(headers: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase())));
}

/** The body with the watch's deadlines on every read; `finish` runs once at its end, however it ends. */
function watched(
  body: ReadableStream<Uint8Array> | null,
  watch: Watch,
  url: URL,
  finish: () => void,
): ReadableStream<Uint8Array> | null {
  if (body === null) {
    finish();
    return null;
  }
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await watch.race(reader.read());
          if (!done) return controller.enqueue(value);
          finish();
          controller.close();
        } catch (cause) {
          finish();
          reader.cancel(cause).catch(() => undefined);
          controller.error(watch.signal.aborted ? watch.signal.reason : networkFailed(url, cause));
        }
      },
      async cancel(reason) {
        finish();
        await reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
}

function networkFailed(url: URL, cause: unknown, proxy?: string): FermixError {
  const what = reasonOf(cause);
  const reason = proxy === undefined ? what : `through the proxy ${proxy}: ${what}`;
  return new FermixError("network_failed", { host: url.hostname, reason }, { cause });
}
