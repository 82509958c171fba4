/** The one door to the network: judges the URL, judges every address it resolves to, and dials one that was judged. */
import { FermixError } from "../kernel/error.ts";
import { HttpFailure } from "../kernel/http-failure.ts";
import type { HttpReply, Ports } from "../kernel/ports.ts";
import { addressProblem, isV4 } from "./address-policy.ts";
import { DEFAULT_DEADLINES, type Deadlines, type Watch, watchRequest } from "./deadlines.ts";
import { takeSlot } from "./host-slots.ts";
import type { NetworkPolicy } from "./network-policy.ts";
import { assertPublicUrl } from "./url-policy.ts";

/** Whoever runs the DNS zone controls how many addresses there are; dialling each could take minutes. */
const MAX_ADDRESSES_DIALLED = 4;
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
 * dialled, so a second DNS answer changes nothing. Throws blocked_url, blocked_address, dns_failed, network_failed,
 * network_timeout, or the caller's abort reason.
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
  };
  try {
    giveBack = await takeSlot(url.host, watch.signal);
    const endConnect = watch.arm("connect", deadlines.connectMs);
    const addresses = await watch.race(publicAddresses(ports, url.hostname)).finally(endConnect);
    const endFirstByte = watch.arm("first_byte", deadlines.firstByteMs);
    const reply = await dialInTurn(ports, url, addresses, request, watch).finally(endFirstByte);
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

async function publicAddresses(ports: Pick<Ports, "dns">, host: string): Promise<readonly string[]> {
  const answers = [...new Set(await ports.dns.lookup(host))];
  if (answers.length === 0) throw new FermixError("dns_failed", { host });
  for (const address of answers) {
    const reason = addressProblem(address);
    if (reason !== undefined) throw new FermixError("blocked_address", { host, address, reason });
  }
  return [...answers.filter(isV4), ...answers.filter((address) => !isV4(address))].slice(0, MAX_ADDRESSES_DIALLED);
}

/** Tries the next address only when nothing was sent to the one before. */
async function dialInTurn(
  ports: Pick<Ports, "http">,
  url: URL,
  addresses: readonly string[],
  request: GuardedRequest,
  watch: Watch,
): Promise<HttpReply> {
  let last: unknown;
  for (const address of addresses) {
    try {
      return await watch.race(
        ports.http.send({
          url,
          address,
          method: request.method ?? "GET",
          headers: { "user-agent": "fermix", ...ownedByCaller(request.headers), "accept-encoding": "identity" },
          ...(request.body === undefined ? {} : { body: request.body }),
          signal: watch.signal,
        }),
      );
    } catch (cause) {
      if (watch.signal.aborted) throw watch.signal.reason;
      if (!(cause instanceof HttpFailure)) throw cause;
      last = cause;
      if (cause.kind !== "connect") break;
    }
  }
  throw networkFailed(url, last);
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

function networkFailed(url: URL, cause: unknown): FermixError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new FermixError("network_failed", { host: url.hostname, reason }, { cause });
}
