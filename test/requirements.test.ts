/** The ledger holds: what is built is cited by tests clause by clause, and no test cites what does not exist. */
import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { requirements } from "./requirements.ts";

/** Requirements with no clause yet; this number may only fall. */
const NOT_BUILT_YET = 73;

const CITATION = /\b([A-Z]{3,4}-\d{1,2})\/([a-z0-9]+(?:-[a-z0-9]+)*)/g;

function citations(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const file of new Bun.Glob("**/*.test.ts").scanSync({ cwd: import.meta.dirname })) {
    if (file === "requirements.test.ts") continue;
    for (const [whole] of readFileSync(join(import.meta.dirname, file), "utf8").matchAll(CITATION)) {
      found.set(whole, [...(found.get(whole) ?? []), file]);
    }
  }
  return found;
}

const cited = citations();
const known = new Set(requirements.flatMap(({ id, clauses }) => clauses.map((clause) => `${id}/${clause}`)));

test("the tests cite requirements at all", () => {
  expect(cited.size).toBeGreaterThan(50);
});

test("every clause of a built requirement is cited by a test", () => {
  expect([...known].filter((clause) => !cited.has(clause))).toEqual([]);
});

test("every citation names a clause of the ledger", () => {
  const ids = new Set(requirements.map(({ id }) => id));
  const unknown = [...cited].filter(([clause]) => ids.has(clause.split("/")[0] ?? "") && !known.has(clause));
  expect(unknown).toEqual([]);
});

test("ids are unique and the list of what is not built only shrinks", () => {
  expect(new Set(requirements.map(({ id }) => id)).size).toBe(requirements.length);
  expect(requirements.filter(({ clauses }) => clauses.length === 0).length).toBe(NOT_BUILT_YET);
});
