/** Makes the home folder, private to its user, when it is not there yet. */
import { access, chmod, constants, mkdir, stat } from "node:fs/promises";
import { FermixError, hasErrno } from "../kernel/error.ts";
import { namedFailure } from "./fs-failure.ts";
import type { Home } from "./home.ts";

const PRIVATE_FOLDER = 0o700;

/**
 * Creates the home with mode 0700 when it is absent; the mode of one that exists is its owner's choice and is left.
 * Throws home_unusable (not a folder, no permission, read-only) or disk_full.
 */
export async function ensureHome(home: Home): Promise<void> {
  const path = home.root;
  try {
    if ((await mkdir(path, { recursive: true, mode: PRIVATE_FOLDER })) !== undefined) await chmod(path, PRIVATE_FOLDER);
    if (!(await stat(path)).isDirectory())
      throw new FermixError("home_unusable", { path, reason: "it is not a folder" });
    await access(path, constants.W_OK | constants.X_OK);
  } catch (cause) {
    if (hasErrno(cause, "EEXIST", "ENOENT")) {
      throw new FermixError("home_unusable", { path, reason: "it is not a folder" }, { cause });
    }
    throw namedFailure(path, cause);
  }
}
