/** A place inside the manifest, as a chain towards its root: cheap to make for every field, a path only when needed. */
import type { JsonPath } from "../kernel/json-path.ts";

export interface Place {
  readonly up: Place | undefined;
  readonly key: string | number;
}

/** The manifest itself. */
export const ROOT: Place = { up: undefined, key: "$" };

/** The member of that key or index. */
export function below(up: Place, key: string | number): Place {
  return { up, key };
}

/** The place that a path leads to. */
export function placeAt(path: JsonPath): Place {
  return path.reduce<Place>(below, ROOT);
}

/** The keys and indexes from the root down to the place. */
export function pathTo(place: Place): JsonPath {
  const path: (string | number)[] = [];
  for (let here: Place = place; here.up !== undefined; here = here.up) path.unshift(here.key);
  return path;
}
