/** Judges the address of a request template before anything is filled in (spec 1.6, HTTP-1). */

import { quote } from "../kernel/codes/row.ts";
import type { Place } from "./place.ts";
import type { Problems } from "./problems.ts";
import type { Rule } from "./rules.ts";

const SCHEME = "https://";
const AUTHORITY_END = /[/?#\\]/;
const SPACE_OR_CONTROL = /[\s\u0000-\u001f\u007f]/;
/** What needs no URL parser to be known as a host, which is every host in practice. */
const PLAIN_AUTHORITY = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*\.[a-z]{2,63}$/;

/**
 * Notes the first of: not https, userinfo, no host, a placeholder in the authority, not an address at all. The order is
 * the ecosystem's, so that both validators name the same rule. True when the address is sound.
 */
export function checkTemplateUrl(problems: Problems, url: string, path: Place): boolean {
  const broken = brokenRule(url);
  if (broken === undefined) return true;
  problems.add(path, broken, `it is ${quote(url)}`);
  return false;
}

function brokenRule(url: string): Rule | undefined {
  if (!url.startsWith(SCHEME)) return "non_https_url";
  // A backslash ends the authority in every browser-like parser, so it ends it here as well.
  const rest = url.slice(SCHEME.length);
  const end = rest.search(AUTHORITY_END);
  const authority = end === -1 ? rest : rest.slice(0, end);
  if (authority.includes("@")) return "userinfo_in_url";
  if (authority === "" || authority.startsWith(":") || authority.includes("..")) return "invalid_url_host";
  if (authority.includes("{")) return "placeholder_in_host";
  if (SPACE_OR_CONTROL.test(url) || url.includes("\\")) return "invalid_url";
  if (PLAIN_AUTHORITY.test(authority) || URL.parse(`${SCHEME}${authority}`) !== null) return undefined;
  return "invalid_url_host";
}
