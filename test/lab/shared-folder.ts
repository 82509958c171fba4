/** A folder for what several flows share within one run, such as a binary that takes seconds to build; the set-up removes it. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];

/** A new folder that stays until the whole run is over. */
export function sharedFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "fermix-flow-shared-"));
  folders.push(folder);
  return folder;
}

export function removeSharedFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** Made when it is first asked for, and once. */
export function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
