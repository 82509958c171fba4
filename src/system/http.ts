/** Sends one https request to one given address, with the certificate checked for the name, not the address. */
import { readFileSync } from "node:fs";
import { hasErrno } from "../kernel/error.ts";
import { HttpFailure, type HttpFailureKind } from "../kernel/http-failure.ts";
import type { Http } from "../kernel/ports.ts";

/** Nothing reached the other side. */
const NOT_CONNECTED = [
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "EADDRNOTAVAIL",
  "EHOSTDOWN",
  "ETIMEDOUT",
  "FailedToOpenSocket",
];

export const systemHttp: Http = {
  async send({ url, address, method, headers, body, signal }) {
    const target = new URL(url);
    target.hostname = address.includes(":") ? `[${address}]` : address;
    try {
      const reply = await fetch(target, {
        method,
        headers: { ...headers, host: url.host },
        tls: { serverName: url.hostname, rejectUnauthorized: true, ...operatorRoots() },
        redirect: "manual",
        decompress: false,
        verbose: false,
        proxy: false,
        ...(body === undefined ? {} : { body }),
        ...(signal === undefined ? {} : { signal }),
      });
      return { status: reply.status, headers: reply.headers, body: reply.body };
    } catch (cause) {
      if (!(cause instanceof Error)) throw cause;
      throw new HttpFailure(signal?.aborted ? "aborted" : kindOf(cause), firstSentence(cause.message), { cause });
    }
  },
};

function kindOf(error: Error): HttpFailureKind {
  if (hasErrno(error, ...NOT_CONNECTED)) return "connect";
  const code = "code" in error ? String(error.code) : "";
  return /CERT|TLS|SSL|EPROTO|SELF_SIGNED|UNABLE_TO/.test(code) ? "tls" : "reset";
}

/** Bun's messages go on with advice about its own API. */
function firstSentence(message: string): string {
  return message.split(/(?<=[.?!]) /)[0] ?? message;
}

/** SSL_CERT_FILE replaces the built-in roots, as in OpenSSL; Bun itself reads NODE_EXTRA_CA_CERTS (DECISIONS 14). */
function operatorRoots(): { ca?: string[] } {
  const own = process.env["SSL_CERT_FILE"];
  if (own === undefined || own === "") return {};
  const extra = process.env["NODE_EXTRA_CA_CERTS"];
  return {
    ca: [own, extra]
      .filter((path) => path !== undefined && path !== "")
      .map((path) => readFileSync(path ?? "", "utf8")),
  };
}
