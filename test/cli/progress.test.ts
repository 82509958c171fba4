/** INS-11: progress is one line on a terminal's stderr and nothing anywhere else. */
import { expect, test } from "bun:test";
import { progressReporter } from "../../src/cli/progress.ts";
import { FakeTerminal } from "../fakes/terminal.ts";

test("INS-11/piped-quiet: nothing is said when stderr is not a terminal", () => {
  const terminal = new FakeTerminal({ tty: true, stderr: false });
  const progress = progressReporter(terminal);
  progress.update("Downloading notes", 1, 2);
  progress.done();
  expect(terminal.said).toBe("");
});

test("INS-11/terminal-progress: a bar that is redrawn in place and gone at the end", () => {
  const terminal = new FakeTerminal({ tty: true });
  const progress = progressReporter(terminal);
  progress.update("Downloading notes", 0, 4 * 1024 * 1024);
  progress.update("Downloading notes", 1024 * 1024, 4 * 1024 * 1024);
  progress.done();
  const empty = `Downloading notes  [${"-".repeat(24)}]   0%  4.0 MiB`;
  const quarter = `Downloading notes  [${"#".repeat(6)}${"-".repeat(18)}]  25%  4.0 MiB`;
  expect(terminal.said).toBe(`\r${empty}\r${quarter}\r${" ".repeat(quarter.length)}\r`);
});

test("what would look the same is not drawn again", () => {
  const terminal = new FakeTerminal({ tty: true });
  const progress = progressReporter(terminal);
  for (let done = 0; done <= 100_000; done += 1) progress.update("Checking", done, 100_000);
  expect(terminal.said.split("\r").length - 1).toBe(101);
});

test("without a total it counts", () => {
  const terminal = new FakeTerminal({ tty: true });
  const progress = progressReporter(terminal);
  progress.update("Unpacking", 1023);
  progress.update("Unpacking", 1024);
  progress.update("Unpacking", 5 * 1024 * 1024);
  expect(terminal.said).toBe("\rUnpacking  1023 B\rUnpacking  1 KiB \rUnpacking  5.0 MiB");
});

test("never wider than the terminal, never steered by a label, silent after the end", () => {
  const terminal = new FakeTerminal({ tty: true, columns: 20 });
  const progress = progressReporter(terminal);
  progress.update("\u001b[2Jname\n", 9, 3);
  expect(terminal.said).toBe(`\r${"?[2Jname?  [########"}`.slice(0, 20));
  progress.done();
  const said = terminal.said;
  progress.update("late", 1, 2);
  progress.done();
  expect(terminal.said).toBe(said);
});

test("a job that ends before it began leaves nothing", () => {
  const terminal = new FakeTerminal({ tty: true });
  progressReporter(terminal).done();
  expect(terminal.said).toBe("");
});
