/** Tests of cli/secret-input.ts: what a pipe and a terminal may give, at each limit, and that nothing typed is shown. */
import { describe, expect, test } from "bun:test";
import { readSecret } from "../../src/cli/secret-input.ts";
import type { Ports } from "../../src/kernel/ports.ts";
import { expectRefusal } from "../expect.ts";
import { FakeTerminal } from "../fakes/terminal.ts";
import { until } from "../lab/until.ts";

const COMMAND = "fermix plugins auth set slack";

function read(terminal: FakeTerminal, stdin: boolean): Promise<string> {
  const ports = { terminal } as unknown as Ports;
  return readSecret({ ports }, { stdin, prompt: "Bot token", command: COMMAND });
}
const asked = (terminal: FakeTerminal) => until("it asks", () => terminal.said.includes("Bot token"));
const piped = (input: string) => read(new FakeTerminal({ input }), true);

describe("from a pipe", () => {
  test("AUTH-3/stdin one line end goes, all else stays", async () => {
    expect(await piped("xoxb-1")).toBe("xoxb-1");
    expect(await piped("xoxb-1\n")).toBe("xoxb-1");
    expect(await piped("xoxb-1\r\n")).toBe("xoxb-1");
    expect(await piped("xoxb-1\n\n")).toBe("xoxb-1\n");
    expect(await piped(" two\nlines \n")).toBe(" two\nlines ");
  });

  test("nothing, or nothing but blanks, is no secret", async () => {
    for (const input of ["", "\n", " \t\r\n"])
      await expectRefusal(() => piped(input), "no_input", { command: COMMAND });
  });

  test("CASE-13: what only stands for a secret is refused before anything is stored, and so is a null byte", async () => {
    for (const [input, reason] of [
      [["before-$", "{TOKEN}"].join(""), "it still holds a placeholder"],
      [" @keyring\n", "it is only the word by which config.toml refers to the keychain"],
      ["a\0b", "it holds a null byte"],
    ] as const) {
      await expectRefusal(() => piped(input), "input_refused", { reason });
    }
    expect(await piped("$HOME {x} @keyring2")).toBe("$HOME {x} @keyring2");
  });

  test("64 KiB are taken, one byte more is not", async () => {
    const most = "k".repeat(64 * 1024);
    expect(await piped(most)).toBe(most);
    await expect(piped(`${most}k`)).rejects.toThrow();
  });

  test("a terminal is no pipe, and a pipe is no terminal", async () => {
    await expectRefusal(() => read(new FakeTerminal({ tty: true }), true), "stdin_is_a_terminal", { command: COMMAND });
    await expectRefusal(() => read(new FakeTerminal({ input: "k" }), false), "not_a_terminal", { command: COMMAND });
    const noStderr = new FakeTerminal({ tty: true, stderr: false });
    await expectRefusal(() => read(noStderr, false), "not_a_terminal", { command: COMMAND });
  });
});

describe("on a terminal", () => {
  test("AUTH-3/prompt the question is asked and nothing of the answer is shown, not even its length", async () => {
    const shown = async (typed: string) => {
      const terminal = new FakeTerminal({ tty: true });
      const answer = read(terminal, false);
      await asked(terminal);
      for (const key of typed) terminal.typed.write(key);
      terminal.typed.write("\r");
      expect(await answer).toBe(typed);
      expect(terminal.said).toContain("Bot token (not shown)");
      return terminal.said;
    };
    const short = await shown("ab7");
    expect(await shown("ab7cd8ef9")).not.toMatch(/ab7|ef9|•|▪|\*/);
    expect(short).not.toContain("ab7");
  });

  test("Ctrl-C, Ctrl-D and a signal end it with nothing done", async () => {
    for (const end of [
      (terminal: FakeTerminal) => void terminal.typed.write("\u0003"),
      (terminal: FakeTerminal) => void terminal.typed.write("\u0004"),
      (terminal: FakeTerminal) => void terminal.interrupt(),
    ]) {
      const terminal = new FakeTerminal({ tty: true });
      const answer = read(terminal, false);
      answer.catch(() => undefined);
      await asked(terminal);
      end(terminal);
      await expectRefusal(() => answer, "input_cancelled", { command: COMMAND });
    }
  });

  const typed = async (...chunks: readonly (string | Uint8Array)[]) => {
    const terminal = new FakeTerminal({ tty: true });
    const answer = read(terminal, false);
    answer.catch(() => undefined);
    await asked(terminal);
    for (const chunk of chunks) terminal.typed.write(chunk);
    return await answer;
  };
  const emoji = new TextEncoder().encode("k😀y\r");

  const entered: readonly (readonly [string, readonly (string | Uint8Array)[], string])[] = [
    ["Enter of a program that drives the terminal", ["key\n"], "key"],
    ["both ends of a line", ["key\r\n"], "key"],
    ["taken back letter by letter", ["keyy😀\u007f\b\r"], "key"],
    ["taken back at once", ["wrong\u0015also wrong\u0017key\r"], "key"],
    ["keys that type nothing", ["\u001b[A\u001b[1;5Ck\u001bOH\te\u001ax\u0000\u001c\u007fy\u001b[3~\r"], "key"],
    ["a character in two pieces", [emoji.subarray(0, 3), emoji.subarray(3)], "k😀y"],
    ["pasted, marked", ["\u001b[200~key\u001b[201~", "\r"], "key"],
    ["pasted with its line's end", ["\u001b[200~key\r\u001b[201~\r"], "key"],
    ["pasted with marks in pieces", ["\u001b[20", "0~ke", "y\u001b", "[201~\r"], "key"],
    ["lines that are pasted, for the caller to judge", ["\u001b[200~two\r\nlines\tx\u001b[201~\r"], "two\nlines\tx"],
    ["as long as is taken", [`${"k".repeat(64 * 1024)}\r`], "k".repeat(64 * 1024)],
  ];
  test.each([...entered])("AUTH-3/prompt takes it as it is meant: %s", async (_what, chunks, secret) => {
    expect(await typed(...chunks)).toBe(secret);
  });

  test("more than one line at once, and one byte too many, are refused, not cut", async () => {
    const reason = "it is more than one line";
    await expectRefusal(() => typed("one\rtwo\r"), "input_refused", { reason });
    await expectRefusal(() => typed("one\n\ntwo"), "input_refused", { reason });
    const large = { reason: "it is over 65536 bytes" };
    await expectRefusal(() => typed(`${"k".repeat(64 * 1024 + 1)}\r`), "input_refused", large);
  });

  test("Escape, a terminal that goes away and a signal before anything was asked end it too", async () => {
    await expectRefusal(() => typed("ke", "\u001b"), "input_cancelled", { command: COMMAND });
    const terminal = new FakeTerminal({ tty: true });
    const answer = read(terminal, false);
    answer.catch(() => undefined);
    await asked(terminal);
    terminal.typed.end("half");
    await expectRefusal(() => answer, "input_cancelled", { command: COMMAND });
    expect(terminal.interrupt()).toBe(false);
  });

  test("a second question at the same terminal is answered too", async () => {
    const terminal = new FakeTerminal({ tty: true });
    for (const secret of ["first", "second"]) {
      terminal.said = "";
      const answer = read(terminal, false);
      await asked(terminal);
      terminal.typed.write(`${secret}\r`);
      expect(await answer).toBe(secret);
    }
  });
});
