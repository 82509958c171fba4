/** Puts findings about a JSON document in the order in which a reader meets their places. */
import { isJsonObject, type JsonObject, type JsonValue } from "../kernel/json.ts";
import { type Place, pathTo } from "./place.ts";

/** The findings sorted by place; a key that is missing comes after the ones that are there. Equal places keep their order. */
export function inDocumentOrder<Found extends { readonly path: Place }>(
  document: JsonValue,
  findings: readonly Found[],
): readonly Found[] {
  // The author chooses how many keys an object has, so each object's keys are numbered once.
  const numbered = new Map<JsonObject, ReadonlyMap<string, number>>();
  const positionIn = (object: JsonObject, key: string): number => {
    let positions = numbered.get(object);
    if (positions === undefined) {
      positions = new Map(Object.keys(object).map((name, index) => [name, index]));
      numbered.set(object, positions);
    }
    return positions.get(key) ?? Number.POSITIVE_INFINITY;
  };
  const positionsOf = (place: Place): readonly number[] => {
    let value: JsonValue | undefined = document;
    return pathTo(place).map((part) => {
      const parent: JsonValue | undefined = value;
      if (typeof part === "number") {
        value = Array.isArray(parent) ? parent[part] : undefined;
        return part;
      }
      if (!isJsonObject(parent)) return Number.POSITIVE_INFINITY;
      const position = positionIn(parent, part);
      value = Number.isFinite(position) ? parent[part] : undefined;
      return position;
    });
  };
  return findings
    .map((finding) => ({ finding, positions: positionsOf(finding.path) }))
    .sort((a, b) => compare(a.positions, b.positions))
    .map(({ finding }) => finding);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (let level = 0; level < Math.min(a.length, b.length); level += 1) {
    const left = a[level] ?? 0;
    const right = b[level] ?? 0;
    if (left !== right) return left < right ? -1 : 1;
  }
  return a.length - b.length;
}
