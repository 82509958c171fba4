/** Installs that are killed at each moment the disk shows of them: the store stays whole. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";
import { BINARY, FlowHome } from "../lab/binary.ts";

/** Files and links of the store, but for what says when a version was verified. */
function store(home: FlowHome): Record<string, string> {
  const seen = Object.entries(snapshotTree(home.root)).filter(([path]) => path.startsWith("plugins/"));
  const dated = (path: string) => path.endsWith("installed.json") || /\/\.\d+\.\d+\.\d+\.json$/.test(path);
  return Object.fromEntries(
    seen.filter(([, kind]) => kind !== "folder").map(([path, kind]) => [path, dated(path) ? "dated" : kind]),
  );
}

/** What an install that nobody disturbs leaves. */
const whole = new FlowHome();
let complete: Record<string, string>;
beforeAll(async () => {
  expect((await whole.fermix("plugins install obsidian")).code).toBe(0);
  complete = store(whole);
});
afterAll(() => whole[Symbol.dispose]());

/** States of the disk that an install goes through, told from outside. */
const MOMENTS: readonly { readonly title: string; readonly seen: (plugins: string) => boolean }[] = [
  { title: "the plugin is locked", seen: (plugins) => existsSync(join(plugins, ".lock-obsidian")) },
  { title: "staging is there", seen: (plugins) => entries(plugins, ".staging").length > 0 },
  { title: "the package is fetched", seen: (plugins) => staged(plugins, "artifact.tgz") },
  { title: "the signature is fetched", seen: (plugins) => staged(plugins, "artifact.sig") },
  { title: "the tree is being unpacked", seen: (plugins) => staged(plugins, "tree") },
  { title: "the version is announced", seen: (plugins) => inPlace(plugins, ".1.0.0.pending.json") },
  { title: "the old tree is aside", seen: (plugins) => inPlace(plugins, ".1.0.0.replacing") },
  { title: "the tree is in place", seen: (plugins) => inPlace(plugins, "1.0.0") },
  { title: "the version is live", seen: (plugins) => inPlace(plugins, "current") },
  { title: "the record is locked", seen: (plugins) => existsSync(join(plugins, ".lock")) },
];

function entries(plugins: string, folder: string): readonly string[] {
  return existsSync(join(plugins, folder)) ? readdirSync(join(plugins, folder)) : [];
}

function staged(plugins: string, name: string): boolean {
  return entries(plugins, ".staging").some((entry) => existsSync(join(plugins, ".staging", entry, name)));
}

function inPlace(plugins: string, name: string): boolean {
  return existsSync(join(plugins, "installed/obsidian", name));
}

/** Starts an install and kills it when the disk shows the moment; one that is too fast to be caught ends by itself. */
async function killAt(home: FlowHome, words: readonly string[], seen: (plugins: string) => boolean): Promise<void> {
  const child = Bun.spawn([BINARY, "plugins", "install", "obsidian", ...words], {
    env: home.env(),
    cwd: home.folder,
    stdio: ["ignore", "ignore", "ignore"],
  });
  while (child.exitCode === null && child.signalCode === null && !seen(join(home.root, "plugins"))) {
    await new Promise((resolve) => setImmediate(resolve));
  }
  child.kill("SIGKILL");
  await child.exited;
}

describe("INS-5/crash-keeps-old INS-5/no-debris: kill -9", () => {
  for (const { title, seen } of MOMENTS) {
    test(`of a first install when ${title}: nothing or all of it is there after the next start`, async () => {
      using home = new FlowHome();
      await killAt(home, [], seen);
      expect((await home.fermix("plugins gc")).code).toBe(0);
      const after = store(home);
      if (Object.keys(after).some((path) => path.includes("obsidian"))) expect(after).toEqual(complete);
      expect((await home.fermix("plugins install obsidian")).code).toBe(0);
      expect(store(home)).toEqual(complete);
    }, 60_000);

    test(`of a reinstall when ${title}: the plugin is live and proven after the next start`, async () => {
      using home = new FlowHome();
      cpSync(whole.root, home.root, { recursive: true, verbatimSymlinks: true });
      // What is on disk already is no moment of this install.
      const fresh = seen(join(home.root, "plugins")) ? () => staged(join(home.root, "plugins"), "cosign") : seen;
      await killAt(home, ["--force"], fresh);
      const verified = await home.fermix("plugins verify --json");
      expect(JSON.parse(verified.stdout).plugins).toMatchObject([{ name: "obsidian", signature: "verified" }]);
      expect(store(home)).toEqual(complete);
    }, 60_000);
  }
});

test("INS-5/no-debris: what a crash left goes when `fermix mcp serve` starts", async () => {
  using home = new FlowHome();
  cpSync(whole.root, home.root, { recursive: true, verbatimSymlinks: true });
  const plugins = join(home.root, "plugins");
  mkdirSync(join(plugins, ".staging/obsidian-1.0.0-4194305-00000000000a/tree"), { recursive: true });
  writeFileSync(join(plugins, ".staging/obsidian-1.0.0-4194305-00000000000a/artifact.tgz"), "half");
  writeFileSync(join(plugins, ".lock-obsidian"), "1 4194305\n");
  writeFileSync(join(plugins, "installed/obsidian/.1.1.0.pending.json"), "{}");
  await home.fermix("mcp serve", { input: "" });
  expect(store(home)).toEqual(complete);
}, 60_000);
