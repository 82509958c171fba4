/** Broken manifests on the compiled binary, as an author's folder and as a signed package: the same problems, all at once. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { hostileBinary } from "../lab/hostile/binary.ts";
import { type BrokenManifest, brokenManifests, FILES } from "../lab/hostile/manifests.ts";
import { inLanes, refused } from "../lab/refusal.ts";

const lab = new FlowHome("lab");
const authors = join(lab.folder, "authors");
let binary: string;
beforeAll(async () => {
  binary = await hostileBinary();
  for (const { name, text } of brokenManifests) {
    for (const [path, content] of Object.entries({ ...FILES, "plugin.json": text })) {
      const place = join(authors, name, name, path);
      mkdirSync(join(place, ".."), { recursive: true });
      writeFileSync(place, content);
    }
  }
}, 120_000);
afterAll(() => lab[Symbol.dispose]());

interface Problem {
  readonly path: string;
  readonly rule: string;
  readonly says: string;
}

/** What the loader says of an author's folder that holds only this plugin. */
async function asAuthored({ name }: BrokenManifest): Promise<unknown> {
  using home = new FlowHome();
  mkdirSync(home.root);
  const config = `[fermix_core.plugins]\ndev_local = ${JSON.stringify(join(authors, name))}\n`;
  writeFileSync(join(home.root, "config.toml"), config);
  const { exit, code, details, fix } = await refused(home, "plugins list", { binary });
  expect(details["path"]).toBe(join(authors, name, name, "plugin.json"));
  expect(fix).toContain("dev_local");
  return { exit, code, problems: details["problems"] };
}

describe("DEV-1/full-validation INS-4/same-code", () => {
  const lanes = [new FlowHome(), new FlowHome()];
  const [first] = lanes as [FlowHome, FlowHome];
  beforeAll(async () => {
    const installed = await Promise.all(lanes.map((home) => home.fermix("plugins install keeper", { binary })));
    expect(installed.map(({ code }) => code)).toEqual([0, 0]);
  }, 60_000);
  afterAll(() => {
    for (const home of lanes) home[Symbol.dispose]();
  });

  test("a broken manifest is refused at both doors with the same problems, all of them, each with its path", async () => {
    const seen: Record<string, unknown> = {};
    await inLanes(lanes, brokenManifests, async (home, plugin) => {
      const install = await refused(home, `plugins install ${plugin.name}`, { binary });
      const problems = install.details["problems"] as readonly Problem[];
      for (const { path, says } of problems) expect(install.message).toContain(`\n  ${path}: ${says} (`);
      expect(await asAuthored(plugin)).toEqual({ exit: 1, code: "dev_local_invalid", problems });
      const told = problems.map(({ path, rule }) => `${path} ${rule}`);
      seen[plugin.what] = { exit: install.exit, code: install.code, told };
    });
    const expected = brokenManifests.map(({ what, told }) => [
      what,
      { exit: 1, code: "manifest_invalid", told: [...told] },
    ]);
    expect(seen).toEqual(Object.fromEntries(expected));
  }, 120_000);

  test("INS-4/install-implies-load what installs is loaded, listed and proven", async () => {
    using fresh = new FlowHome();
    expect(await fresh.fermix("plugins install fine", { binary })).toMatchObject({ code: 0 });
    expect((await fresh.fermix("plugins installed", { binary })).stdout).toBe("fine\t1.0.0\tready\n");
    const list = JSON.parse((await fresh.fermix("plugins list --json", { binary })).stdout);
    expect(list.plugins.find((plugin: { name: string }) => plugin.name === "fine")).toMatchObject({
      status: "not_configured",
    });
    const verified = JSON.parse((await fresh.fermix("plugins verify --json", { binary })).stdout);
    expect(verified.plugins).toMatchObject([{ name: "fine", ok: true }]);
  }, 30_000);

  const packages: readonly (readonly [name: string, what: string, exit: number, code: string])[] = [
    ["alias", "the package of another plugin", 5, "package_mismatch"],
    ["older", "the package of another version", 5, "package_mismatch"],
    ["newer", "CAT-6/at-install CAT-6/min-core-version a package for a later Fermix", 1, "incompatible"],
    ["ancient", "CAT-6/at-install CAT-6/plugin-api a package for an earlier Fermix", 1, "incompatible"],
    ["coder", "a file that its kind may not carry", 5, "content_not_allowed"],
  ];
  for (const [name, what, exit, code] of packages) {
    test(`${what}: ${code}`, async () => {
      expect(await refused(first, `plugins install ${name}`, { binary })).toMatchObject({ exit, code });
    }, 30_000);
  }
});
