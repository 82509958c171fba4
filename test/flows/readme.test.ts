/** README's first steps, as a newcomer types them: in order, in one shell, in a home with nothing but notes. */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { searchAsAgent } from "../lab/agent.ts";
import { BINARY, FlowHome, ROOT } from "../lab/binary.ts";

const README = readFileSync(join(ROOT, "README.md"), "utf8");
const lab = new FlowHome();
const home = join(lab.folder, "user");

/** A shell of the newcomer: no FERMIX_HOME, and the throwaway home of quickstart below the lab. */
function newcomer(): Record<string, string> {
  const { FERMIX_HOME: _unset, ...env } = lab.env({ TMPDIR: join(lab.folder, "tmp") });
  return env;
}

/** The lines of each shell block below a heading. */
function shellBlocks(heading: string): readonly (readonly string[])[] {
  const section = README.split(/^## /m).find((part) => part.startsWith(`${heading}\n`)) ?? "";
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = ""]) => block.trimEnd().split("\n"));
}

const [five = [], [call = ""] = []] = shellBlocks("First plugin in five commands");
const outputs = join(lab.folder, "out");

beforeAll(() => {
  mkdirSync(join(lab.folder, "tmp"));
  mkdirSync(outputs);
  mkdirSync(join(home, "Notes"));
  writeFileSync(join(home, "Notes/Monday.md"), "# Monday\n\nThe meeting is at ten.\n");
});
afterAll(() => lab[Symbol.dispose]());

/** Runs the lines in one shell; each one's stdout is kept, and the first that fails ends it. */
async function runLines(lines: readonly string[]): Promise<readonly string[]> {
  const script = lines.map((line, at) => `{ ${line}\n} >'${outputs}/${at}'`).join("\n");
  const child = Bun.spawn(["bash", "-euo", "pipefail", "-c", script], {
    env: newcomer(),
    cwd: ROOT,
    stdin: "ignore",
    stdout: "pipe",
    stderr: "pipe",
  });
  const [stderr, code] = await Promise.all([child.stderr.text(), child.exited]);
  if (code !== 0) throw new Error(`exit ${code}: ${stderr}`);
  return lines.map((_, at) => readFileSync(join(outputs, String(at)), "utf8"));
}

test("the five commands lead an agent to the vault, and the call works without one", async () => {
  expect(five).toHaveLength(5);
  const [quickstart, path, enable, configure, add = ""] = five;
  expect(quickstart).toBe("npm run quickstart");
  expect(add).toStartWith("claude mcp add --scope user fermix -- ");
  const lines = [
    // npm's script does the set-up and the build, which every flow has behind it, and then this.
    `'${BINARY}' quickstart`,
    `${path}`,
    `${enable}`,
    `${configure}`,
    "claude() { printf '%s\\0' \"$@\"; }",
    add,
    "fermix plugins list",
    call,
  ];
  const [tour, , , , , claude = "", list, found] = await runLines(lines);
  expect(tour).toContain("Add Fermix to your agent:");
  expect(list).toContain("obsidian\tready\t");
  expect(found).toContain("Monday.md");

  const words = claude.split("\0").slice(0, -1);
  expect(words.slice(0, 6)).toEqual(["mcp", "add", "--scope", "user", "fermix", "--"]);
  const [command = "", ...args] = words.slice(6);
  // An agent has its own environment; PATH does not lead to fermix there.
  const { tools, text } = await searchAsAgent({ command, args }, "meeting", { env: newcomer(), cwd: home });
  expect(text).toContain("Monday.md");
  for (const tool of tools) expect(README).toContain(`\`${tool}\``);
  expect(tools).toHaveLength(5);
  expect(readdirSync(home).sort()).toEqual([".fermix", "Notes"]);
}, 120_000);

test("every npm and bun script that it names is there, and every fermix command is one", async () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
  const named = [...README.matchAll(/\b(?:npm run|bun run) ([a-z]+)/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !Object.hasOwn(scripts, name))).toEqual([]);
  const help = await lab.fermix("--help");
  const words = [...README.matchAll(/\bfermix ((?:plugins|mcp) [a-z]+|call|quickstart)\b/g)].map(
    ([, verb = ""]) => verb,
  );
  expect(words.length).toBeGreaterThan(3);
  for (const verb of new Set(words)) expect(help.stdout).toContain(`  ${verb}`);
});

/** The smallest server that the manifest of the README can start: it offers `hello`, without the plugin's name. */
const SERVER = `
import { createInterface } from "node:readline";
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const results = {
    initialize: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "my", version: "0.1.0" } },
    "tools/list": { tools: [{ name: "hello", inputSchema: { type: "object" } }] },
    "tools/call": { content: [{ type: "text", text: "Hello." }] },
  };
  console.log(JSON.stringify({ jsonrpc: "2.0", id, result: results[method] ?? {} }));
});
`;

test("DEV-1/full-validation a plugin of one's own, written from the README, loads and answers", async () => {
  using own = new FlowHome();
  const [, manifest = ""] = /^```json\n(.*?)^```$/ms.exec(README) ?? [];
  const [, config = ""] = /^```toml\n(.*?)^```$/ms.exec(README) ?? [];
  const plugins = join(own.folder, "plugins");
  mkdirSync(join(plugins, "my_plugin"), { recursive: true });
  mkdirSync(own.root);
  writeFileSync(join(plugins, "my_plugin/plugin.json"), manifest);
  writeFileSync(join(plugins, "my_plugin/server.mjs"), SERVER);
  writeFileSync(join(own.root, "config.toml"), config.replace("/path/to/plugins", plugins));
  expect(await own.fermix("plugins doctor my_plugin")).toMatchObject({ code: 0 });
  expect(await own.fermix("call my_plugin_hello")).toMatchObject({ code: 0, stdout: "Hello.\n" });
}, 60_000);

test("DEV-1/full-validation the plugin without code, written from the README, is ready and has its tool", async () => {
  using own = new FlowHome();
  const [, , manifest = ""] = README.split("```json\n").map((part) => part.split("```")[0] ?? "");
  const plugins = join(own.folder, "plugins");
  mkdirSync(join(plugins, "weather"), { recursive: true });
  mkdirSync(own.root);
  writeFileSync(join(plugins, "weather/plugin.json"), manifest);
  writeFileSync(
    join(own.root, "config.toml"),
    `[fermix_core.plugins]\ndev_local = ${JSON.stringify(plugins)}\nenabled = ["weather"]\n`,
  );
  expect(await own.fermix("plugins list")).toMatchObject({
    code: 0,
    stdout: expect.stringContaining("weather\tready"),
  });
  const { stdout } = await own.fermix("capabilities --json");
  expect(JSON.parse(stdout).capabilities).toEqual([
    { name: "weather_today", kind: "builtin", plugin: "weather", description: "The weather of a city today." },
  ]);
  // The name is reserved for examples, so the call is well made and finds no address.
  const call = await own.fermix(["call", "weather_today", "--args", '{"city": "Ulm"}', "--json"], {
    through: ["unshare", "-rn"],
  });
  expect(JSON.parse(call.stdout).error.code).toBe("dns_failed");
});
