/** A folder that Fermix happens to be started in cannot configure it, and an empty one is enough to run. */
import { expect, test } from "bun:test";
import { copyFileSync, existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, FlowHome } from "../lab/binary.ts";

/** Every file that a compiled Bun program could pick up from where it is started. */
function plantHostileFiles(folder: string): string {
  const marker = join(folder, "marker");
  mkdirSync(folder);
  writeFileSync(join(folder, ".env"), `FERMIX_HOME=${join(folder, "stolen-home")}\nNO_COLOR=1\n`);
  writeFileSync(join(folder, ".env.local"), `FERMIX_HOME=${join(folder, "stolen-home")}\n`);
  writeFileSync(join(folder, ".env.production"), `FERMIX_HOME=${join(folder, "stolen-home")}\n`);
  writeFileSync(join(folder, "bunfig.toml"), 'preload = ["./evil.ts"]\n[run]\nbun = true\n');
  writeFileSync(join(folder, "evil.ts"), `require("node:fs").writeFileSync(${JSON.stringify(marker)}, "run");\n`);
  writeFileSync(join(folder, "tsconfig.json"), '{"compilerOptions":{"paths":{"*":["./evil.ts"]}}}');
  writeFileSync(join(folder, "package.json"), '{"imports":{"#x":"./evil.ts"},"type":"commonjs"}');
  return marker;
}

test("a hostile .env, bunfig.toml, tsconfig.json and package.json have no effect", async () => {
  using lab = new FlowHome();
  const folder = join(lab.folder, "hostile");
  const marker = plantHostileFiles(folder);
  for (const words of ["--version", "plugins list --json", "plugins catalog --json", "plugins info obsidian --json"]) {
    const clean = await lab.fermix(words);
    const hostile = await lab.fermix(words, { cwd: folder });
    expect(hostile).toEqual(clean);
    expect(clean.code).toBe(0);
  }
  await lab.fermix("plugins disable gmail", { cwd: folder });
  expect(existsSync(join(lab.root, "config.toml"))).toBe(true);
  expect(existsSync(join(folder, "stolen-home"))).toBe(false);
  expect(existsSync(marker)).toBe(false);
});

test("CAT-1/embedded the binary alone, copied to an empty folder, knows its whole catalog", async () => {
  using lab = new FlowHome();
  const alone = join(lab.folder, "alone");
  mkdirSync(alone);
  copyFileSync(BINARY, join(alone, "fermix"));
  const there = await lab.fermix("plugins catalog --json");
  const copied = await lab.fermix("plugins catalog --json", { binary: join(alone, "fermix"), cwd: alone });
  expect(copied).toEqual(there);
  expect(JSON.parse(copied.stdout).plugins.length).toBe(12);
});

test("--version prints the version, the catalog date and the Bun version", async () => {
  using lab = new FlowHome();
  const { code, stdout, stderr } = await lab.fermix("--version");
  expect(code).toBe(0);
  expect(stderr).toBe("");
  expect(stdout).toMatch(/^fermix \d+\.\d+\.\d+ \(catalog \d{4}-\d{2}-\d{2}[^)]*, bun 1\.4\.5\)\n$/);
  expect(existsSync(lab.root)).toBe(false);
});
