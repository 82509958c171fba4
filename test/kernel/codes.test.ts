/** The failure table as users read it: every code with its words, its fix and its exit, in one golden page. */
import { expect, test } from "bun:test";
import { codes, type FermixCode } from "../../src/kernel/codes.ts";
import { expectGolden } from "../golden.ts";

/** Details that are more than a word; all others are shown as their own name. */
const SHAPES: Readonly<Record<string, unknown>> = {
  problems: [{ path: "<path>", rule: "<rule>", says: "<says>" }],
  stderrTail: ["<stderrTail>"],
  signal: undefined,
};

/** A row's sentence with each detail shown as its own name, as a list where the row walks through it. */
function shown(render: (details: never) => string): string {
  const asked = new Set<string>();
  const lists = new Set<string>();
  const detail = (name: string): unknown => {
    asked.add(name);
    return name in SHAPES ? SHAPES[name] : lists.has(name) ? [`<${name}>`] : `<${name}>`;
  };
  for (;;) {
    try {
      // A target with the shaped details as its own is for rows that take "the rest" of theirs.
      return render(new Proxy({ exitCode: "", ...SHAPES }, { get: (_, name) => detail(String(name)) }) as never);
    } catch (error) {
      const next = [...asked].findLast((name) => !lists.has(name) && !(name in SHAPES));
      if (!(error instanceof TypeError) || next === undefined) throw error;
      lists.add(next);
    }
  }
}

const names = (Object.keys(codes) as FermixCode[]).sort();

test("every failure has a sentence, a fix and an exit", () => {
  const page = names.map((code) => {
    const { says, fix, exit } = codes[code];
    return `${code} (${exit})\n  ${shown(says).replaceAll("\n", "\n  ")}\n  fix: ${shown(fix)}\n`;
  });
  expectGolden("errors.txt", page.join("\n"));
});

test("no fix is empty and every sentence ends as one", () => {
  expect(names.length).toBeGreaterThan(60);
  expect(names.filter((code) => shown(codes[code].fix).trim() === "")).toEqual([]);
});
