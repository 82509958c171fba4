/** A node whose plugin servers never answer, so that what comes while one starts never comes too late. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { folderOf } from "./binary.ts";

/** Makes a folder for PATH: its node tells the real one's version, and sleeps in place of a server. */
export function slowNode(below: string): string {
  const folder = join(below, "slow-node");
  mkdirSync(folder);
  const real = join(folderOf("node"), "node");
  const script = `#!/bin/sh\ncase "$*" in *index.js*) exec sleep 600 ;; esac\nexec '${real}' "$@"\n`;
  writeFileSync(join(folder, "node"), script, { mode: 0o755 });
  return folder;
}
