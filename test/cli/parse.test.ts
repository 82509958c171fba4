/** Words become one declared command and declared arguments, or a usage error that says what to type instead. */
import { describe, expect, test } from "bun:test";
import { type Command, groups } from "../../src/cli/commands.ts";
import { parseArguments, resolveCommand } from "../../src/cli/parse.ts";
import type { ArgSpecs } from "../../src/cli/verb.ts";
import { expectRefusal } from "../expect.ts";

const unused: Command["load"] = () => Promise.reject(new Error("unexpected load"));
const tree: readonly Command[] = [
  ["plugins", "list"],
  ["plugins", "install"],
  ["plugins", "config"],
  ["plugins", "config", "set"],
  ["call"],
  ["mcp", "serve"],
].map((path) => ({ path, summary: "", load: unused }));

const resolve = (...argv: string[]) => resolveCommand(argv, tree, groups);
const quiet = { json: false, help: false, noColor: false };

describe("finding the command", () => {
  test("the longest path wins, and what follows is left for it", () => {
    expect(resolve("plugins", "install", "notes", "--force")).toMatchObject({
      path: ["plugins", "install"],
      rest: ["notes", "--force"],
      flags: quiet,
    });
    expect(resolve("plugins", "config", "set", "a")).toMatchObject({ path: ["plugins", "config", "set"], rest: ["a"] });
    expect(resolve("plugins", "config", "notes")).toMatchObject({ path: ["plugins", "config"], rest: ["notes"] });
    expect(resolve("plugins", "config", "--", "set")).toMatchObject({
      path: ["plugins", "config"],
      rest: ["--", "set"],
    });
  });

  test("the group plugins alone is its list", () => {
    expect(resolve("plugins", "--json")).toMatchObject({
      path: ["plugins", "list"],
      command: tree[0],
      flags: { ...quiet, json: true },
    });
    expect(resolve("plugins", "--help").command).toBeUndefined();
    expect(resolve().path).toEqual([]);
    expect(resolve("mcp")).toMatchObject({ path: ["mcp"], command: undefined });
  });

  test("the flags of every verb may stand anywhere before --", () => {
    expect(resolve("--json", "call", "--no-color", "t", "-h")).toMatchObject({
      path: ["call"],
      rest: ["t"],
      flags: { json: true, help: true, noColor: true },
    });
    expect(resolve("call", "t", "--", "--json")).toMatchObject({ rest: ["t", "--", "--json"], flags: quiet });
  });

  test("help before a command is --help behind it", () => {
    expect(resolve("help", "plugins", "install")).toMatchObject({
      path: ["plugins", "install"],
      flags: { ...quiet, help: true },
    });
    expect(resolve("help")).toMatchObject({ path: [], flags: { help: true } });
  });

  test("CLI-3/unknown-command, CLI-3/suggestion: what is not there, and what was probably meant", async () => {
    const refused = (argv: string[], details: { problem: string; command: string; suggestion?: string }) =>
      expectRefusal(() => resolve(...argv), "usage", details);
    await refused(["plugins", "instal", "x"], {
      problem: "There is no command `fermix plugins instal`.",
      command: "fermix plugins",
      suggestion: "fermix plugins install",
    });
    await refused(["plugns"], {
      problem: "There is no command `fermix plugns`.",
      command: "fermix",
      suggestion: "fermix plugins",
    });
    await refused(["install", "x"], {
      problem: "There is no command `fermix install`.",
      command: "fermix",
      suggestion: "fermix plugins install",
    });
    await refused(["instal"], {
      problem: "There is no command `fermix instal`.",
      command: "fermix",
      suggestion: "fermix plugins install",
    });
    await refused(["plugins", "zzzzzz"], {
      problem: "There is no command `fermix plugins zzzzzz`.",
      command: "fermix plugins",
    });
    await refused(["--jsno"], {
      problem: "`fermix` takes no `--jsno`.",
      command: "fermix",
      suggestion: "--json",
    });
    await refused(["-V", "--help"], {
      problem: "`-V` goes with nothing but --json.",
      command: "fermix",
      suggestion: "fermix --version",
    });
    for (const word of ["version", "-v"]) {
      await refused([word], {
        problem: `\`fermix\` takes no \`${word}\`.`,
        command: "fermix",
        suggestion: "fermix --version",
      });
    }
    await refused(["plugins", "--", "list"], {
      problem: "The command goes before `--`.",
      command: "fermix plugins",
    });
  });

  test("what a word holds cannot steer the terminal that shows it", async () => {
    const details = await expectRefusal(() => resolve(`\u001b[2J\u202e${"x".repeat(100)}`), "usage");
    expect(details.problem).toBe(`There is no command \`fermix ?[2J?${"x".repeat(48)}…\`.`);
  });
});

