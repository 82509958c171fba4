/** Comparing whole texts with files in `golden/`: UPDATE_GOLDEN=1 rewrites them, which CI refuses (DECISIONS 50). */
import { expect } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The text must be that of `golden/<name>`, byte for byte. */
export function expectGolden(name: string, text: string): void {
  const path = join(import.meta.dirname, "golden", name);
  if (process.env["UPDATE_GOLDEN"] === "1") {
    if (process.env["CI"])
      throw new Error("golden files are not rewritten under CI: run it without CI and look at the change");
    writeFileSync(path, text);
  }
  expect(text).toBe(readFileSync(path, "utf8"));
}
