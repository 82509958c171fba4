/** Tests of cli/prompt-streams.ts: prompts go to stderr as wide as the terminal, coloured only where it is wanted. */
import { expect, test } from "bun:test";
import { promptStreams } from "../../src/cli/prompt-streams.ts";
import { FakeTerminal } from "../fakes/terminal.ts";

test("what is written is said, with its colors", () => {
  const terminal = new FakeTerminal({ tty: true, columns: 33 });
  const { output } = promptStreams(terminal, { noColor: false });
  output.write("\u001b[?25l\u001b[36m◆\u001b[39m  Which?\n");
  expect(terminal.said).toBe("\u001b[?25l\u001b[36m◆\u001b[39m  Which?\n");
  expect(output).toHaveProperty("columns", 33);
});

test("without color only what moves the cursor is left", () => {
  const terminal = new FakeTerminal({ tty: true });
  const { output } = promptStreams(terminal, { noColor: true });
  output.write("\u001b[?25l\u001b[36m◆\u001b[39m  \u001b[1;7mWhich\u001b[m?\u001b[2K\n");
  expect(terminal.said).toBe("\u001b[?25l◆  Which?\u001b[2K\n");
});

test("keys are taken from the terminal only", () => {
  const terminal = new FakeTerminal({ tty: true });
  expect(promptStreams(terminal, { noColor: true }).input).toBe(terminal.typed);
  expect(() => promptStreams(new FakeTerminal(), { noColor: true })).toThrow("unexpected terminal.keys");
});

test("Ctrl-Z is no key for a prompt, which would stop the process; every other key stays what it is", () => {
  const { input } = promptStreams(new FakeTerminal({ tty: true }), { noColor: true });
  const keys: unknown[] = [];
  input.on("keypress", (_text, key) => keys.push(key));
  for (const key of [{ ctrl: true, name: "z" }, { ctrl: false, name: "z" }, { ctrl: true, name: "c" }, undefined]) {
    input.emit("keypress", "", key);
  }
  expect(keys).toEqual([
    { ctrl: true, name: "none" },
    { ctrl: false, name: "z" },
    { ctrl: true, name: "c" },
    undefined,
  ]);
});
