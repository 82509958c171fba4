/** Writes a template's query: which arguments are sent, and how lists are spelt (spec 1.6, DECISIONS 20). */
import type { JsonValue } from "../../kernel/json.ts";
import type { RequestTemplate } from "../../manifest/manifest.ts";
import { fillPlaceholders, onlyPlaceholder } from "../../manifest/placeholders.ts";
import type { Arguments } from "./api.ts";
import { isPlainObject } from "./argument-types.ts";
import { textOf, urlTextOf } from "./url-text.ts";

type QueryRules = Pick<RequestTemplate, "query" | "queryStyle" | "queryEmpty">;

/**
 * The query as `key=value` pairs between `&`, percent-encoded (a space is %20), in the template's order; "" for none.
 * A key whose value is one placeholder is left out when the argument is absent or null; a list there is spelt by
 * `query_style`, an empty list or object by `query_empty`. Throws argument_invalid for text no URL can carry.
 */
export function renderQuery(template: QueryRules, args: Arguments): string {
  return Object.entries(template.query)
    .flatMap(([key, value]) => pairs(template, key, value, args))
    .join("&");
}

function pairs(template: QueryRules, key: string, value: JsonValue, args: Arguments): readonly string[] {
  const name = encodeURIComponent(key);
  if (typeof value !== "string") return [`${name}=${encodeURIComponent(textOf(value))}`];
  const argument = onlyPlaceholder(value);
  if (argument === undefined) return [`${name}=${mixed(value, args)}`];
  const given = args.get(argument) ?? undefined;
  if (given === undefined || (isEmpty(given) && template.queryEmpty === "omit")) return [];
  return Array.isArray(given) ? list(template, name, given, argument) : [`${name}=${urlTextOf(given, argument)}`];
}

/** Text around placeholders: an absent argument leaves nothing where it stood. */
function mixed(value: string, args: Arguments): string {
  return fillPlaceholders(value, (argument) => urlTextOf(args.get(argument) ?? "", argument), encodeURIComponent);
}

function list(
  { queryStyle }: QueryRules,
  name: string,
  items: readonly JsonValue[],
  argument: string,
): readonly string[] {
  const key = queryStyle === "bracket" ? `${name}%5B%5D` : name;
  if (items.length === 0 || queryStyle === "comma") return [`${key}=${urlTextOf(items, argument)}`];
  return items.map((item) => `${key}=${urlTextOf([item], argument)}`);
}

function isEmpty(value: JsonValue): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return isPlainObject(value) && Object.keys(value).length === 0;
}
