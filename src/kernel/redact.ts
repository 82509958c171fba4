/** Masks credential-shaped words in text that others wrote (spec 8.7 b, DECISIONS 33): a backstop, not the first defence. */

/** Named for the marker that takes the word's place; each needs a word boundary and 16 key characters behind its prefix. */
const SHAPES: readonly (readonly [name: string, shape: RegExp])[] = [
  ["bearer", /\bBearer\s+[A-Za-z0-9._~+/=-]{16,}/gi],
  ["github", /\b(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,}/g],
  ["slack", /\bxox[a-z]-[A-Za-z0-9-]{16,}/g],
  ["aws", /\bAKIA[A-Z0-9]{16,}/g],
  ["xai", /\bxai-[A-Za-z0-9_-]{16,}/g],
  ["google", /\bAIza[A-Za-z0-9_-]{16,}/g],
  ["openai", /\bsk-[A-Za-z0-9_-]{16,}/g],
  ["telegram", /\b\d{6,12}:[A-Za-z0-9_-]{30,}/g],
];

/** The text with every credential-shaped word replaced by `[REDACTED:<name>]`. */
export function redactCredentials(text: string): string {
  let redacted = text;
  for (const [name, shape] of SHAPES) redacted = redacted.replace(shape, `[REDACTED:${name}]`);
  return redacted;
}
