/** Reads the `runtime` of a hosted server: the one endpoint a credential may ever be sent to (spec 1.7). */

import * as v from "valibot";
import type { JsonObject } from "../kernel/json.ts";
import type { HostedRuntime } from "./manifest.ts";
import { oneOf, text } from "./parts.ts";
import { below, ROOT } from "./place.ts";
import type { Reading } from "./reading.ts";

const AT = below(ROOT, "runtime");
const fields = {
  kind: v.literal("remote_mcp", "invalid_remote_runtime"),
  transport: v.literal("streamable_http", "invalid_remote_runtime"),
  protocol_version: v.literal("2025-06-18", "invalid_remote_runtime"),
  base_url: text,
  mcp_path: text,
  tool_name_mode: oneOf(["prefix", "preserve"], "invalid_remote_runtime"),
};
const KEYS: ReadonlySet<string> = new Set(Object.keys(fields));
/** What a local process needs; a hosted plugin that names one would suggest that something runs here. */
const LOCAL_KEYS: ReadonlySet<string> = new Set([
  "command",
  "args",
  "env",
  "pass_env",
  "cwd",
  "vendored",
  "min_version",
]);

/** The endpoint; undefined when a rule was broken. Exactly six keys, all required. */
export function readHostedRuntime({ problems }: Reading, raw: JsonObject): HostedRuntime | undefined {
  for (const key of Object.keys(raw)) {
    if (LOCAL_KEYS.has(key)) problems.add(below(AT, key), "remote_runtime_conflict");
  }
  problems.closed(raw, AT, new Set([...KEYS, ...LOCAL_KEYS]));
  const { base_url, mcp_path, tool_name_mode } = problems.fields(raw, AT, fields);
  const origin = base_url === undefined ? undefined : judgeBaseUrl(base_url);
  if (origin !== undefined && "fault" in origin) {
    problems.add(below(AT, "base_url"), "invalid_base_url", ORIGIN_FAULTS[origin.fault]);
  }
  const pathFault = mcp_path === undefined ? undefined : faultOfMcpPath(mcp_path);
  if (pathFault !== undefined) problems.add(below(AT, "mcp_path"), "invalid_mcp_path", PATH_FAULTS[pathFault]);
  if (origin === undefined || "fault" in origin || mcp_path === undefined || pathFault !== undefined) return undefined;
  if (tool_name_mode === undefined) return undefined;
  return { baseUrl: origin.url, mcpPath: mcp_path, toolNameMode: tool_name_mode };
}

const ORIGIN_FAULTS = {
  empty: "it is empty",
  whitespace_or_control: "it holds whitespace, a control or a non-ASCII character",
  template: "it holds a `{`, `}` or `*`",
  scheme_not_https: "its scheme is not https",
  userinfo_not_allowed: "it carries a user or password",
  fragment_not_allowed: "it has a fragment",
  query_not_allowed: "it has a query",
  path_not_allowed: "it has a path",
  empty_host: "it names no host",
  ip_literal_not_allowed: "its host is an address, not a name",
  invalid_host: "its host is no DNS name",
  invalid_port: "its port is no number from 1 to 65535",
} as const;
type OriginFault = keyof typeof ORIGIN_FAULTS;

const VISIBLE_ASCII = /^[\u0021-\u007e]*$/;
const MAX_HOST_BYTES = 253;
const DNS_NAME = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;
/** A last label like these makes URL parsers read the host as an IPv4 address (WHATWG URL, "ends in a number"). */
const NUMERIC_LABEL = /^(?:[0-9]+|0x[0-9a-f]*)$/;
const PORT = /^[1-9][0-9]{0,4}$/;
const MAX_PORT = 65_535;

/** The origin with its host in lower case, or what keeps it from being one. */
function judgeBaseUrl(text: string): { readonly url: string } | { readonly fault: OriginFault } {
  if (text === "") return { fault: "empty" };
  if (!VISIBLE_ASCII.test(text)) return { fault: "whitespace_or_control" };
  if (/[{}*]/.test(text)) return { fault: "template" };
  const rest = /^https:\/\/(.*)$/i.exec(text)?.[1];
  if (rest === undefined) return { fault: "scheme_not_https" };
  const end = rest.search(/[/?#\\]/);
  const authority = end === -1 ? rest : rest.slice(0, end);
  if (authority.includes("@")) return { fault: "userinfo_not_allowed" };
  if (rest.includes("#")) return { fault: "fragment_not_allowed" };
  if (rest.includes("?")) return { fault: "query_not_allowed" };
  if (end !== -1) return { fault: "path_not_allowed" };
  if (authority.startsWith("[")) return { fault: "ip_literal_not_allowed" };
  const colon = authority.indexOf(":");
  const host = (colon === -1 ? authority : authority.slice(0, colon)).toLowerCase();
  const fault = faultOfHost(host);
  if (fault !== undefined) return { fault };
  if (colon === -1) return { url: `https://${host}` };
  const port = authority.slice(colon + 1);
  if (!PORT.test(port) || Number(port) > MAX_PORT) return { fault: "invalid_port" };
  return { url: `https://${host}:${port}` };
}

function faultOfHost(host: string): OriginFault | undefined {
  if (host === "") return "empty_host";
  if (NUMERIC_LABEL.test(host.replace(/\.$/, "").split(".").at(-1) ?? "")) return "ip_literal_not_allowed";
  if (host.length > MAX_HOST_BYTES || !DNS_NAME.test(host)) return "invalid_host";
  return undefined;
}

const PATH_FAULTS = {
  not_absolute: "it does not start with /",
  whitespace_or_control: "it holds whitespace, a control or a non-ASCII character",
  query_not_allowed: "it has a query",
  fragment_not_allowed: "it has a fragment",
  backslash: "it holds a backslash",
  encoded_slash: "it holds an encoded slash",
  template: "it holds a `{`, `}` or `*`",
  dot_segment: "it holds a `.` or `..` segment",
  empty_segment: "it holds an empty segment",
} as const;
type PathFault = keyof typeof PATH_FAULTS;

/** What keeps a text from being a plain absolute path, undefined when nothing does. */
function faultOfMcpPath(path: string): PathFault | undefined {
  if (!path.startsWith("/")) return "not_absolute";
  if (!VISIBLE_ASCII.test(path)) return "whitespace_or_control";
  if (path.includes("?")) return "query_not_allowed";
  if (path.includes("#")) return "fragment_not_allowed";
  if (path.includes("\\")) return "backslash";
  if (/%2f/i.test(path)) return "encoded_slash";
  if (/[{}*]/.test(path)) return "template";
  // URL parsers read `%2e` as a dot, so an encoded dot segment is one too.
  const segments = path
    .slice(1)
    .split("/")
    .map((segment) => segment.replace(/%2e/gi, "."));
  if (segments.some((segment) => segment === "." || segment === "..")) return "dot_segment";
  return segments.length > 1 && segments.includes("") ? "empty_segment" : undefined;
}
