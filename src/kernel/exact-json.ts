/** JSON whose numbers keep every digit: a number that a double cannot hold exactly as written travels as its own text. */

/** What the language has and TypeScript's library does not declare yet (proposal "JSON.parse source text access"). */
interface SourceTextJson {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): value is { readonly rawJSON: string };
}

const sourceText = JSON as unknown as SourceTextJson;

const QUOTE = 34;
const MINUS = 45;
const BACKSLASH = 92;
const PLUS = 43;
const POINT = 46;
const UPPER_E = 69;
const LOWER_E = 101;

/** Sixteen digits in a row, or an exponent of two digits: what may lose its value in a double. A match in a string costs only time. */
const MAY_LOSE_DIGITS = /\d[\d.]{15}|\d[eE][+-]?\d\d/;

/** Whether this JSON text holds a number that `JSON.parse` may change. */
export function mayLoseDigits(text: string): boolean {
  return MAY_LOSE_DIGITS.test(text);
}

/**
 * Parses JSON; a number that would not print again as written becomes a raw value which `JSON.stringify` writes back
 * unchanged. Throws SyntaxError as `JSON.parse` does. A reviver that is told the source would do the same and takes a
 * hundred times as long: seconds for the 5 MiB that a provider or a server may send.
 */
export function parseKeepingDigits(text: string): unknown {
  // First, because it judges the text: what looks for numbers in it may then trust its grammar.
  const value: unknown = JSON.parse(text);
  const stood = withStandIns(text);
  return stood === undefined ? value : withRawNumbers(JSON.parse(stood.text), stood.digits);
}

/** No stand-in is smaller, and every number of a text that is not smaller gets one. */
const SMALLEST_STAND_IN = 1e300;
/** What a double that is not smaller has in it when it is printed. */
const PRINTED_AS_LARGE = "e+30";
/**
 * The other side chooses how many numbers it spells in another way than a double prints them; after so many, only what
 * would become another number keeps its own text.
 */
const MAX_SPELLINGS_KEPT = 50_000;

/** Puts the numbers that were meant where their stand-ins are, in the value itself, which nobody else has yet. */
function withRawNumbers(value: unknown, digits: readonly string[]): unknown {
  const root = [value];
  const open: unknown[] = [root];
  // A list of what is still to do, because the other side chooses how deep this nests.
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (Array.isArray(node)) for (let index = 0; index < node.length; index += 1) fill(node, index, digits, open);
    else for (const key in node as Record<string, unknown>) fill(node as Record<string, unknown>, key, digits, open);
  }
  return root[0];
}

/** Puts the number for a stand-in into its place; notes a list or object for later. */
function fill<Key extends string | number>(
  members: Record<Key, unknown>,
  key: Key,
  digits: readonly string[],
  open: unknown[],
): void {
  const member = members[key];
  if (typeof member === "object" && member !== null) open.push(member);
  else if (typeof member === "number" && member >= SMALLEST_STAND_IN) {
    const meant = digits[Math.round(member / SMALLEST_STAND_IN) - 1] ?? "";
    const isPrintedSo = meant.includes(PRINTED_AS_LARGE) && String(Number(meant)) === meant;
    members[key] = isPrintedSo ? Number(meant) : sourceText.rawJSON(meant);
  }
}

/**
 * The text of a JSON value with a stand-in for every number that a double does not print as written, and those
 * numbers' own texts: the first stand-in is 1e300, the second 2e300. undefined when there is no such number.
 */
function withStandIns(text: string): { readonly text: string; readonly digits: readonly string[] } | undefined {
  const digits: string[] = [];
  const pieces: string[] = [];
  let copied = 0;
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = afterString(text, at);
    else if (code !== MINUS && !isDigit(code)) at += 1;
    else {
      const end = afterNumber(text, at);
      const number = text.slice(at, end);
      if (digits.length < MAX_SPELLINGS_KEPT ? mayPrintOtherwise(number) : mayBeAnother(number)) {
        digits.push(number);
        pieces.push(text.slice(copied, at), `${digits.length}e300`);
        copied = end;
      }
      at = end;
    }
  }
  return digits.length === 0 ? undefined : { text: pieces.join("") + text.slice(copied), digits };
}

/** Where the string that starts at this quote has ended. */
function afterString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end + 1;
}

/** Whether an odd number of backslashes stands before this place. */
function isEscaped(text: string, at: number): boolean {
  let first = at;
  while (text.charCodeAt(first - 1) === BACKSLASH) first -= 1;
  return (at - first) % 2 === 1;
}

/** Where the number that starts here has ended: in sound JSON nothing that could continue it follows. */
function afterNumber(text: string, start: number): number {
  let end = start + 1;
  while (isInNumber(text.charCodeAt(end))) end += 1;
  return end;
}

/** A set of these takes ten times as long, and the other side chooses how often this is asked. */
function isInNumber(code: number): boolean {
  return isDigit(code) || code === POINT || code === MINUS || code === PLUS || code === UPPER_E || code === LOWER_E;
}

/** As many digits as a double always prints as they were, a minus before them. */
const PLAIN = /^-?[1-9]\d{0,14}$|^0$/;

function mayPrintOtherwise(number: string): boolean {
  if (PLAIN.test(number)) return false;
  const value = Number(number);
  return String(value) !== number || Math.abs(value) >= SMALLEST_STAND_IN;
}

/**
 * A double holds every number of fifteen digits, and none of these exponents takes one out of its range or makes it
 * print its zeros: `1e20` written out is five times as long.
 */
const SAME_NUMBER = /^-?[\d.]{1,15}(?:[eE][+-]?(?:2[1-9]|[3-9]\d))?$/;

function mayBeAnother(number: string): boolean {
  return !SAME_NUMBER.test(number);
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
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
