/** Sends one https request by one given route, with the certificate checked for the name, whatever is dialled. */
import { hasErrno, isFermixError } from "../kernel/error.ts";
import { HttpFailure, type HttpFailureKind, reasonOf } from "../kernel/http-failure.ts";
import type { Http, HttpRequest } from "../kernel/ports.ts";
import { type ConnectionPool, givePoolUp, poolFor } from "./connection-pool.ts";

/** Nothing reached the other side. */
const NOT_CONNECTED = [
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EHOSTDOWN",
  "ETIMEDOUT",
  "ERR_PROXY_TUNNEL",
  "FailedToOpenSocket",
];

/** What Bun sends again by itself on a new connection when a reused one breaks; of these only a GET may be. */
const RESENT_BY_BUN: ReadonlySet<string> = new Set(["HEAD", "OPTIONS", "TRACE", "PUT", "DELETE"]);

export const systemHttp: Http = {
  async send(request) {
    const { url, method, headers, body, signal } = request;
    const pool = poolFor(url.hostname, request.proxy);
    const follow = followConnection(pool, request);
    try {
      const reply = await fetch(targetOf(request), {
        session: pool.session,
        method,
        headers: { ...headers, host: url.host },
        redirect: "manual",
        decompress: false,
        verbose: false,
        // A connection of its own is never a reused one, so nothing is sent twice.
        ...(wantsOwnConnection(request) ? { keepalive: false } : {}),
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return { status: reply.status, headers: reply.headers, body: reply.body };
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      const kind = signal?.aborted ? "aborted" : kindOf(cause, follow.stillOpening());
      // Whoever gave up by choice says nothing about the connection.
      const isDoubtful = kind !== "aborted" || isFermixError(signal?.reason, "network_timeout");
      if (isDoubtful && pool.mayHaveOpen) givePoolUp(pool);
      throw new HttpFailure(kind, reasonOf(cause), { cause });
    } finally {
      follow.end();
    }
  },
};

function wantsOwnConnection({ method, ownConnection }: HttpRequest): boolean {
  return ownConnection === true || RESENT_BY_BUN.has(method);
}

function targetOf({ url, address }: HttpRequest): string {
  if (address === undefined) return url.href;
  const host = address.includes(":") ? `[${address}]` : address;
  return `https://${host}${url.port === "" ? "" : `:${url.port}`}${url.pathname}${url.search}`;
}

interface Following {
  /** Whether a connection had to be opened for this request and none stands yet. */
  stillOpening(): boolean;
  end(): void;
}

/** Tells the request's owner how its connection comes about, as far as that is certain. */
function followConnection(pool: ConnectionPool, request: HttpRequest): Following {
  const { onConnection } = request;
  // With an open connection in the pool nobody can say which request gets it.
  if (pool.mayHaveOpen && !wantsOwnConnection(request)) return { stillOpening: () => false, end: () => undefined };
  let opening = true;
  const onOpen = (): void => {
    opening = false;
    onConnection?.("open");
  };
  pool.opening.add(onOpen);
  onConnection?.("opening");
  return { stillOpening: () => opening, end: () => pool.opening.delete(onOpen) };
}

function kindOf(error: Error, stillOpening: boolean): HttpFailureKind {
  if (hasErrno(error, ...NOT_CONNECTED)) return "connect";
  const code = "code" in error ? String(error.code) : "";
  if (/CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO/.test(code)) return "tls";
  return stillOpening ? "connect" : "reset";
}
