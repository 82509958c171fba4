/** Finds the line of a key, for messages about it. */
import { withoutMark } from "./toml-text.ts";
import { type TomlTree, treeOf, UnmappedToml } from "./toml-tree.ts";

/** The line, from 1, of the deepest part of the path that the document spells out; undefined when that is not known. */
export function lineOfKey(text: string, path: readonly string[]): number | undefined {
  const bare = withoutMark(text);
  const { entries, sections } = placesIn(bare);
  const places = [
    ...entries.map(({ path: keys, span }) => ({ keys, at: span.start })),
    ...sections.map(({ path: keys, header }) => ({ keys, at: header.start })),
  ].sort((a, b) => a.at - b.at);
  for (let depth = path.length; depth > 0; depth -= 1) {
    const wanted = path.slice(0, depth);
    const found = places.find(({ keys }) => keys.length >= depth && wanted.every((part, at) => keys[at] === part));
    if (found !== undefined) return bare.slice(0, found.at).split("\n").length;
  }
  return undefined;
}

function placesIn(text: string): Pick<TomlTree, "entries" | "sections"> {
  try {
    return treeOf(text);
  } catch (cause) {
    if (cause instanceof UnmappedToml) return { entries: [], sections: [] };
    throw cause;
  }
}
