/** Whatever a fact holds, the log stays one JSON object a line, and no credential-shaped word is in it. */
import { expect, test } from "bun:test";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { openLog } from "../../src/system/log.ts";

const KEY = "0123456789abcdefABCDEF0123456789";
const SHAPES = ["sk-", "sk-ant-", "ghp_", "github_pat_", "xoxb-", "xai-", "AIza", "Bearer ", "123456789:"].map(
  (prefix) => `${prefix}${KEY}`,
);
/** Each ends a word, in its own way: as it is, escaped by JSON, or as the escape of somebody else. */
const borders = fc.constantFrom(
  " ",
  '"',
  "\\",
  "\n",
  "\t",
  "\u0000",
  "\\n",
  "\\u000a",
  "%20",
  "é ",
  "\ud800",
  "{",
  "/",
);
const around = fc.string({ unit: "binary", maxLength: 40 });
const planted = fc.tuple(around, borders, fc.constantFrom(...SHAPES), borders, around).map((parts) => parts.join(""));

test("RED-1/log-file a planted credential is never there, and every line can be read", () => {
  const root = mkdtempSync(join(tmpdir(), "fermix-log-"));
  try {
    fc.assert(
      fc.property(fc.array(planted, { minLength: 1, maxLength: 4 }), (facts) => {
        const path = join(root, "logs/fermix.log");
        rmSync(path, { force: true });
        const log = openLog(path);
        for (const tool of facts) log.write("info", "call", { tool });
        log.flush();
        const text = readFileSync(path, "utf8");
        expect(text).not.toContain(KEY);
        const lines = text.split("\n").slice(0, -1);
        expect(lines.map((line) => JSON.parse(line).event)).toEqual(facts.map(() => "call"));
      }),
      { numRuns: 200 },
    );
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
});
