/** The core's version is the one that package.json states. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { CORE_VERSION } from "../../src/kernel/version.ts";

test("the version is package.json's", () => {
  const text = readFileSync(join(import.meta.dirname, "../../package.json"), "utf8");
  expect(CORE_VERSION as string).toBe((JSON.parse(text) as { version: string }).version);
});
