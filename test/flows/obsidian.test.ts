/** The main job on the compiled binary: prove and install Obsidian, start its server, use it from clients we did not write. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { BINARY, FlowHome, ROOT } from "../lab/binary.ts";
import { until } from "../lab/until.ts";

const lab = new FlowHome("a home with späces");
const vault = join(lab.folder, "vault");

beforeAll(() => {
  mkdirSync(join(vault, "Projects"), { recursive: true });
  writeFileSync(join(vault, "Projects/Fermix.md"), "# Fermix\n\nThe launch meeting is on Thursday.\n");
  writeFileSync(join(vault, "Daily.md"), "# Daily\n\nBuy oats.\n");
});
afterAll(() => lab[Symbol.dispose]());

/** The notes that live hosts left about the versions they run. */
function holds(): string[] {
  return readdirSync(join(lab.root, "plugins/run")).filter((name) => name.startsWith("hold-"));
}

/** The inspector's command line on `fermix mcp serve`. */
async function inspect(...words: string[]): Promise<unknown> {
  const child = Bun.spawn(
    [
      join(ROOT, "node_modules/.bin/mcp-inspector"),
      "--cli",
      ...words,
      "-e",
      `FERMIX_HOME=${lab.root}`,
      "--",
      BINARY,
      "mcp",
      "serve",
    ],
    { env: lab.env(), cwd: lab.folder, stdout: "pipe", stderr: "pipe" },
  );
  const [stdout, stderr, code] = await Promise.all([child.stdout.text(), child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`the inspector exited ${code}: ${stderr}`);
  return JSON.parse(stdout.slice(stdout.indexOf("{")));
}

test("INS-8/install-version a plugin is proven, installed, configured and enabled", async () => {
  expect(await lab.fermix("plugins install obsidian@1.0.0")).toMatchObject({ code: 0, stdout: "installed obsidian\n" });
  const set = await lab.fermix(["plugins", "config", "set", "obsidian", "OBSIDIAN_VAULT_PATH", vault]);
  expect(set).toMatchObject({ code: 0, stdout: "set obsidian OBSIDIAN_VAULT_PATH\n" });
  expect(await lab.fermix("plugins enable obsidian")).toMatchObject({ code: 0, stdout: "enabled obsidian\n" });
  const list = await lab.fermix("plugins list --json");
  expect(JSON.parse(list.stdout).plugins.find(({ name }: { name: string }) => name === "obsidian").status).toBe(
    "ready",
  );
}, 60_000);

test("LOC-1/named the inspector lists and calls the five tools", async () => {
  const listed = (await inspect("--method", "tools/list", "--strict")) as { tools: { name: string }[] };
  expect(listed.tools.map(({ name }) => name)).toEqual([
    "obsidian_append_note",
    "obsidian_create_note",
    "obsidian_list_folder",
    "obsidian_read_note",
    "obsidian_search_notes",
  ]);
  const found = await inspect(
    "--method",
    "tools/call",
    "--tool-name",
    "obsidian_search_notes",
    "--tool-arg",
    "query=launch",
  );
  expect(JSON.stringify(found)).toContain("Projects/Fermix.md");
  const read = await inspect(
    "--method",
    "tools/call",
    "--tool-name",
    "obsidian_read_note",
    "--tool-arg",
    "path=Daily.md",
  );
  expect(JSON.stringify(read)).toContain("Buy oats.");
}, 120_000);

test("AGT-1/ready-listed the official client sees the instructions, and a change on disk changes its tools", async () => {
  const client = new Client({ name: "flow", version: "1.0.0" });
  const changes: string[] = [];
  let changed = Promise.withResolvers<void>();
  const { ToolListChangedNotificationSchema } = await import("@modelcontextprotocol/sdk/types.js");
  client.setNotificationHandler(ToolListChangedNotificationSchema, () => {
    changes.push("tools");
    changed.resolve();
  });
  await client.connect(
    new StdioClientTransport({ command: BINARY, args: ["mcp", "serve"], env: lab.env(), cwd: lab.folder }),
  );
  try {
    expect(client.getInstructions()).toContain('<plugin name="obsidian"');
    expect((await client.listTools()).tools.length).toBe(5);
    // gc leaves the files of a running server alone (DECISIONS 38).
    expect(holds()).toEqual([expect.stringMatching(/^hold-obsidian-1\.0\.0-\d+$/)]);
    expect((await lab.fermix("plugins disable obsidian")).code).toBe(0);
    await changed.promise;
    expect((await client.listTools()).tools).toEqual([]);
    await until("the server's files are given back", () => holds().length === 0);
    const refused = await client.callTool({ name: "obsidian_read_note", arguments: { path: "Daily.md" } });
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toContain("fermix plugins enable obsidian");
    changed = Promise.withResolvers<void>();
    expect((await lab.fermix("plugins enable obsidian")).code).toBe(0);
    await changed.promise;
    expect((await client.listTools()).tools.length).toBe(5);
    expect(changes.length).toBeGreaterThanOrEqual(2);
  } finally {
    await client.close();
  }
}, 60_000);

test("the same tools from the command line: call, capabilities, prompt", async () => {
  const called = await lab.fermix(["call", "obsidian_search_notes", "--args", '{"query":"oats"}']);
  expect(called.code).toBe(0);
  expect(called.stdout).toContain("Daily.md");
  const piped = await lab.fermix("call obsidian_read_note --args - --json", { input: '{"path":"Daily.md"}' });
  expect(JSON.parse(piped.stdout).isError ?? false).toBe(false);
  expect(await lab.fermix(["call", "obsidian_read_note", "--args", '{"path":"../../etc/passwd"}'])).toMatchObject({
    code: 1,
  });
  expect((await lab.fermix("capabilities --kind mcp")).stdout).toContain("- obsidian_search_notes [mcp]");
  expect((await lab.fermix("prompt")).stdout).toContain("obsidian_search_notes");
}, 60_000);
