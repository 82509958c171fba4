/** Answers of a hostile API, byte by byte as they go on the wire, each under the path of its name. */
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

/** What is done with a connection once a request has arrived on it. */
export type Deed =
  | { readonly send: string | Uint8Array }
  /** After the bytes: close the connection, leave it silent, or repeat the last bytes for ever. */
  | { readonly send: string | Uint8Array; readonly next: "close" | "silence" }
  | { readonly send: string | Uint8Array; readonly forEver: string | Uint8Array }
  /** One byte at a time, with a pause. */
  | { readonly drip: string; readonly everyMs: number };

const JSON_TYPE = "application/json";
export const MAX_REPLY_BYTES = 5_242_880;

interface Head {
  readonly status?: string;
  readonly type?: string | undefined;
  readonly headers?: readonly string[];
  /** What Content-Length claims; the truth when absent. */
  readonly length?: number;
}

/** A whole answer with Content-Length. */
function answer(body: string | Uint8Array, { status = "200 OK", type = JSON_TYPE, headers = [], length }: Head = {}) {
  const bytes = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status}`,
    `content-type: ${type}`,
    `content-length: ${length ?? bytes.length}`,
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${lines.join("\r\n")}\r\n\r\n`), bytes]);
}

/** A whole answer in chunks, with no length anywhere. */
function chunked(body: string | Uint8Array, headers: readonly string[] = []): Buffer {
  const bytes = Buffer.from(body);
  const parts: Buffer[] = [Buffer.from(["HTTP/1.1 200 OK", `content-type: ${JSON_TYPE}`, ...headers].join("\r\n"))];
  parts.push(Buffer.from("\r\ntransfer-encoding: chunked\r\n\r\n"));
  for (let at = 0; at < bytes.length; at += 65_536) {
    const chunk = bytes.subarray(at, at + 65_536);
    parts.push(Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n"));
  }
  return Buffer.concat([...parts, Buffer.from("0\r\n\r\n")]);
}

/** JSON text of exactly so many bytes. */
function jsonOf(bytes: number): string {
  return `"${"x".repeat(bytes - 2)}"`;
}

const nested = (levels: number): string => `${"[".repeat(levels)}${"]".repeat(levels)}`;
const redirect = (status: string, ...headers: readonly string[]): Deed => ({ send: answer("{}", { status, headers }) });
const packed = (encoding: string, body: Uint8Array): Deed => ({
  send: answer(body, { headers: [`content-encoding: ${encoding}`] }),
});

/** By path, such as `/gzip`. */
export const ANSWERS: Readonly<Record<string, Deed>> = {
  "/sound": { send: answer('{"sound":true}') },
  "/cookie": { send: answer('{"cookie":"set"}', { headers: ["set-cookie: session=stolen; Path=/"] }) },
  "/limit": { send: answer(jsonOf(MAX_REPLY_BYTES)) },
  "/past-limit": { send: answer(jsonOf(MAX_REPLY_BYTES + 1)) },
  // Inside the text of a result each of these quotes takes four bytes.
  "/quotes": { send: answer(`"${'\\"'.repeat((MAX_REPLY_BYTES - 2) / 2)}"`) },
  "/limit-chunked": { send: chunked(jsonOf(MAX_REPLY_BYTES)) },
  "/past-limit-chunked": { send: chunked(jsonOf(MAX_REPLY_BYTES + 1)) },
  "/endless": {
    send: `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n`,
    forEver: `10000\r\n${"x".repeat(65_536)}\r\n`,
  },
  "/endless-error": {
    send: "HTTP/1.1 500 No\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n",
    forEver: `10000\r\n${"y".repeat(65_536)}\r\n`,
  },
  "/endless-head": { send: "HTTP/1.1 200 OK\r\n", forEver: `x-more: ${"z".repeat(4096)}\r\n` },
  "/endless-interim": { send: "", forEver: "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n".repeat(64) },
  "/gzip": packed("gzip", gzipSync("{}")),
  "/gzip-upper": packed("GZIP", gzipSync("{}")),
  "/x-gzip": packed("x-gzip", gzipSync("{}")),
  "/gzip-that-is-not": packed("gzip", Buffer.from("{}")),
  "/bomb": packed("gzip", gzipSync(Buffer.alloc(64 << 20))),
  "/deflate": packed("deflate", deflateSync("{}")),
  "/br": packed("br", brotliCompressSync("{}")),
  "/zstd": packed("zstd", zstdCompressSync("{}")),
  "/gzip-twice": packed("gzip, gzip", gzipSync(gzipSync("{}"))),
  "/gzip-chunked": { send: chunked(gzipSync("{}"), ["content-encoding: gzip"]) },
  "/chunked": { send: chunked('{"sound":true}') },
  "/no-length": { send: `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\n\r\n{"sound":true}`, next: "close" },
  "/length-too-long": { send: answer('{"a":1}', { length: 4096 }), next: "close" },
  "/length-too-short": { send: answer('{"a":1}HTTP/1.1 200 OK\r\ncontent-length: 9\r\n\r\n"smuggle"', { length: 7 }) },
  "/length-huge": { send: answer("{", { length: 9_007_199_254_740_991 }), next: "silence" },
  "/length-negative": { send: answer("{}", { length: -2 }), next: "close" },
  "/two-lengths": { send: answer("{}", { headers: ["content-length: 1"] }), next: "close" },
  "/chunked-and-length": { send: chunked('{"sound":true}', ["content-length: 3"]) },
  "/chunk-size-nonsense": {
    send: `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    next: "close",
  },
  "/chunked-cut": {
    send: `HTTP/1.1 200 OK\r\ncontent-type: ${JSON_TYPE}\r\ntransfer-encoding: chunked\r\n\r\n20\r\n{"a":1`,
    next: "close",
  },
  "/stalled-head": { send: "", next: "silence" },
  "/stalled-body": { send: answer('{"a":', { length: 64 }), next: "silence" },
  "/dripping": { drip: answer(jsonOf(4096)).toString(), everyMs: 100 },
  "/closed": { send: "", next: "close" },
  "/not-http": { send: "SSH-2.0-OpenSSH_9.9\r\n", next: "close" },
  "/not-utf8": { send: answer(Buffer.from([0x22, 0xc3, 0x28, 0x22])) },
  "/lone-surrogate": { send: answer(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])) },
  "/utf16": { send: answer(Buffer.from("\ufeff{}", "utf16le")) },
  "/with-mark": { send: answer('\ufeff{"sound":true}') },
  "/nan": { send: answer('{"a":NaN}') },
  "/infinity": { send: answer("[-Infinity]") },
  "/two-values": { send: answer("{}{}") },
  "/cut-json": { send: answer('{"a":') },
  "/big-numbers": { send: answer('{"id":12345678901234567890,"price":1.10,"tiny":1e-400,"huge":1e400,"minus":-0}') },
  "/deep-500": { send: answer(nested(500)) },
  "/deep-501": { send: answer(nested(501)) },
  "/deep-million": { send: answer(nested(1_000_000)) },
  "/proto": { send: answer('{"__proto__":{"polluted":true},"constructor":{"a":1}}') },
  "/html-as-json": { send: answer("<!doctype html><title>Sign in</title>") },
  "/html": { send: answer("<!doctype html><title>Sign in</title>", { type: "text/html; charset=utf-8" }) },
  "/no-type": { send: "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}" },
  "/empty": { send: answer("") },
  "/no-content": { send: "HTTP/1.1 204 No Content\r\n\r\n" },
  "/301": redirect("301 Moved Permanently", "location: https://elsewhere.example.net/"),
  "/302": redirect("302 Found", "location: https://127.0.0.1/latest/meta-data/"),
  "/303": redirect("303 See Other", "location: /sound"),
  "/307": redirect("307 Temporary Redirect", "location: http://answers.fermix.test/sound"),
  "/308": redirect("308 Permanent Redirect", "location: file:///etc/passwd"),
  "/300": redirect("300 Multiple Choices", "location: //169.254.169.254/"),
  "/302-nowhere": redirect("302 Found"),
  "/302-empty": redirect("302 Found", "location: "),
  "/302-twice": redirect("302 Found", "location: /sound", "location: https://127.0.0.1/"),
  "/302-control": redirect("302 Found", "location: https://127.0.0.1/\u001b[31mred"),
  "/refresh": { send: answer('{"sound":true}', { headers: ["refresh: 0; url=https://127.0.0.1/"] }) },
  "/500": { send: answer("\u001b]0;title\u0007boom", { status: "500 Internal", type: "text/plain" }) },
};
