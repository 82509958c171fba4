/** A request as a test expects the provider to have received it, whole: one line, the headers beyond the transport's own, the body. */
import { type Call, TRANSPORT_HEADERS } from "./stand-in.ts";

/**
 * `GET https://host/path?query`, encoded as it must arrive. A body is the JSON text that must arrive, with its type and
 * length among the headers. PUT and DELETE go over a connection of their own, as nothing may send them twice.
 */
export function sent(line: string, headers: Readonly<Record<string, string>>, body = ""): Call {
  const [, method = "", host = "", path = "", query = ""] =
    /^(\S+) https:\/\/([^/]+)([^?]*)(?:\?(.*))?$/.exec(line) ?? [];
  const { connection, ...transport } = TRANSPORT_HEADERS;
  const ofMethod = method === "PUT" || method === "DELETE" ? {} : { connection };
  const ofBody = body === "" ? {} : { "content-type": "application/json" };
  const length = method === "GET" ? {} : { "content-length": `${Buffer.byteLength(body)}` };
  return { method, host, path, query, headers: { ...transport, ...ofMethod, ...ofBody, ...length, ...headers }, body };
}

/** The same over a connection of its own: what is worth more than a handshake, such as a single-use refresh token. */
export function sentAlone(line: string, headers: Readonly<Record<string, string>>, body = ""): Call {
  const call = sent(line, headers, body);
  const { connection: _, ...others } = call.headers;
  return { ...call, headers: others };
}
