/** Masks credential-shaped words in text that others wrote (spec 8.7 b, DECISIONS 33): a backstop, not the first defence. */

/** A word begins at a word's boundary, and behind an escape, however much its last letter looks like the word's own. */
const START = String.raw`(?:\b|(?<=\\[bfnrt]|\\u[0-9a-fA-F]{4}|%[0-9a-fA-F]{2}))`;

/** Telegram has its tokens in the addresses of its API, `/bot<token>/getMe`. */
const BOT = String.raw`(?:${START}|(?<=\bbot))`;

/** Named for the marker that takes the word's place; each needs a word boundary and 16 key characters behind its prefix. */
const SHAPES: readonly (readonly [name: string, shape: RegExp])[] = [
  ["bearer", shape(/Bearer(?:\s|%20)+[A-Za-z0-9._~+/=-]{16,}/gi)],
  ["github", shape(/(?:gh[pousr]_|github_pat_)[A-Za-z0-9_]{16,}/g)],
  ["slack", shape(/xox[a-z]-[A-Za-z0-9-]{16,}/g)],
  ["aws", shape(/AKIA[A-Z0-9]{16,}/g)],
  ["xai", shape(/xai-[A-Za-z0-9_-]{16,}/g)],
  ["google", shape(/AIza[A-Za-z0-9_-]{16,}/g)],
  ["openai", shape(/sk-[A-Za-z0-9_-]{16,}/g)],
  ["telegram", shape(/\d{6,12}:[A-Za-z0-9_-]{30,}/g, BOT)],
];

function shape(word: RegExp, start = START): RegExp {
  return new RegExp(start + word.source, word.flags);
}

/** The text with every credential-shaped word replaced by `[REDACTED:<name>]`. */
export function redactCredentials(text: string): string {
  let redacted = text;
  for (const [name, shape] of SHAPES) redacted = redacted.replace(shape, `[REDACTED:${name}]`);
  return redacted;
}
