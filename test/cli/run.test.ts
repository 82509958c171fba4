/** A command line from words to exit status, in this process. */
import { describe, expect, test } from "bun:test";
import { commands, groups } from "../../src/cli/commands.ts";
import { EXIT_CODES, exitStatus } from "../../src/cli/exit.ts";
import { groupHelp, verbHelp } from "../../src/cli/help.ts";
import { commandLine } from "../../src/cli/parse.ts";
import { answerCrash, type Frame, runCommandLine } from "../../src/cli/run.ts";
import { FermixError } from "../../src/kernel/error.ts";
import type { EmbeddedFiles } from "../../src/kernel/ports.ts";
import { FakeTerminal } from "../fakes/terminal.ts";
import { expectGolden } from "../golden.ts";
import { PluginLab } from "../plugins/lab.ts";

const HOME_FIX = "correct that path or its permissions, or set FERMIX_HOME to another folder that you own";

async function fermix(argv: readonly string[], given: { tty?: boolean; noColor?: boolean; app?: Frame["app"] } = {}) {
  const terminal = new FakeTerminal({ tty: given.tty ?? false });
  const answers: string[] = [];
  const app =
    given.app ??
    (() => {
      throw new Error("unexpected use of the app");
    });
  const frame: Frame = { app, answer: (text) => answers.push(text), terminal, noColor: given.noColor ?? false };
  const exit = await runCommandLine(argv, frame);
  return { exit, answers, said: terminal.said };
}

describe("help", () => {
  test("CLI-2/help, CLI-2/exit-codes: the tree, every group and every verb, with examples and exit codes", async () => {
    const pages = [groupHelp([]), ...groups.map(({ path }) => groupHelp(path))];
    for (const command of commands) {
      const verb = await command.load();
      const page = verbHelp(command, verb);
      expect(verb.examples.length).toBeGreaterThan(0);
      for (const example of verb.examples) expect(example).toContain(commandLine(command.path));
      for (const [status, meaning] of EXIT_CODES) expect(page).toContain(`  ${status}  ${meaning}`);
      pages.push(page);
    }
    const text = pages.map((page) => `${page.join("\n")}\n`).join(`\n${"-".repeat(80)}\n\n`);
    expectGolden("help.txt", text);
    for (const line of text.split("\n")) expect(line.length).toBeLessThanOrEqual(120);
  });

  test("every verb answers --help, -h and help without a home, and exits 0", async () => {
    for (const { path } of commands) {
      const page = await fermix([...path, "--help"]);
      expect(page).toMatchObject({ exit: 0, said: "" });
      expect(await fermix([...path, "-h", "--surplus"])).toEqual(page);
      expect(await fermix(["help", ...path])).toEqual(page);
    }
  });

  test("as JSON it is data", async () => {
    const { answers } = await fermix(["mcp", "--help", "--json"]);
    expect(JSON.parse(answers[0] ?? "")).toMatchObject({
      command: "fermix mcp",
      commands: [{ command: "fermix mcp serve" }],
      exit_codes: { "0": "done", "5": "refused by verification or policy" },
    });
  });

  test("fermix alone greets with the tree; a group without a default asks for a verb", async () => {
    expect(await fermix([])).toMatchObject({ exit: 0, answers: [groupHelp([]).join("\n")] });
    expect(await fermix(["mcp"])).toEqual({
      exit: 2,
      answers: [],
      said: "fermix mcp: `fermix mcp` needs a command.\nfix: run `fermix mcp --help`\n",
    });
  });

  test("no command is named like a flag of every verb or like help, and summaries are one line", () => {
    for (const { path, summary } of [...commands, ...groups]) {
      expect(path).not.toContain("help");
      expect(summary.length).toBeLessThanOrEqual(70);
    }
  });
});

const KEY = "sk-ant-0123456789abcdefABCDEF";

