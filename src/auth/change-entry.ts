/** Changes one entry of auth.json: under the file's lock, from what is there at that moment, in one step (spec 8.1). */
import { renameSync, rmSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { prepareWrite, writeAtomically } from "../files/atomic-write.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Ports } from "../kernel/ports.ts";
import { type AuthDocument, authFileText, entryIn, readAuthFileAnew } from "./auth-file.ts";
import { withAuthFileLock } from "./auth-file-lock.ts";

const PRIVATE = 0o600;
/** Room for what a refresh may add to the file: a provider's tokens are a few kilobytes. */
const ROOM = " ".repeat(16 * 1024);

/** The whole new entry; "remove" for none; undefined to leave the file as it is. */
export type EntryChange = JsonObject | "remove" | undefined;

/**
 * Replaces the entry of a profile by what `change` makes of the one that is there; every other entry and every key that
 * Fermix does not know stays. `change` decides at once, while nobody else writes. Throws auth_file_busy, the faults of
 * `readAuthFile`, disk_full or home_unusable. A file that is no auth.json is put aside and nothing is written over it:
 * auth_file_malformed names where it went.
 */
export async function changeEntry(
  ports: Pick<Ports, "clock">,
  home: Home,
  profile: string,
  change: (entry: unknown) => EntryChange,
): Promise<void> {
  await withAuthFileLock(ports, home, async () => {
    const document = readOrPutAside(ports, home);
    await sweep(home);
    const changed = change(entryIn(document, profile));
    if (changed === undefined) return;
    const { [profile]: _before, ...others } = document.providers;
    const providers = changed === "remove" ? others : { ...document.providers, [profile]: changed };
    await writeAtomically(home.authFile, authFileText(document, providers), { mode: PRIVATE });
  });
}

/**
 * Makes sure that a change could be written now, by writing one that is not put in place: a single-use token must not be
 * spent when its successor could not be kept. Throws as changeEntry does.
 */
export async function rehearseChange(ports: Pick<Ports, "clock">, home: Home): Promise<void> {
  await withAuthFileLock(ports, home, async () => {
    const document = readAuthFileAnew(home);
    const text = authFileText(document, document.providers) + ROOM;
    const prepared = await prepareWrite(home.authFile, text, { mode: PRIVATE });
    try {
      await prepared.abandon();
    } catch (cause) {
      throw namedFailure(home.authFile, cause);
    }
  });
}

function readOrPutAside({ clock }: Pick<Ports, "clock">, home: Home): AuthDocument {
  try {
    return readAuthFileAnew(home);
  } catch (error) {
    if (!isFermixError(error, "auth_file_malformed")) throw error;
    const { path, reason } = error.details;
    const backup = freeName(`${path}.broken.${Math.floor(clock.now() / 1000)}`);
    try {
      renameSync(path, backup);
    } catch (cause) {
      throw namedFailure(path, cause);
    }
    throw new FermixError("auth_file_malformed", { path, reason, backup }, { cause: error });
  }
}

function freeName(wanted: string): string {
  let name = wanted;
  for (let next = 2; isThere(name); next += 1) name = `${wanted}-${next}`;
  return name;
}

/** What writers that were killed left beside the file holds tokens; under the lock nobody is writing one. */
async function sweep(home: Home): Promise<void> {
  const folder = dirname(home.authFile);
  const name = basename(home.authFile).replaceAll(".", "\\.");
  const leftOver = new RegExp(`^${name}\\.(\\d+-\\d+\\.tmp|tmp\\.\\d+)$`);
  try {
    for (const entry of await readdir(folder)) if (leftOver.test(entry)) rmSync(join(folder, entry), { force: true });
  } catch (cause) {
    throw namedFailure(home.authFile, cause);
  }
}
