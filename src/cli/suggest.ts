/** Did you mean: the known word nearest to a mistyped one. */
import { closest, distance } from "fastest-levenshtein";

/** More wrong letters than this are another word. */
const MAX_SLIPS = 3;
const MIN_BEGINNING = 2;
/** What other programs of the kind call it. */
const OTHER_WORDS: ReadonlyMap<string, readonly string[]> = new Map([
  ["add", ["install"]],
  ["delete", ["uninstall", "clear"]],
  ["find", ["catalog"]],
  ["ls", ["list"]],
  ["remove", ["uninstall", "clear"]],
  ["rm", ["uninstall", "clear"]],
  ["search", ["catalog"]],
  ["show", ["info"]],
  ["update", ["upgrade"]],
]);

/**
 * The known word that other programs call by this one, else the (shortest) one that it begins, else one that is a slip of
 * the hand away (at most half of its letters); undefined when there is none.
 */
export function nearest(word: string, known: readonly string[]): string | undefined {
  if (known.length === 0) return undefined;
  const typed = word.toLowerCase();
  const other = OTHER_WORDS.get(typed)?.find((candidate) => known.includes(candidate));
  if (other !== undefined) return other;
  const begun =
    typed.length < MIN_BEGINNING
      ? undefined
      : known.filter((candidate) => candidate.startsWith(typed)).sort((a, b) => a.length - b.length)[0];
  if (begun !== undefined) return begun;
  const candidate = closest(typed, [...known]);
  const allowed = Math.min(MAX_SLIPS, Math.floor(Math.max(typed.length, candidate.length) / 2));
  return distance(typed, candidate) <= allowed ? candidate : undefined;
}
