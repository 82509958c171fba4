/** `fermix quickstart` on the compiled binary: from nothing to an answer out of a vault, piped and as JSON. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";
import { type ServerLine, searchAsAgent, wordsOfLine } from "../lab/agent.ts";
import { BINARY, FlowHome } from "../lab/binary.ts";
import { slowNode } from "../lab/slow-node.ts";

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

/** The line that stdout has below this one. */
function below(stdout: string, heading: string): string {
  const lines = stdout.split("\n").map((line) => line.trim());
  return lines[lines.indexOf(heading) + 1] ?? "";
}

/** What `claude mcp add --scope user NAME -e A=B -- command args` says about a server. */
function ofClaude(words: readonly string[]): ServerLine {
  const [dashes, at] = [words.indexOf("--"), words.indexOf("-e")];
  const [variable = "", value = ""] = words[at + 1]?.split("=") ?? [];
  const [command = "", ...args] = words.slice(dashes + 1);
  return { command, args, env: { [variable]: value } };
}

test("a throwaway run proves each step, searches the sample vault and ends with the lines for each client", async () => {
  const { code, stdout, stderr } = await lab.fermix("quickstart", { env: temp() });
  expect(stderr).toContain("the artifact's sha256 is the catalog's: ");
  expect(stderr).toContain("and Fermix both accept the signature of publisher key ");
  expect(stderr).toContain("obsidian_search_notes answered");
  expect(stdout).toContain("Projects/Garden.md");
  expect(stdout).toMatch(new RegExp(`claude mcp add --scope user fermix -e FERMIX_HOME=\\S+ -- ${BINARY} mcp serve`));
  expect(stdout).toContain("Cursor, in ~/.cursor/mcp.json:");
  expect(stdout).toContain("code --add-mcp '{");
  expect(stdout).toContain(`ln -s ${BINARY} ${lab.folder}/user/.local/bin/fermix`);
  expect(stdout).toContain('export PATH="$HOME/.local/bin:$PATH"');
  expect(code).toBe(0);
  expect(Object.keys(snapshotTree(lab.folder)).some((path) => path.startsWith("home"))).toBe(false);
}, 60_000);

test("each printed line gives an agent the vault, pasted as it is", async () => {
  const folder = join(lab.folder, "it's a tmp");
  mkdirSync(folder);
  const { stdout } = await lab.fermix("quickstart", { env: { TMPDIR: folder } });
  const { FERMIX_HOME: _unset, ...own } = lab.env();
  const cursor = JSON.parse(below(stdout, "Cursor, in ~/.cursor/mcp.json:"));
  const [flag, code = ""] = wordsOfLine(below(stdout, "VS Code:"), "code", own);
  expect(flag).toBe("--add-mcp");
  const { name, ...vsCode } = JSON.parse(code);
  expect([name, Object.keys(cursor.mcpServers)]).toEqual(["fermix", ["fermix"]]);
  const servers: readonly ServerLine[] = [
    ofClaude(wordsOfLine(below(stdout, "Claude Code:"), "claude", own)),
    cursor.mcpServers.fermix,
    vsCode,
  ];
  for (const server of servers) {
    expect(server).toEqual(servers[0] ?? server);
    const { tools, text } = await searchAsAgent(server, "garden", { env: own, cwd: lab.folder });
    expect(tools).toHaveLength(5);
    expect(text).toContain("Projects/Garden.md");
  }
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

test("SIGTERM in the middle takes the throwaway home away", async () => {
  const child = Bun.spawn([BINARY, "quickstart"], {
    env: lab.env({ ...temp(), PATH: `${slowNode(lab.folder)}:${lab.env()["PATH"]}` }),
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  let said = "";
  for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
    if (!said.includes("enabled and ready") && `${said}${chunk}`.includes("enabled and ready")) child.kill("SIGTERM");
    said += chunk;
  }
  expect([await child.exited, await child.stdout.text()]).toEqual([1, ""]);
  expect(said).toContain("fermix quickstart: Quickstart was cancelled; nothing of it is left.\nfix: ");
  expect(snapshotTree(join(lab.folder, "tmp"))).toEqual({});
}, 60_000);

test("a link that cannot be is refused before anything is done", async () => {
  const place = join(lab.folder, "user/.local/bin/fermix");
  mkdirSync(join(place, ".."), { recursive: true });
  writeFileSync(place, "mine");
  const before = snapshotTree(lab.folder);
  const { code, stdout } = await lab.fermix("quickstart --link --json", { env: temp() });
  expect([code, JSON.parse(stdout).error]).toEqual([1, expect.objectContaining({ code: "link_taken" })]);
  expect(snapshotTree(lab.folder)).toEqual(before);
});

test("a run that fails leaves no throwaway home and no link behind, and says what to do", async () => {
  const { code, stderr } = await lab.fermix("quickstart --link", {
    env: { ...temp(), PATH: join(lab.folder, "nothing") },
  });
  expect(code).not.toBe(0);
  expect(stderr).toContain("fix: ");
  expect(snapshotTree(join(lab.folder, "tmp"))).toEqual({});
  expect(snapshotTree(join(lab.folder, "user"))).toEqual({});
}, 60_000);
