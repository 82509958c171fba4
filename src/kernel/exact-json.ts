/** JSON whose numbers keep every digit: a number that a double cannot hold exactly as written travels as its own text. */

/** What the language has and TypeScript's library does not declare yet (proposal "JSON.parse source text access"). */
interface SourceTextJson {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
  ): unknown;
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}

const sourceText = JSON as unknown as SourceTextJson;

/** Sixteen digits in a row, or an exponent of two digits: what may lose its value in a double. A match in a string costs only time. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE][+-]?\d\d/;

/** Whether this JSON text holds a number that `JSON.parse` may change. */
export function mayLoseDigits(text: string): boolean {
  return MAY_LOSE_DIGITS.test(text);
}

/**
 * Parses JSON; a number that would not print again as written becomes a raw value which `JSON.stringify` writes back
 * unchanged. Throws SyntaxError as `JSON.parse` does.
 */
export function parseKeepingDigits(text: string): unknown {
  return sourceText.parse(text, (_key, value, { source }) =>
    typeof value === "number" && source !== undefined && String(value) !== source ? sourceText.rawJSON(source) : value,
  );
}

/** The digits of a raw number as they were written; undefined for every other value. */
export function rawDigits(value: unknown): string | undefined {
  return sourceText.isRawJSON(value) ? value.rawJSON : undefined;
}

/** The raw number that `JSON.stringify` writes with these digits. Throws SyntaxError when they are no JSON value. */
export function rawNumber(digits: string): unknown {
  return sourceText.rawJSON(digits);
}

/** The same value with raw numbers as doubles, for judging by a schema; the value itself when it holds none. */
export function withPlainNumbers(value: unknown): unknown {
  return holdsRawNumber(value) ? plain(value) : value;
}

/** Every call's arguments come through here, so nothing is allocated. */
function holdsRawNumber(value: unknown): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (sourceText.isRawJSON(value)) return true;
  if (Array.isArray(value)) return value.some(holdsRawNumber);
  for (const key in value) if (holdsRawNumber((value as Readonly<Record<string, unknown>>)[key])) return true;
  return false;
}

function plain(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (sourceText.isRawJSON(value)) return Number(value.rawJSON);
  if (Array.isArray(value)) return value.map(plain);
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, plain(item)]));
}
