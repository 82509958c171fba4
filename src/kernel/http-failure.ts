/** What the `Http` port throws: how far a request got before it failed, so that callers know what may be tried again. */

/**
 * `connect`: nothing was sent. `tls`: the certificate or handshake was refused, nothing was sent. `reset`: the
 * connection broke after it stood. `aborted`: the caller's signal ended it.
 */
export type HttpFailureKind = "connect" | "tls" | "reset" | "aborted";

export class HttpFailure extends Error {
  readonly kind: HttpFailureKind;

  constructor(kind: HttpFailureKind, message: string, options?: { cause?: unknown }) {
    super(message, options);
    this.name = "HttpFailure";
    this.kind = kind;
  }
}
