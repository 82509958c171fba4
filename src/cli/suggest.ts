/** Did you mean: the known word nearest to a mistyped one. */
import { closest, distance } from "fastest-levenshtein";

/** More wrong letters than this are another word. */
const MAX_SLIPS = 3;
const MIN_BEGINNING = 2;

/** The (shortest) known word that this one begins, or is a slip of the hand away from (at most half of its letters), if any. */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const typed = word.toLowerCase();
  const begun =
    typed.length < MIN_BEGINNING
      ? undefined
      : known.filter((candidate) => candidate.startsWith(typed)).sort((a, b) => a.length - b.length)[0];
  if (begun !== undefined) return begun;
  const candidate = closest(typed, [...known]);
  const allowed = Math.min(MAX_SLIPS, Math.floor(Math.max(typed.length, candidate.length) / 2));
  return distance(typed, candidate) <= allowed ? candidate : undefined;
}
