/** `fermix quickstart` on the compiled binary: from nothing to an answer out of a vault, piped and as JSON. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readlinkSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";
import { BINARY, FlowHome } from "../lab/binary.ts";

let lab: FlowHome;
beforeEach(() => {
  lab = new FlowHome();
  mkdirSync(join(lab.folder, "tmp"));
});
afterEach(() => lab[Symbol.dispose]());

const temp = () => ({ TMPDIR: join(lab.folder, "tmp") });

interface Answer {
  readonly home: string;
  readonly vault: string;
  readonly proof: { readonly sha256: string; readonly cosign: string };
  readonly call: { readonly tools: readonly string[]; readonly text: string };
  readonly clients: readonly { readonly client: string; readonly run: string | null; readonly json: string | null }[];
}

test("a throwaway run proves each step, searches the sample vault and ends with the lines for each client", async () => {
  const { code, stdout, stderr } = await lab.fermix("quickstart", { env: temp() });
  expect(stderr).toContain("the artifact's sha256 is the catalog's: ");
  expect(stderr).toContain("and Fermix both accept the signature of publisher key ");
  expect(stderr).toContain("obsidian_search_notes answered");
  expect(stdout).toContain("Projects/Garden.md");
  expect(stdout).toMatch(new RegExp(`claude mcp add fermix -e FERMIX_HOME=\\S+ -- ${BINARY} mcp serve`));
  expect(stdout).toContain("Cursor, in ~/.cursor/mcp.json:");
  expect(stdout).toContain("code --add-mcp '{");
  expect(stdout).toContain(`ln -s ${BINARY} ${lab.folder}/user/.local/bin/fermix`);
  expect(stdout).toContain('export PATH="$HOME/.local/bin:$PATH"');
  expect(code).toBe(0);
  expect(Object.keys(snapshotTree(lab.folder)).some((path) => path.startsWith("home"))).toBe(false);
}, 60_000);

test("the real home, a vault of one's own and the link, as JSON; what it set up goes on working", async () => {
  const vault = join(lab.folder, "my notes");
  mkdirSync(vault);
  writeFileSync(join(vault, "Launch plan.md"), "# Launch\n\nOn Thursday.\n");
  const before = snapshotTree(vault);
  const words = ["quickstart", "--home", "real", "--vault", vault, "--link", "--json"];
  const { code, stdout } = await lab.fermix(words, { env: temp() });
  expect(code).toBe(0);
  const answer = JSON.parse(stdout) as Answer;
  expect([answer.home, answer.vault]).toEqual([lab.root, vault]);
  expect(answer.call.text).toContain("Launch plan.md");
  expect(answer.call.tools).toHaveLength(5);
  expect(answer.clients.map(({ client }) => client)).toEqual(["Claude Code", "Cursor", "VS Code"]);
  expect(readlinkSync(join(lab.folder, "user/.local/bin/fermix"))).toBe(BINARY);
  expect(snapshotTree(vault)).toEqual(before);
  const list = await lab.fermix("plugins list");
  expect(list.stdout).toContain("obsidian\tready\t-");
  expect(snapshotTree(join(lab.folder, "tmp"))).toEqual({});
}, 60_000);

test("a run that fails leaves no throwaway home behind, and says what to do", async () => {
  const { code, stderr } = await lab.fermix("quickstart", { env: { ...temp(), PATH: join(lab.folder, "nothing") } });
  expect(code).not.toBe(0);
  expect(stderr).toContain("fix: ");
  expect(snapshotTree(join(lab.folder, "tmp"))).toEqual({});
  rmSync(join(lab.folder, "tmp"), { recursive: true });
}, 60_000);
