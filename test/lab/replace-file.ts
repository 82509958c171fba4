/** Changes a file under a running Fermix as Fermix itself does: whoever looks finds the old content or the new one, never half of it. */
import { renameSync, writeFileSync } from "node:fs";

/** Puts a private file with this content in the place of what is there. */
export function replaceFile(path: string, content: string): void {
  writeFileSync(`${path}.new`, content, { mode: 0o600 });
  renameSync(`${path}.new`, path);
}
