/** Tests of cli/quickstart/step-lines.ts: marked lines on a terminal, plain ones in a pipe, nothing that steers either. */
import { expect, test } from "bun:test";
import { openStepLines } from "../../../src/cli/quickstart/step-lines.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";

async function said(is: { tty: boolean; noColor: boolean }, ...steps: readonly string[]): Promise<string> {
  const terminal = new FakeTerminal({ tty: is.tty });
  const { fact, step } = await openStepLines(terminal, is);
  fact("home: /h");
  for (const text of steps) step(text);
  return terminal.said;
}

test("a terminal gets a colored mark, or a plain one", async () => {
  const colored = "\u001b[36mℹ\u001b[39m home: /h\n\u001b[32m✔\u001b[39m done\n";
  expect(await said({ tty: true, noColor: false }, "done")).toBe(colored);
  expect(await said({ tty: true, noColor: true }, "done")).toBe("ℹ home: /h\n✔ done\n");
});

test("a pipe gets neither, whatever was asked", async () => {
  expect(await said({ tty: false, noColor: false }, "done")).toBe("  home: /h\n  done\n");
});

test("a text is shown as it is: no markup, no formats, no throttling, no escape of its own", async () => {
  const odd = "a `b` _c_ d %s %% [e]\u001b[2J";
  expect(await said({ tty: true, noColor: true }, odd, odd, odd)).toBe(
    `ℹ home: /h\n${"✔ a `b` _c_ d %s %% [e]\\u001b[2J\n".repeat(3)}`,
  );
});
