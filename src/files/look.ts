/** Looks at what has a name, without following a link and without an error for a name that nothing has. */
import { lstatSync, type Stats } from "node:fs";
import { namedFailure } from "./fs-failure.ts";

/** What is there; undefined when nothing is. Throws home_unusable where even that cannot be told. */
export function lookAt(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}

/** Whether anything has this name, a link that leads nowhere included. Throws as lookAt does. */
export function isThere(path: string): boolean {
  return lookAt(path) !== undefined;
}
