/** How an argument is written as text, in an address and in a body, so that it decodes to what was given. */
import { FermixError } from "../../kernel/error.ts";
import type { JsonValue } from "../../kernel/json.ts";

/**
 * The text of a value: text as it is, a list as its items between commas, everything else as JSON (a raw number keeps
 * its digits).
 */
export function textOf(value: JsonValue): string {
  return Array.isArray(value) ? value.map(textOfOne).join(",") : textOfOne(value);
}

/**
 * The text of a value percent-encoded for one path segment or one query value: of all that means something to a URL,
 * only the commas between a list's items stay. Throws argument_invalid for half of a surrogate pair, which no URL can
 * carry.
 */
export function urlTextOf(value: JsonValue, argument: string): string {
  return Array.isArray(value)
    ? value.map((item) => encoded(textOfOne(item), argument)).join(",")
    : encoded(textOfOne(value), argument);
}

function textOfOne(value: JsonValue): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function encoded(text: string, argument: string): string {
  if (text.isWellFormed()) return encodeURIComponent(text);
  const reason = "it holds half of a character (a lone surrogate), which an address cannot carry";
  throw new FermixError("argument_invalid", { argument, reason });
}
