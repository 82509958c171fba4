/** Bounds what one request may grow to, before it is written: its author chooses how often an argument is used, the agent how long it is. */
import { FermixError } from "../../kernel/error.ts";
import type { JsonValue } from "../../kernel/json.ts";
import { ROOT } from "../../manifest/place.ts";
import { eachBracedText, placeholdersIn } from "../../manifest/placeholders.ts";
import type { Arguments } from "./api.ts";

/** Several times what an agent can send in one message. */
const MAX_FILLED_CHARS = 32 * 1024 * 1024;

/** Throws request_too_large when the placeholders of these templates would hold more than 32 Mi characters together. */
export function assertBounded(templates: JsonValue, args: Arguments): void {
  const sizes = new Map<string, number>();
  const sizeOf = (name: string): number => {
    const known = sizes.get(name);
    if (known !== undefined) return known;
    const value = args.get(name) ?? "";
    const size = typeof value === "string" ? value.length : JSON.stringify(value).length;
    sizes.set(name, size);
    return size;
  };
  let filled = 0;
  eachBracedText(templates, ROOT, (text) => {
    for (const name of placeholdersIn(text)) filled += sizeOf(name);
    if (filled > MAX_FILLED_CHARS) throw new FermixError("request_too_large", { limit: MAX_FILLED_CHARS });
  });
}
