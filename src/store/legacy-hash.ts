/** The ecosystem's first tree hash, `h1`: written to installed.json for its readers and trusted by nobody (spec 2.3). */
import { closeSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";

const READ_CHUNK = 1 << 20;

/** SHA-256, lower hex, over each file's relative path and content in path order, without separators; streamed. */
export function legacyTreeHash(dir: string): string {
  const hash = new Bun.CryptoHasher("sha256");
  const buffer = new Uint8Array(READ_CHUNK);
  const files = readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(dir.length + 1))
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  for (const path of files) {
    hash.update(path);
    const file = openSync(join(dir, path), "r");
    try {
      for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
        hash.update(buffer.subarray(0, read));
      }
    } finally {
      closeSync(file);
    }
  }
  return hash.digest("hex");
}
