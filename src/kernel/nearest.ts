/** Did you mean: the known name that a mistyped one is nearest to. Pure. */
import { distance } from "fastest-levenshtein";

/** About a third of what was typed may be wrong; beyond that it is another name. */
const LETTERS_PER_SLIP = 3;

/** The nearest of the names, at most `mostSlips` letters away, upper case read as lower; undefined when none is near. */
export function nearestName(typed: string, names: Iterable<string>, mostSlips: number): string | undefined {
  const word = typed.toLowerCase();
  const allowed = Math.min(mostSlips, Math.round(word.length / LETTERS_PER_SLIP));
  let best: { readonly name: string; readonly away: number } | undefined;
  for (const name of names) {
    // Names may be many and what was typed long: most are ruled out without a comparison.
    if (Math.abs(name.length - word.length) > allowed) continue;
    const away = distance(word, name.toLowerCase());
    if (away <= allowed && (best === undefined || away < best.away)) best = { name, away };
  }
  return best?.name;
}
