/** Embedded files in memory or from a packed catalog folder, so that a test can have any catalog. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { filesBelow } from "../../scripts/catalog/sources.ts";
import type { EmbeddedFiles } from "../../src/kernel/ports.ts";

/** Exactly these files, by name below `catalog/`. */
export function embeddedOf(files: Readonly<Record<string, string | Uint8Array>>): EmbeddedFiles {
  const bytes = new Map(Object.entries(files).map(([name, data]) => [name, Buffer.from(data)]));
  return {
    names: () => [...bytes.keys()],
    read: (name) => bytes.get(name),
    size: (name) => bytes.get(name)?.byteLength,
    stream(name) {
      const data = bytes.get(name);
      return data === undefined ? undefined : new Blob([data]).stream();
    },
  };
}

/** A packed catalog folder as a binary built with `--catalog` would hold it. */
export function embeddedFolder(folder: string): EmbeddedFiles {
  const names = [...filesBelow(folder).keys()];
  return embeddedOf(Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name))])));
}
