/** INS-11: progress is one line on a terminal's stderr and nothing anywhere else. */
import { expect, test } from "bun:test";
import { progressReporter } from "../../src/cli/progress.ts";
import { FakeTerminal } from "../fakes/terminal.ts";

const bytes = (done: number, total?: number) => ({ unit: "bytes", done, total }) as const;
const files = (done: number, total?: number) => ({ unit: "files", done, total }) as const;

test("INS-11/piped-quiet: nothing is said when stderr is not a terminal", () => {
  const terminal = new FakeTerminal({ tty: true, stderr: false });
  const progress = progressReporter(terminal);
  progress.update("Downloading notes", bytes(1, 2));
  progress.done();
  expect(terminal.said).toBe("");
});

test("INS-11/terminal-progress: a bar that is redrawn in place and gone at the end, with what was typed behind it", () => {
  const terminal = new FakeTerminal({ tty: true });
  const progress = progressReporter(terminal);
  progress.update("Downloading notes", bytes(0, 4 * 1024 * 1024));
  progress.update("Downloading notes", bytes(1024 * 1024, 4 * 1024 * 1024));
  progress.update("Verifying");
  progress.done();
  const empty = `Downloading notes  [${"-".repeat(24)}]   0%  4.0 MiB`;
  const quarter = `Downloading notes  [${"#".repeat(6)}${"-".repeat(18)}]  25%  4.0 MiB`;
  const verifying = `Verifying${" ".repeat(quarter.length - "Verifying".length)}`;
  expect(terminal.said).toBe(`\r${empty}\r${quarter}\r${verifying}\r${" ".repeat(79)}\r`);
});

test("what would look the same is not drawn again", () => {
  const terminal = new FakeTerminal({ tty: true });
  const progress = progressReporter(terminal);
  for (let done = 0; done <= 100_000; done += 1) progress.update("Checking", files(done, 100_000));
  expect(terminal.said.split("\r").length - 1).toBe(101);
});

test("without a total it counts, thousands of files in a few hundred steps", () => {
  const terminal = new FakeTerminal({ tty: true });
  const progress = progressReporter(terminal);
  progress.update("Unpacking", bytes(1023));
  progress.update("Unpacking", bytes(1024));
  progress.update("Unpacking", bytes(5 * 1024 * 1024));
  expect(terminal.said).toBe("\rUnpacking  1023 B\rUnpacking  1 KiB \rUnpacking  5.0 MiB");
  terminal.said = "";
  for (let done = 1; done <= 99_999; done += 1) progress.update("Unpacking", files(done));
  const lines = terminal.said.split("\r").slice(1);
  expect(lines).toHaveLength(99 + 90 + 90 + 90);
  expect([lines[0]?.trimEnd(), lines[98], lines[99], lines.at(-1)]).toEqual([
    "Unpacking  1 file",
    "Unpacking  99 files",
    "Unpacking  100 files",
    "Unpacking  99000 files",
  ]);
});

test("never wider than the terminal, never steered by a label, silent after the end", () => {
  const terminal = new FakeTerminal({ tty: true, columns: 20 });
  const progress = progressReporter(terminal);
  progress.update("\u001b[2Jname\n", bytes(9, 3));
  expect(terminal.said).toBe(`\r${"?[2Jname?  [########"}`.slice(0, 20));
  progress.done();
  const said = terminal.said;
  progress.update("late", bytes(1, 2));
  progress.done();
  expect(terminal.said).toBe(said);
});

test("a job that ends before it began leaves nothing", () => {
  const terminal = new FakeTerminal({ tty: true });
  progressReporter(terminal).done();
  expect(terminal.said).toBe("");
});
