/** Fills in a template's address so that no argument can change where it points or leave its own path segment. */
import { FermixError } from "../../kernel/error.ts";
import { fillPlaceholders } from "../../manifest/placeholders.ts";
import type { Arguments } from "./api.ts";
import { urlTextOf } from "./url-text.ts";

const SCHEME = "https://";
/** What ends the authority to a URL parser, a backslash included. */
const AUTHORITY_END = /[/?#\\]/;
const PATH_END = /[?#]/;
/** What a URL parser takes for "here" or "one up", however it is spelt (WHATWG URL, single-dot and double-dot segment). */
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/**
 * The address with every placeholder filled in and percent-encoded, parsed, its fragment dropped (it is never sent).
 * Throws argument_wanted for an argument that is not there, argument_invalid for one that is empty in the path, makes a
 * path segment `.` or `..`, or cannot be encoded, and request_unsound when scheme, host or port would not be the
 * template's, or braces are left that are no placeholder (spec 1.6, HTTP-7).
 */
export function renderUrl(template: string, args: Arguments): URL {
  const pathStart = startOfPath(template);
  const after = template.slice(pathStart).search(PATH_END);
  const pathEnd = after === -1 ? template.length : pathStart + after;
  const authority = template.slice(0, pathStart);
  const segments = template.slice(pathStart, pathEnd).split("/");
  const path = segments.map((segment) => renderSegment(segment, args)).join("/");
  const rest = fillPlaceholders(template.slice(pathEnd), (name) => urlTextOf(wanted(name, args), name));
  return sameOrigin(authority + path + rest, authority);
}

function startOfPath(template: string): number {
  if (!template.startsWith(SCHEME)) throw unsound("the template's address is not https");
  const end = template.slice(SCHEME.length).search(AUTHORITY_END);
  return end === -1 ? template.length : SCHEME.length + end;
}

/** One segment; an argument never adds another one, because it comes without slashes. */
function renderSegment(segment: string, args: Arguments): string {
  let last: string | undefined;
  const filled = fillPlaceholders(segment, (name) => {
    last = name;
    const text = urlTextOf(wanted(name, args), name);
    if (text === "") throw invalid(name, "it is a part of the address and must not be empty");
    return text;
  });
  // The parser would drop such a segment, and the one before it: another resource than the template's.
  if (last !== undefined && DOT_SEGMENT.test(filled)) {
    throw invalid(last, "a part of the address must not be `.` or `..`");
  }
  return filled;
}

/** null has no text that would mean it, so it counts as not given. */
function wanted(argument: string, args: Arguments) {
  const value = args.get(argument) ?? undefined;
  if (value === undefined) throw new FermixError("argument_wanted", { argument });
  return value;
}

/** Encoded arguments hold neither braces nor anything that ends an authority; this proves it of what will be sent. */
function sameOrigin(text: string, authority: string): URL {
  if (/[{}]/.test(text)) throw unsound("the template's address has braces that are no placeholder");
  const url = URL.parse(text);
  const own = URL.parse(authority);
  if (url === null || own === null) throw unsound("the template's address is not a URL");
  if (url.origin !== own.origin || url.username !== "" || url.password !== "") {
    throw unsound("filling in the address would change its scheme, host or port");
  }
  url.hash = "";
  return url;
}

function invalid(argument: string, reason: string): FermixError {
  return new FermixError("argument_invalid", { argument, reason });
}

function unsound(reason: string): FermixError {
  return new FermixError("request_unsound", { reason });
}
