/** Other programs named cosign, and a machine on which there is none. */
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { folderOf } from "./binary.ts";

/** The folders that Fermix looks in after PATH; those below a home are empty in a flow. */
const USUAL_PLACES = ["/usr/local/bin", "/usr/bin", "/bin", "/opt/homebrew/bin", "/home/linuxbrew/.linuxbrew/bin"];

/** A PATH on which only what the system itself has can be found. */
export const BARE_PATH = [folderOf("node"), "/usr/bin", "/bin"].join(delimiter);

/** Absolute path of the cosign that this machine has. */
export const REAL_COSIGN = join(folderOf("cosign"), "cosign");

/** Puts an executable `cosign` with this shell script into the folder; returns a PATH that begins with it. */
export function pathWith(folder: string, script: string): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "cosign"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, "cosign"), 0o755);
  return [folder, BARE_PATH].join(delimiter);
}

/** Words before a command that shall find no cosign in any system folder; none where none is installed. */
export function withoutCosign(): readonly string[] {
  const installed = USUAL_PLACES.map((folder) => join(folder, "cosign")).filter((path) => Bun.file(path).size > 0);
  if (installed.length === 0) return [];
  const script = 'for path; do shift; [ "$path" = -- ] && break; mount --bind /dev/null "$path"; done; exec "$@"';
  return ["unshare", "--mount", "--map-root-user", "sh", "-c", script, "sh", ...installed, "--"];
}
