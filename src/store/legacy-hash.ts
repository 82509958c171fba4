/** The ecosystem's first tree hash, `h1`: written to installed.json for its readers and trusted by nobody (spec 2.3). */
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** SHA-256, lower hex, over each file's relative path and content in path order, without separators. */
export function legacyTreeHash(dir: string): string {
  const hash = createHash("sha256");
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const path of files) {
    hash.update(path);
    hash.update(readFileSync(join(dir, path)));
  }
  return hash.digest("hex");
}
