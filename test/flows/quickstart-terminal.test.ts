/** `fermix quickstart` and an install on a real terminal: questions, marks, the bar, and Ctrl-C at every point. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";
import { BINARY, FlowHome } from "../lab/binary.ts";
import { Pane, paneMissing } from "../lab/pane.ts";
import { slowNode } from "../lab/slow-node.ts";

const missing = paneMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const QUESTIONS = ["Which home shall it use?", "Which vault shall it search", "Link "] as const;
const CANCELLED = "fermix quickstart: Quickstart was cancelled; nothing of it is left.";
/** Colors and weights, which NO_COLOR forbids. */
const STYLING = /\u001b\[[0-9;]*m/;
const CURSOR_SHOWN = "\u001b[?25h";
const CURSOR_HIDDEN = "\u001b[?25l";

let lab: FlowHome;
let pane: Pane | undefined;
let panes = 0;
beforeEach(() => {
  lab = new FlowHome();
  mkdirSync(join(lab.folder, "tmp"));
});
afterEach(() => {
  pane?.[Symbol.dispose]();
  pane = undefined;
  lab[Symbol.dispose]();
});

function open(command: readonly string[], env: Readonly<Record<string, string>> = {}): Pane {
  const { HOME: userHome, ...rest } = lab.env({ TMPDIR: join(lab.folder, "tmp"), ...env });
  panes += 1;
  const folder = join(lab.folder, `pane${panes}`);
  mkdirSync(folder);
  pane = new Pane(command, {
    folder,
    // The real home is ~/.fermix here, as for a newcomer.
    env: { ...rest, HOME: userHome ?? "", FERMIX_HOME: "" },
    cwd: lab.folder,
  });
  return pane;
}

/** Everything of the user's, and the folder for throwaway homes. */
const disk = () => [snapshotTree(join(lab.folder, "user")), snapshotTree(join(lab.folder, "tmp"))];

describe.if(missing === undefined)("on a terminal", () => {
  test("Enter all the way: a throwaway home, the sample vault, no link; the lines for each client at the end", async () => {
    const on = open([BINARY, "quickstart"]);
    for (const question of QUESTIONS) {
      await on.shows(question);
      on.type("Enter");
    }
    expect(await on.ended()).toEqual({ code: 0, sane: true });
    const { screen, raw } = on;
    expect(screen).toContain("✔ the artifact's sha256 is the catalog's: ");
    expect(screen).toContain("✔ its server started, offered 5 tools, and obsidian_search_notes answered");
    expect(screen).toContain("Projects/Garden.md");
    expect(screen).toContain("claude mcp add --scope user fermix -e FERMIX_HOME=");
    expect(screen).toContain("This home is a throwaway one.");
    expect(raw).toContain("\u001b[32m✔\u001b[39m obsidian is enabled and ready");
    expect(raw.lastIndexOf(CURSOR_SHOWN)).toBeGreaterThan(raw.lastIndexOf(CURSOR_HIDDEN));
    expect(snapshotTree(join(lab.folder, "user"))).toEqual({});
    expect(readdirSync(join(lab.folder, "tmp"))).toHaveLength(1);
  }, 60_000);

  test("one's own home, a vault typed with a ~, and the link", async () => {
    mkdirSync(join(lab.folder, "user/Notes"), { recursive: true });
    writeFileSync(join(lab.folder, "user/Notes/Launch plan.md"), "# Launch\n\nOn Thursday.\n");
    const on = open([BINARY, "quickstart"]);
    await on.shows(QUESTIONS[0]);
    // A shell would have the terminal at a Ctrl-Z; here nothing comes of it, and the next key counts.
    on.type("C-z", "Down", "Enter");
    await on.shows(QUESTIONS[1]);
    on.type("~/No", "C-z", "where", "Enter");
    await on.shows("cannot be used: there is nothing to read there.");
    on.type("C-u", "~/Notes", "Enter");
    await on.shows(QUESTIONS[2]);
    on.type("Enter");
    expect(await on.ended()).toEqual({ code: 0, sane: true });
    expect(on.screen).toContain("Launch plan.md");
    expect(on.screen).toContain(`claude mcp add --scope user fermix -- ${BINARY} mcp serve`);
    expect(on.screen).toContain('export PATH="$HOME/.local/bin:$PATH"');
    expect(readlinkSync(join(lab.folder, "user/.local/bin/fermix"))).toBe(BINARY);
    expect(readFileSync(join(lab.folder, "user/.fermix/config.toml"), "utf8")).toContain(
      join(lab.folder, "user/Notes"),
    );
    expect(snapshotTree(join(lab.folder, "tmp"))).toEqual({});
  }, 60_000);

  test("NO_COLOR and --no-color: the same, without one color", async () => {
    for (const [words, env] of [
      [["quickstart"], { NO_COLOR: "1" }],
      [["quickstart", "--no-color"], {}],
    ] as const) {
      const on = open([BINARY, ...words], env);
      for (const question of QUESTIONS) {
        await on.shows(question);
        on.type("Enter");
      }
      expect(await on.ended()).toEqual({ code: 0, sane: true });
      expect(on.screen).toContain("✔ obsidian is enabled and ready");
      expect(on.raw).not.toMatch(STYLING);
      on[Symbol.dispose]();
      pane = undefined;
    }
  }, 120_000);

  test("stdout is the answer alone, and options, --yes, --json or a dumb terminal ask nothing", async () => {
    const answer = join(lab.folder, "answer");
    const quiet = [
      `"$0" quickstart --yes`,
      `"$0" quickstart --json`,
      `"$0" quickstart --home throwaway`,
      `TERM=dumb "$0" quickstart`,
    ];
    const script = quiet.map((line, at) => `${line} >${answer}.${at} || exit 9`).join("; ");
    const on = open(["sh", "-c", script, BINARY]);
    expect(await on.ended()).toEqual({ code: 0, sane: true });
    expect(on.raw).not.toContain(QUESTIONS[0]);
    expect(on.raw.match(/its server started, offered 5 tools/g)).toHaveLength(4);
    for (const at of [0, 2, 3]) expect(readFileSync(`${answer}.${at}`, "utf8")).toStartWith("obsidian_search_notes {");
    expect(JSON.parse(readFileSync(`${answer}.1`, "utf8"))).toMatchObject({ throwaway: true, sample_vault: true });
  }, 120_000);

  for (const [at, last] of QUESTIONS.entries()) {
    for (const [keys, name] of [
      ["C-c", "Ctrl-C"],
      ["C-d", "Ctrl-D"],
    ] as const) {
      test(`${name} at question ${at + 1} leaves the disk and the terminal as they were`, async () => {
        const before = disk();
        const on = open([BINARY, "quickstart"]);
        for (const question of QUESTIONS.slice(0, at)) {
          await on.shows(question);
          on.type("Enter");
        }
        await on.shows(last);
        on.type(keys);
        expect(await on.ended()).toEqual({ code: 1, sane: true });
        expect(on.screen).toContain(CANCELLED);
        expect(on.raw.lastIndexOf(CURSOR_SHOWN)).toBeGreaterThan(on.raw.lastIndexOf(CURSOR_HIDDEN));
        expect(disk()).toEqual(before);
      }, 60_000);
    }
  }

  for (const step of ["ℹ vault: ", "✔ obsidian is enabled and ready"]) {
    test(`Ctrl-C after "${step}" takes the throwaway home away`, async () => {
      const before = disk();
      const on = open([BINARY, "quickstart", "--yes"], { PATH: `${slowNode(lab.folder)}:${lab.env()["PATH"]}` });
      await on.shows(step);
      on.type("C-c");
      expect(await on.ended()).toEqual({ code: 1, sane: true });
      // A line of its own: the echoed ^C is gone.
      expect(on.screen.split("\n")).toContain(CANCELLED);
      expect(disk()).toEqual(before);
    }, 60_000);
  }

  test("INS-11/terminal-progress an install draws its bar and takes it away", async () => {
    const on = open([BINARY, "plugins", "install", "obsidian"]);
    expect(await on.ended()).toEqual({ code: 0, sane: true });
    expect(on.raw).toMatch(/\rFetching {2}\[#{24}\] 100% {2}\d+ KiB/);
    expect(on.raw).toMatch(/\rUnpacking {2}\d+ files/);
    expect(on.screen).toContain("installed obsidian");
    expect(on.screen).not.toMatch(/Fetching|Verifying|Unpacking|Activating/);
  }, 60_000);
});