describe("the log", () => {
  function logged(work: () => never) {
    using lab = new PluginLab();
    const app = { ...lab.app, ports: { ...lab.app.ports, embedded: refusingWith(work) } };
    return { app: () => app, lines: lab.log.lines };
  }

  function refusingWith(work: () => never): EmbeddedFiles {
    return { names: work, read: work, size: work, stream: work };
  }

  test("has the code of a failure, and none of its words", async () => {
    const { app, lines } = logged(() => {
      throw new FermixError("not_in_catalog", { plugin: KEY });
    });
    await fermix(["plugins", "catalog"], { app });
    expect(lines).toEqual([
      { level: "error", event: "command_failed", command: "fermix plugins catalog", code: "not_in_catalog" },
    ]);
  });

  test("has of a bug where it was met too", async () => {
    const { app, lines } = logged(() => {
      throw new TypeError("boom");
    });
    await fermix(["plugins", "catalog"], { app });
    expect(lines).toMatchObject([{ code: "internal", stack: expect.stringContaining("TypeError: boom") }]);
  });

  test("has nothing of a command line that was wrong, because what was typed may be a secret", async () => {
    using lab = new PluginLab();
    await fermix(["plugins", "catalog", KEY], { app: () => lab.app });
    expect(lab.log.lines).toEqual([]);
  });
});

describe("failures", () => {
  test("RED-1/crash, RED-2/crash-same: what looks like a credential is masked before a bug's words are quoted and cut", async () => {
    const app = () => {
      throw new Error(`${"x".repeat(185)}\n${KEY}`);
    };
    const { answers, said } = await fermix(["plugins", "list", "--json"], { app });
    expect(said).not.toContain(KEY.slice(0, 10));
    expect(said).toContain("[REDACTED:open");
    expect(answers[0]).not.toContain(KEY.slice(0, 10));
  });

  test("every verb refuses an unknown flag and too many words before it touches anything", async () => {
    for (const { path } of commands) {
      for (const wrong of [["--no-such-flag"], Array.from({ length: 9 }, () => "x")]) {
        const { exit, answers, said } = await fermix([...path, ...wrong]);
        expect({ exit, answers }).toEqual({ exit: 2, answers: [] });
        expect(said).toMatch(/^fermix [^\n]+: [^\n]+\nfix: [^\n]+\n$/);
      }
    }
  });

  test("CLI-2/json: with --json a failure is also a line on stdout, wherever --json stands", async () => {
    for (const argv of [
      ["--json", "plugns"],
      ["plugns", "--json"],
      ["mcp", "--json"],
      ["call", "--json", "--x"],
    ]) {
      const { exit, answers, said } = await fermix(argv);
      expect(exit).toBe(2);
      expect(answers).toHaveLength(1);
      expect(JSON.parse(answers[0] ?? "")).toMatchObject({ error: { code: "usage" } });
      expect(said).toContain("fix: ");
    }
  });

  test("what nobody foresaw is internal, exit 1, and one sentence", async () => {
    const { exit, answers, said } = await fermix(["plugins", "list"]);
    expect({ exit, answers }).toEqual({ exit: 1, answers: [] });
    expect(said.split("\n")[0]).toBe('fermix plugins list: Fermix hit a bug: "unexpected use of the app".');
  });

  test("what the file system refuses is named with its path, wherever it was met", async () => {
    const app = () => {
      throw Object.assign(new Error("EACCES: permission denied, open '/a'"), { code: "EACCES", path: "/a" });
    };
    expect(await fermix(["plugins", "list"], { app })).toEqual({
      exit: 1,
      answers: [],
      said: `fermix plugins list: Fermix cannot use "/a": permission denied.\nfix: ${HOME_FIX}\n`,
    });
  });

  test("color only on a terminal, and not with NO_COLOR or --no-color", async () => {
    const colored = async (given: Parameters<typeof fermix>[1], ...flags: string[]) =>
      (await fermix(["plugns", ...flags], given)).said.includes("\u001b[");
    expect(await colored({ tty: true })).toBe(true);
    expect(await colored({ tty: false })).toBe(false);
    expect(await colored({ tty: true, noColor: true })).toBe(false);
    expect(await colored({ tty: true }, "--no-color")).toBe(false);
  });
});

test("a crash outside any command is one sentence too", () => {
  const terminal = new FakeTerminal();
  const app = () => {
    throw new Error("unexpected use of the app");
  };
  expect(answerCrash("boom\n", { app, answer: () => undefined, terminal, noColor: false })).toBe(1);
  expect(terminal.said).toStartWith('fermix: Fermix hit a bug: "boom\\n".\nfix: ');
});

test("CLI-2/exit-codes: each class has the documented status", () => {
  const classes = [undefined, "failed", "usage", "no_daemon", "needs_connecting", "refused"] as const;
  expect(classes.map((outcome) => exitStatus(outcome))).toEqual([0, 1, 2, 3, 4, 5]);
  expect(EXIT_CODES.map(([status]) => status)).toEqual(["0", "1", "2", "3", "4", "5"]);
});
