/** Writes a provider's cursor as the text that an agent carries to its next call, and reads it back as what it was. */
import { parseKeepingDigits } from "../../kernel/exact-json.ts";
import type { JsonValue } from "../../kernel/json.ts";
import type { Paginate } from "../../manifest/manifest.ts";

type CursorPlace = Paginate["cursorIn"];

const NUMBER = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/**
 * The cursor as text. An address holds only text, while a body has numbers too and a provider may take only the kind
 * that it gave: there a number is its digits, and text that would be taken for one stands between quotes.
 */
export function cursorText(cursor: JsonValue, place: CursorPlace): string {
  if (typeof cursor !== "string") return JSON.stringify(cursor);
  const isAmbiguous = place === "body" && (NUMBER.test(cursor) || cursor.startsWith('"'));
  return isAmbiguous ? JSON.stringify(cursor) : cursor;
}

/** The cursor that `cursorText` wrote; other text means itself. */
export function cursorFromText(text: string, place: CursorPlace): JsonValue {
  if (place === "query") return text;
  if (NUMBER.test(text)) return parseKeepingDigits(text) as JsonValue;
  return text.startsWith('"') ? quoted(text) : text;
}

function quoted(text: string): string {
  try {
    const inside: unknown = JSON.parse(text);
    return typeof inside === "string" ? inside : text;
  } catch (error) {
    if (error instanceof SyntaxError) return text;
    throw error;
  }
}
