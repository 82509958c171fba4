/** Did you mean: the known word nearest to a mistyped one. */
import { closest, distance } from "fastest-levenshtein";

/** The nearest known word when the difference looks like a slip of the hand (a third of the word), else undefined. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const candidate = closest(word.toLowerCase(), [...known]);
  const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3));
  const isPrefix = word.length >= 2 && candidate.startsWith(word.toLowerCase());
  return isPrefix || distance(word.toLowerCase(), candidate) <= allowed ? candidate : undefined;
}
