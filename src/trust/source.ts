/** Opens the bytes of an artifact or of its signature wherever they are: in the binary, at a mirror, or on the web. */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type GuardedReply, guardedFetch } from "../egress/guarded-fetch.ts";
import type { NetworkPolicy } from "../egress/network-policy.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";
import type { ChunkReader } from "./stream-to-file.ts";

const EMBEDDED = "embedded:";
const READ_CHUNK = 1 << 20;
/** Release hosts answer with one or two redirects to their storage; whoever runs them controls how many. */
const MAX_REDIRECTS = 5;
const REDIRECTS: readonly number[] = [301, 302, 303, 307, 308];
const GONE: readonly number[] = [404, 410];

export type SourcePorts = Pick<Ports, "dns" | "http" | "embedded" | "clock">;

export interface SourceRequest {
  readonly plugin: string;
  readonly version: string;
  /** `embedded:NAME` or https, from the signed index. */
  readonly url: string;
  /** The operator's `artifact_mirror` (https or file URL of a folder): asked instead of `url`. */
  readonly mirror?: string | undefined;
  readonly network: NetworkPolicy;
  readonly signal: AbortSignal;
}

export interface OpenSource {
  readonly reader: ChunkReader;
  /** The length the source declares, if it does. */
  readonly total: number | undefined;
}

/**
 * The stream of a source. The sha256 and the signature decide about the bytes, so a redirect of an artifact may be
 * followed (each hop is judged by the network floor like the first); nothing else in Fermix follows one.
 * Throws artifact_unavailable (`absent` when nothing is there), and what guardedFetch throws.
 */
export async function openSource(ports: SourcePorts, request: SourceRequest): Promise<OpenSource> {
  const url = request.mirror === undefined ? request.url : mirrored(request, request.mirror);
  if (url.startsWith(EMBEDDED)) {
    const name = url.slice(EMBEDDED.length);
    const body = ports.embedded.stream(name);
    if (body === undefined) throw absent(request, url, "this binary does not contain it");
    return { reader: body.getReader(), total: ports.embedded.size(name) };
  }
  return url.startsWith("file:") ? openFile(request, url) : openWeb(ports, request, url);
}

/** The mirror holds every file under its own name, in one folder. */
function mirrored(request: SourceRequest, mirror: string): string {
  const name =
    request.url
      .replace(EMBEDDED, "")
      .replace(/[?#].*$/s, "")
      .split("/")
      .at(-1) ?? "";
  if (name === "") throw unavailable(request, request.url, "its URL ends in no file name");
  return `${mirror.replace(/\/+$/, "")}/${name}`;
}

function openFile(request: SourceRequest, url: string): OpenSource {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.host !== "") throw unavailable(request, url, "a file mirror is written file:///folder");
  try {
    const file = openSync(fileURLToPath(parsed), constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(file);
    if (stat.isFile()) return { reader: readFrom(file), total: stat.size };
    closeSync(file);
    throw unavailable(request, url, "it is not a file");
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR")) throw absent(request, url, "there is no such file", cause);
    if (hasErrno(cause, "EACCES", "EPERM")) throw unavailable(request, url, "it may not be read", cause);
    throw cause;
  }
}

/** Reads into one buffer again and again, so that memory does not grow with the file. */
function readFrom(file: number): ChunkReader {
  const buffer = new Uint8Array(READ_CHUNK);
  let open = true;
  const close = (): void => {
    if (open) closeSync(file);
    open = false;
  };
  return {
    async read() {
      const read = open ? readSync(file, buffer) : 0;
      if (read > 0) return { done: false, value: buffer.subarray(0, read) };
      close();
      return { done: true };
    },
    cancel: async () => close(),
  };
}

async function openWeb(ports: SourcePorts, request: SourceRequest, first: string): Promise<OpenSource> {
  let url = first;
  for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
    // A download may take long; download.ts ends it when it stands still.
    const { network, signal } = request;
    const reply = await guardedFetch(ports, { url }, { network, signal, deadlines: { totalMs: undefined } });
    if (reply.status === 200 && reply.body !== null) return fromReply(request, url, reply);
    await reply.body?.cancel();
    const location = reply.headers.get("location");
    const next = location === null ? null : URL.parse(location, url);
    if (!REDIRECTS.includes(reply.status) || next === null) {
      const fail = GONE.includes(reply.status) ? absent : unavailable;
      throw fail(request, url, `the server answered ${reply.status}`);
    }
    url = next.href;
  }
  throw unavailable(request, first, `it redirects more than ${MAX_REDIRECTS} times`);
}

async function fromReply(request: SourceRequest, url: string, reply: GuardedReply): Promise<OpenSource> {
  const encoding = reply.headers.get("content-encoding");
  if (reply.body === null || (encoding !== null && encoding !== "identity")) {
    await reply.body?.cancel();
    throw unavailable(request, url, "the server answered in an encoding that was not asked for");
  }
  const declared = Number(reply.headers.get("content-length") ?? Number.NaN);
  return {
    reader: reply.body.getReader(),
    total: Number.isSafeInteger(declared) && declared >= 0 ? declared : undefined,
  };
}

/** Nothing is there, as opposed to: it could not be had this time. */
function absent(request: SourceRequest, url: string, reason: string, cause?: unknown): FermixError {
  return notHad(request, url, true, reason, cause);
}

function unavailable(request: SourceRequest, url: string, reason: string, cause?: unknown): FermixError {
  return notHad(request, url, false, reason, cause);
}

function notHad(request: SourceRequest, url: string, isAbsent: boolean, reason: string, cause: unknown): FermixError {
  const { plugin, version } = request;
  // A query may be a signed, secret link.
  const source = url.replace(/[?#].*$/s, "");
  return new FermixError("artifact_unavailable", { plugin, version, source, absent: isAbsent, reason }, { cause });
}
