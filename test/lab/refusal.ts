/** Runs a command of the compiled binary that must be refused, and holds the whole home to what it was. */
import { expect } from "bun:test";
import { existsSync } from "node:fs";
import { snapshotTree } from "../expect.ts";
import type { FlowHome, StartOptions } from "./binary.ts";

export interface Refusal {
  readonly exit: number;
  readonly code: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly message: string;
  readonly fix: string;
}

/**
 * What a refused command may leave: the two folders that every home has once something was tried, the caches of
 * which programs were probed and of a cosign that said no to a bad signature, and the log, which tells of the refusal.
 * What is in the folders is compared.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  "plugins/",
  "plugins/.staging/",
  "cache/",
  "cache/cosign-self-test.json",
  "cache/runtimes.json",
  "logs/",
  "logs/fermix.log",
]);

/** Every path of a home with its content, what a refusal may leave left out. */
export function homeOf(root: string): Record<string, string> {
  if (!existsSync(root)) return {};
  return Object.fromEntries(Object.entries(snapshotTree(root)).filter(([path]) => !ALLOWED.has(path)));
}

/** Refused with one JSON error on stdout, the same words with a fix on stderr, and a home that is as it was. */
export async function refused(
  home: FlowHome,
  words: string | readonly string[],
  options: StartOptions = {},
): Promise<Refusal> {
  const before = homeOf(home.root);
  const args = typeof words === "string" ? words.split(" ") : words;
  const { code: exit, stdout, stderr } = await home.fermix([...args, "--json"], options);
  const { error } = JSON.parse(stdout) as { error?: Omit<Refusal, "exit"> };
  if (error === undefined) throw new Error(`${args.join(" ")} was not refused: ${stdout}`);
  expect(stderr).toContain(error.message.split("\n", 1)[0] ?? "");
  expect(stderr).toContain(`\nfix: ${error.fix}\n`);
  expect(error.fix.length).toBeGreaterThan(0);
  // Whoever made the input chose some of the words: they may neither steer a terminal nor pass for Fermix's own advice.
  expect(stderr).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/);
  expect(stderr.match(/^fix: /gm)).toHaveLength(1);
  expect(homeOf(home.root)).toEqual(before);
  const { code, details, message, fix } = error;
  return { exit, code, details, message, fix };
}

/** Each home takes the next item until none is left: as many at a time as there are homes, and one at a time in each. */
export async function inLanes<Item>(
  homes: readonly FlowHome[],
  items: readonly Item[],
  work: (home: FlowHome, item: Item) => Promise<void>,
): Promise<void> {
  const left = [...items];
  await Promise.all(
    homes.map(async (home) => {
      for (let next = left.shift(); next !== undefined; next = left.shift()) await work(home, next);
    }),
  );
}
