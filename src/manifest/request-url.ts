/** Judges the address of a request template before anything is filled in (spec 1.6, HTTP-1). */
import { quote } from "../kernel/codes/row.ts";
import type { JsonPath } from "../kernel/json-path.ts";
import type { Problems } from "./problems.ts";

const SCHEME = "https://";
const SPACE_OR_CONTROL = /[\s\u0000-\u001f\u007f]/;
const ANY_PLACEHOLDER = /\{[a-zA-Z_][a-zA-Z0-9_]*\}/g;

/**
 * Notes the first of: not https, userinfo, no host, a placeholder in the authority, not an address at all. The order is
 * the ecosystem's, so that both validators name the same rule. True when the address is sound.
 */
export function checkTemplateUrl(problems: Problems, url: string, path: JsonPath): boolean {
  const refuse = (rule: Parameters<Problems["add"]>[1]): false => {
    problems.add(path, rule, `it is ${quote(url)}`);
    return false;
  };
  if (!url.startsWith(SCHEME)) return refuse("non_https_url");
  // A backslash ends the authority in every browser-like parser, so it ends it here as well.
  const authority = url.slice(SCHEME.length).split(/[/?#\\]/, 1)[0] ?? "";
  if (authority.includes("@")) return refuse("userinfo_in_url");
  if (authority === "" || authority.startsWith(":")) return refuse("invalid_url_host");
  if (authority.includes("{")) return refuse("placeholder_in_host");
  if (SPACE_OR_CONTROL.test(url) || url.includes("\\")) return refuse("invalid_url");
  const parsed = URL.parse(url.replace(ANY_PLACEHOLDER, "x"));
  return parsed === null || parsed.hostname === "" ? refuse("invalid_url_host") : true;
}
