/** The one way to delete from the store: never outside it, and in one step for whoever is looking (spec 2.10). */
import { realpathSync } from "node:fs";
import { rm } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import { FermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { moveDurably } from "./durable.ts";
import { stagingPath } from "./staging.ts";

/**
 * Deletes a path of the store with everything in it; a link is deleted, not followed. Nothing there is fine.
 * Throws outside_store when the path leads out of the store by name or through a link in one of its folders.
 */
export async function removeFromStore(home: Home, path: string): Promise<void> {
  assertInStore(home, path);
  await remove(path);
}

/** Deletes a folder that may be in use: it vanishes by a rename into `.staging/` first, so no half of it is ever seen. */
export async function discard(ports: Pick<Ports, "random">, home: Home, name: PluginName, path: string): Promise<void> {
  assertInStore(home, path);
  if (!isThere(path)) return;
  const trash = stagingPath(ports, home, name, "trash");
  await moveDurably(path, trash);
  await remove(trash);
}

async function remove(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true });
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}

/** Refuses the store's own root and whatever is not below it, by name or through a link. Throws outside_store. */
export function assertInStore(home: Home, path: string): void {
  const root = resolve(home.plugins.root);
  const named = resolve(path);
  if (!named.startsWith(root + sep)) throw new FermixError("outside_store", { path });
  const folder = dirname(named);
  if (!isThere(folder)) return;
  const real = join(realPathOf(folder), basename(named));
  if (!real.startsWith(realPathOf(root) + sep)) throw new FermixError("outside_store", { path });
}

function realPathOf(folder: string): string {
  try {
    return realpathSync(folder);
  } catch (cause) {
    throw namedFailure(folder, cause);
  }
}
