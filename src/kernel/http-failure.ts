/** What the `Http` port throws: how far a request got before it failed, so that callers know what may be tried again. */

/**
 * `connect`: nothing was sent. `tls`: the certificate or handshake was refused, nothing was sent. `reset`: the
 * connection broke after it stood. `aborted`: the caller's signal ended it.
 */
export type HttpFailureKind = "connect" | "tls" | "reset" | "aborted";

/** What is wrong with a certificate that was refused: when it is valid, or for whom and by whom it was issued. */
export type CertificateFault = "time" | "identity";

/** What the engine's codes for a broken exchange mean to somebody who did not write it. */
const MEANINGS: Readonly<Record<string, string>> = {
  ECONNRESET: "the server closed the connection before its answer was complete",
  ECONNREFUSED: "the connection was refused",
  EHOSTUNREACH: "the server cannot be reached from here",
  ENETUNREACH: "the network cannot be reached from here",
  ETIMEDOUT: "the connection was not answered",
  FailedToOpenSocket: "no connection could be opened",
  EPROTO:
    "no TLS connection came about: the server and Fermix, which takes TLS 1.2 or newer and HTTP/1.1, found nothing in common",
  UnrequestedUpgrade: "the server switched to another protocol, which nobody had asked for",
  Malformed_HTTP_Response: "the server does not answer in HTTP",
  InvalidHTTPResponse: "the answer breaks the rules of HTTP",
  InvalidContentLength: "the answer contradicts itself about its length",
  ResponseHeadersTooLarge: "the head of the answer is too large",
};

/** What broke an exchange, in words: the engine's own messages show the dialled URL and advise on its API. */
export function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause);
  const [first = cause.message] = cause.message.split(/(?<=[.?!]) /);
  const known = MEANINGS["code" in cause ? String(cause.code) : ""] ?? MEANINGS[/^\w+/.exec(first)?.[0] ?? ""];
  return known ?? first.replace(/ fetching ".*$/s, "").replace(/\.$/, "");
}

/** What is wrong with the certificate that this failure is about; undefined when it is about something else. */
export function certificateFaultOf(cause: unknown): CertificateFault | undefined {
  if (cause instanceof HttpFailure) return certificateFaultOf(cause.cause);
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  if (code === "CERT_HAS_EXPIRED" || code === "CERT_NOT_YET_VALID") return "time";
  return /ALTNAME|SELF_SIGNED|^UNABLE_TO_(?:GET|VERIFY)_/.test(code) ? "identity" : undefined;
}

export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;

  constructor(kind: HttpFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "HttpFailure";
    this.kind = kind;
  }
}
