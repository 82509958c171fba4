/** Builds the pattern that finds a secret in text, in every form in which others write it down again (DECISIONS 33). */

/** Base64 puts 3 bytes into 4 characters, so a secret looks different behind 0, 1 or 2 bytes of something else. */
const ALIGNMENTS = [0, 1, 2] as const;
const BITS_PER_BYTE = 8;
const BITS_PER_CHARACTER = 6;

/**
 * Matches the secret raw, with its special characters percent-encoded or JSON-escaped, and the part of its base64 that no
 * neighbour can change. Long forms come first, so that a short one does not cut a long one in two.
 */
export function maskPattern(secret: string): RegExp {
  const forms = new Set([secret, ...ALIGNMENTS.flatMap((before) => base64Forms(secret, before))]);
  const longestFirst = [...forms].toSorted((a, b) => b.length - a.length);
  return new RegExp(longestFirst.map(inAnySpelling).join("|"), "g");
}

/** What the secret's own bytes decide of its base64 behind `before` other bytes, in both alphabets. */
function base64Forms(secret: string, before: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(secret)]);
  const from = Math.ceil((before * BITS_PER_BYTE) / BITS_PER_CHARACTER);
  const to = Math.floor((bytes.length * BITS_PER_BYTE) / BITS_PER_CHARACTER);
  return [bytes.toString("base64").slice(from, to), bytes.toString("base64url").slice(from, to)];
}

/** All but what no encoder writes in another way: each choice in a pattern costs time when it is compiled. */
const SPECIAL = /[^A-Za-z0-9_-]/gu;

/** Matches the text whichever of its special characters are written as they are, percent-encoded, or escaped. */
function inAnySpelling(text: string): string {
  return text.replace(SPECIAL, (character) => (character === "." ? "\\." : `(?:${spellings(character).join("|")})`));
}

const SHORT_ESCAPES: Readonly<Record<string, string>> = {
  '"': '\\"',
  "\\": "\\\\",
  "/": "\\/",
  "\b": "\\b",
  "\f": "\\f",
  "\n": "\\n",
  "\r": "\\r",
  "\t": "\\t",
};

function spellings(character: string): readonly string[] {
  const percent = [...Buffer.from(character)].map((byte) => `%${anyCase(byte, 2)}`).join("");
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const unicode = units.map((unit) => `\\\\u${anyCase(unit, 4)}`).join("");
  const short = SHORT_ESCAPES[character];
  // The longest spelling first: a backslash is also the beginning of its own escape.
  return [
    unicode,
    percent,
    ...(short === undefined ? [] : [literally(short)]),
    literally(character),
    ...(character === " " ? ["\\+"] : []),
  ];
}

/** The number in hex of this many digits, its letters in either case. */
function anyCase(number: number, digits: number): string {
  const hex = number.toString(16).padStart(digits, "0");
  return hex.replace(/[a-f]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}

function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
}
