/** The files compiled into the binary, read where the bundler put them. */
import { readFileSync } from "node:fs";
import type { EmbeddedFiles } from "../kernel/ports.ts";
import { embeddedPaths } from "./embedded-catalog.ts";

/** The real EmbeddedFiles; the set of names is fixed when the binary is built (CAT-8). */
export const embeddedFiles: EmbeddedFiles = {
  names: () => [...embeddedPaths.keys()],
  read(name) {
    const path = embeddedPaths.get(name);
    return path === undefined ? undefined : readFileSync(path);
  },
  size(name) {
    const path = embeddedPaths.get(name);
    return path === undefined ? undefined : Bun.file(path).size;
  },
  stream(name) {
    const path = embeddedPaths.get(name);
    return path === undefined ? undefined : Bun.file(path).stream();
  },
};
