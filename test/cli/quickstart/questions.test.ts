/** Tests of cli/quickstart/questions.ts: what is asked, what Enter means, and that leaving changes nothing. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { planLink } from "../../../src/cli/quickstart/link.ts";
import { askWishes, type Wishes } from "../../../src/cli/quickstart/questions.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";
import { until } from "../../lab/until.ts";
import { PluginLab, write } from "../../plugins/lab.ts";

const ENTER = "\r";
const DOWN = "\u001b[B";
const CTRL_C = "\u0003";

let lab: PluginLab;
let before: Record<string, string>;
beforeEach(() => {
  lab = new PluginLab();
  write(join(lab.folder, "user/Notes/Plan.md"), "");
  before = snapshotTree(lab.folder);
});
afterEach(() => {
  expect(snapshotTree(lab.folder)).toEqual(before);
  lab[Symbol.dispose]();
});

interface Asking {
  readonly terminal: FakeTerminal;
  readonly wishes: Promise<Wishes>;
  readonly abort: () => void;
  /** Types once this question is on the screen. */
  answer(question: string, ...keys: readonly string[]): Promise<void>;
}

function ask({ linkable = true }: { linkable?: boolean } = {}): Asking {
  const terminal = new FakeTerminal({ tty: true, columns: 300 });
  const userHome = join(lab.folder, "user");
  const app = { ...lab.app, ports: { ...lab.app.ports, terminal }, env: { ...lab.app.env, userHome } };
  const link = linkable ? planLink({ userHome, path: [] }, "/opt/fermix") : undefined;
  const controller = new AbortController();
  const wishes = askWishes(app, { link, noColor: true, signal: controller.signal });
  wishes.catch(() => undefined);
  return {
    terminal,
    wishes,
    abort: () => controller.abort(),
    async answer(question, ...keys) {
      await until(`asked: ${question}`, () => terminal.said.includes(question));
      for (const key of keys) terminal.typed.write(key);
    },
  };
}

test("Enter all the way: a throwaway home, the sample, no link", async () => {
  const { wishes, answer, terminal } = ask();
  await answer("Which home", ENTER);
  await answer("Which vault", ENTER);
  await answer("Link ", ENTER);
  expect(await wishes).toEqual({ home: "throwaway", vault: undefined, link: false });
  expect(terminal.said).toContain(`My own, ${lab.home.root}`);
  expect(terminal.said).toContain("user/.local/bin/fermix to this binary?");
});

test("one's own home needs a vault that is there, and offers the link first", async () => {
  const { wishes, answer } = ask();
  await answer("Which home", DOWN, ENTER);
  await answer("your agent use", ENTER);
  await answer("type its folder", "~/Nothing", ENTER);
  await answer("nothing to read there", "\u0015", "~/Notes", ENTER);
  await answer("Link ", ENTER);
  expect(await wishes).toEqual({ home: "real", vault: "~/Notes", link: true });
});

test("a throwaway home with a vault of one's own; what cannot be linked is not asked", async () => {
  const { wishes, answer, terminal } = ask({ linkable: false });
  await answer("Which home", ENTER);
  await answer("Which vault", "~/Notes/Plan.md", ENTER);
  await answer("it is not a folder", "\u0015", "~/Notes", ENTER);
  expect(await wishes).toEqual({ home: "throwaway", vault: "~/Notes", link: false });
  expect(terminal.said).not.toContain("Link ");
});

describe("leaving", () => {
  const QUESTIONS = ["Which home", "Which vault", "Link "];

  for (const [name, key] of [
    ["Ctrl-C", CTRL_C],
    ["Escape", "\u001b"],
  ] as const) {
    test(`${name} at any question`, async () => {
      for (const [at, last] of QUESTIONS.entries()) {
        const { wishes, answer, terminal } = ask();
        for (const question of QUESTIONS.slice(0, at)) await answer(question, ENTER);
        await answer(last, key);
        await expectRefusal(wishes, "quickstart_cancelled", {});
        // The cursor is shown again.
        expect(terminal.said.lastIndexOf("\u001b[?25h")).toBeGreaterThan(terminal.said.lastIndexOf("\u001b[?25l"));
      }
    });
  }

  test("an abort is a cancel", async () => {
    const { wishes, answer, abort } = ask();
    await answer("Which home");
    abort();
    await expectRefusal(wishes, "quickstart_cancelled", {});
  });
});