const specs = {
  name: { kind: "positional", label: "NAME", required: true, about: "" },
  value: { kind: "positional", label: "VALUE", required: false, about: "" },
  args: { kind: "option", label: "JSON", about: "" },
  "dry-run": { kind: "flag", about: "" },
  "no-browser": { kind: "flag", about: "" },
} as const satisfies ArgSpecs;

const parse = (...words: string[]) => parseArguments(["plugins", "x"], specs, words);
const plain = { name: "n", value: undefined, args: undefined, "dry-run": false, "no-browser": false };

describe("reading arguments", () => {
  const cases: readonly (readonly [words: readonly string[], expected: Record<string, unknown>])[] = [
    [["n"], plain],
    [["n", "v"], { ...plain, value: "v" }],
    [["--dry-run", "n"], { ...plain, "dry-run": true }],
    [["n", "--no-browser"], { ...plain, "no-browser": true }],
    [["n", "--dry-run", "--dry-run"], { ...plain, "dry-run": true }],
    [["--args", '{"a":1}', "n"], { ...plain, args: '{"a":1}' }],
    [['--args={"a":"b=c"}', "n"], { ...plain, args: '{"a":"b=c"}' }],
    [["--args=", "n"], { ...plain, args: "" }],
    [["--args", "-", "n"], { ...plain, args: "-" }],
    [["--args=-1", "n"], { ...plain, args: "-1" }],
    [["n", "-"], { ...plain, value: "-" }],
    [["n", ""], { ...plain, value: "" }],
    [["--", "-n", "--dry-run"], { ...plain, name: "-n", value: "--dry-run" }],
    [["n", "--", "--"], { ...plain, value: "--" }],
    [["true", "007"], { ...plain, name: "true", value: "007" }],
  ];
  test.each(cases)("%j", async (words, expected) => {
    expect((await parse(...words)) as Record<string, unknown>).toEqual(expected);
  });
});

describe("refusing arguments", () => {
  const command = "fermix plugins x";
  const cases: readonly (readonly [what: string, words: readonly string[], problem: string, suggestion?: string])[] = [
    ["CLI-3/unknown-flag", ["n", "--dryrun"], "`fermix plugins x` takes no `--dryrun`.", "--dry-run"],
    ["CLI-3/unknown-flag, with a value", ["n", "--jsn=1"], "`fermix plugins x` takes no `--jsn`.", "--json"],
    ["CLI-3/unknown-flag, nothing like it", ["n", "--quux"], "`fermix plugins x` takes no `--quux`."],
    ["CLI-3/unknown-flag, one dash", ["n", "-x"], "`fermix plugins x` takes no `-x`."],
    ["CLI-3/unknown-flag, a positional's name", ["--name=n"], "`fermix plugins x` takes no `--name`."],
    ["CLI-3/unknown-flag, of every object", ["n", "--constructor"], "`fermix plugins x` takes no `--constructor`."],
    ["CLI-3/unknown-flag, three dashes", ["n", "---args=1"], "`fermix plugins x` takes no `---args`.", "--args"],
    ["CLI-3/surplus", ["n", "v", "w"], "`w` is one argument too many."],
    ["CLI-3/surplus, an object", ["n", "v", '{"a":1}'], '`{"a":1}` is one argument too many.', "--args=JSON"],
    ["CLI-3/surplus, behind --", ["n", "--", "v", "-w"], "`-w` is one argument too many."],
    ["a missing argument", [], "NAME is missing."],
    ["a missing value", ["n", "--args"], "--args needs a value.", "--args=JSON"],
    ["a flag for a value", ["n", "--args", "--dry-run"], "--args needs a value.", "--args=JSON"],
    ["-- for a value", ["n", "--args", "--"], "--args needs a value.", "--args=JSON"],
    ["a flag with a value", ["n", "--dry-run=yes"], "--dry-run takes no value."],
    ["a frame flag with a value", ["n", "--json=yes"], "--json takes no value."],
    ["an option twice", ["n", "--args=1", "--args", "2"], "--args is given twice."],
  ];
  test.each(cases.map(([what, ...rest]) => [what, rest] as const))(
    "%s",
    async (_what, [words, problem, suggestion]) => {
      const details = { problem, command, ...(suggestion === undefined ? {} : { suggestion }) };
      await expectRefusal(() => parse(...words), "usage", details);
    },
  );
});
