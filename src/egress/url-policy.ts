/** Which URLs Fermix may ask at all, judged on the text alone, before any name is resolved (spec 3.2). */
import { FermixError } from "../kernel/error.ts";

/** A manifest, a catalog or a model chooses the URL; servers refuse far shorter ones. */
export const MAX_URL_CHARS = 16_384;
/** DNS: a name has at most 253 characters (RFC 1035 2.3.4). */
const MAX_HOST_CHARS = 253;
/** One DNS label (RFC 1123 2.1). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

/** Names that never mean a public host (RFC 6761, 6762, 7686, 8375, 9476, ICANN's .internal and its collision list). */
const PRIVATE_SUFFIXES: ReadonlySet<string> = new Set([
  "localhost",
  "localdomain",
  "local",
  "internal",
  "home.arpa",
  "in-addr.arpa",
  "ip6.arpa",
  "onion",
  "alt",
  "lan",
  "intranet",
  "corp",
  "home",
  "private",
  "workgroup",
]);

/**
 * The parsed URL when its text may be asked: https, a plain public DNS name, nothing that parsers read in two ways.
 * Throws blocked_url, which names the host and the rule but never the path or query (they may hold secrets).
 */
export function assertPublicUrl(text: string): URL {
  if (text === "") throw blocked("", "the URL is empty");
  if (text.length > MAX_URL_CHARS) throw blocked(hostIn(text), `the URL is longer than ${MAX_URL_CHARS} characters`);
  if (/[\s\u0000-\u001f\u007f-\u009f]/u.test(text))
    throw blocked(hostIn(text), "the URL has whitespace or control characters");
  if (text.includes("\\")) throw blocked(hostIn(text), "the URL has a backslash");
  const url = URL.parse(text);
  if (url === null) throw blocked(hostIn(text), "it is not a URL");
  if (url.protocol !== "https:") throw blocked(url.hostname, `only https is allowed, not ${url.protocol.slice(0, -1)}`);
  const authority = /^https:\/\/([^/?#]*)/i.exec(text)?.[1];
  if (authority === undefined || authority === "") throw blocked(url.hostname, "the URL has no host of its own");
  if (authority.includes("@")) throw blocked(url.hostname, "the URL carries a user name or password");
  if (authority.includes("%")) throw blocked(url.hostname, "the host is percent-encoded");
  if (/[^\u0021-\u007e]/.test(authority))
    throw blocked(url.hostname, "the host must be written in its ASCII (xn--) form");
  if (url.port === "0") throw blocked(url.hostname, "port 0 is no port");
  const reason = judgedHost(url.hostname);
  if (reason !== undefined) throw blocked(url.hostname, reason);
  return url;
}

/** A plugin asks the same few hosts again and again; manifests choose how many there are. */
const MAX_HOSTS_KEPT = 256;
const soundHosts = new Set<string>();

function judgedHost(host: string): string | undefined {
  if (soundHosts.has(host)) return undefined;
  const reason = hostProblem(host);
  if (reason === undefined && soundHosts.size < MAX_HOSTS_KEPT) soundHosts.add(host);
  return reason;
}

/** Why a parsed, lower-case host name is not a public DNS name; undefined when it is one. */
function hostProblem(host: string): string | undefined {
  if (host === "") return "the host is empty";
  if (host.startsWith("[") || /^\d+(\.\d+){3}$/.test(host)) return "it is an IP address, not a name";
  if (host.endsWith(".")) return "the host ends in a dot";
  if (host.length > MAX_HOST_CHARS) return `the host is longer than ${MAX_HOST_CHARS} characters`;
  const labels = host.split(".");
  // No suffix of the list has more than two labels.
  for (const suffix of [labels.at(-1) ?? "", labels.slice(-2).join(".")]) {
    if (PRIVATE_SUFFIXES.has(suffix)) return `names under "${suffix}" are never public`;
  }
  if (labels.length < 2) return "it is a name without a domain";
  if (!labels.every((label) => LABEL.test(label))) return "it is not a valid DNS name";
  if (/^\d+$/.test(labels.at(-1) ?? "")) return "its last part is a number";
  return undefined;
}

/** The authority as written, for a message about a URL that did not even parse. */
function hostIn(text: string): string {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:[^/?#@]*@)?([^/?#]*)/i.exec(text)?.[1]?.slice(0, MAX_HOST_CHARS) ?? "";
}

function blocked(host: string, reason: string): FermixError {
  return new FermixError("blocked_url", { host, reason });
}
