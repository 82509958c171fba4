/** An author's folder that is broken stops every plugins verb, by name and with the path (DECISIONS 10). */
import { afterAll, beforeAll, expect, test } from "bun:test";
import { cpSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { refused } from "../lab/refusal.ts";
import { manifestFile } from "../lab/test-catalog.ts";

/** The text of plugin.json without the tar block before it and the padding behind it. */
function manifest(name: string, more: Record<string, unknown> = {}): string {
  return manifestFile(name, more).subarray(512).toString().replace(/\0+$/, "");
}

function put(path: string, content: string): void {
  mkdirSync(join(path, ".."), { recursive: true });
  writeFileSync(path, content);
}

/** Makes a fault below a folder; returns the path of dev_local when it is not the folder. */
type Fault = readonly [what: string, code: string, make: (folder: string) => string | undefined];

const FAULTS: readonly Fault[] = [
  ["a folder that is not there", "dev_local_unreadable", (folder) => join(folder, "none")],
  ["a path that is not absolute", "dev_local_unreadable", () => "plugins"],
  [
    "links in a circle",
    "dev_local_unreadable",
    (folder) => {
      symlinkSync("circle", join(folder, "circle"));
      return join(folder, "circle");
    },
  ],
  ["a manifest that is a folder", "dev_local_unreadable", (folder) => void put(join(folder, "x/plugin.json/y"), "")],
  ["a broken manifest", "dev_local_invalid", (folder) => void put(join(folder, "x/plugin.json"), "{")],
  [
    "the name of a bundled plugin",
    "dev_local_clash",
    (folder) => void put(join(folder, "gmail/plugin.json"), manifest("gmail")),
  ],
  [
    "a skill of an installed plugin's name",
    "dev_local_clash",
    (folder) =>
      void put(join(folder, "one/plugin.json"), manifest("one", { skills: [{ name: "slack", path: "plugin.json" }] })),
  ],
];

const VERBS = [
  ...["list", "installed", "catalog", "info slack", "config slack", "doctor slack", "verify", "verify slack", "gc"],
  ...["enable slack", "disable slack", "reload", "install discord", "upgrade", "upgrade slack"],
  ...["pin slack@1.0.2", "pin --remove slack"],
];

const lab = new FlowHome();
beforeAll(async () => {
  expect(await lab.fermix("plugins install slack")).toMatchObject({ code: 0 });
}, 60_000);
afterAll(() => lab[Symbol.dispose]());

for (const [what, code, make] of FAULTS) {
  test(`DEV-1/loud-failures ${what}: ${code}`, async () => {
    using home = new FlowHome();
    const folder = join(home.folder, "author");
    mkdirSync(folder);
    cpSync(lab.root, home.root, { recursive: true, verbatimSymlinks: true });
    const devLocal = make(folder) ?? folder;
    const config = `[fermix_core.plugins]\ndev_local = ${JSON.stringify(devLocal)}\n`;
    writeFileSync(join(home.root, "config.toml"), config);
    // What differs between the faults is found by one function; each verb asks it.
    const verbs = code === "dev_local_invalid" ? VERBS : ["list", "enable slack", "install discord", "verify"];
    const seen: Record<string, unknown> = {};
    for (const verb of verbs) {
      const { code: exit, stdout } = await home.fermix(`plugins ${verb} --json`);
      seen[verb] = { exit, code: JSON.parse(stdout).error?.code };
    }
    expect(seen).toEqual(Object.fromEntries(verbs.map((verb) => [verb, { exit: 1, code }])));
    const { message, fix } = await refused(home, "plugins list");
    expect(message).toContain(devLocal);
    expect(fix).toContain("dev_local");
  }, 60_000);
}

test("DEV-1/loud-failures a clash with an installed plugin can be ended by uninstalling it", async () => {
  using home = new FlowHome();
  cpSync(lab.root, home.root, { recursive: true, verbatimSymlinks: true });
  const folder = join(home.folder, "author");
  put(join(folder, "slack/plugin.json"), manifest("slack"));
  writeFileSync(join(home.root, "config.toml"), `[fermix_core.plugins]\ndev_local = ${JSON.stringify(folder)}\n`);
  expect(await refused(home, "plugins list")).toMatchObject({ exit: 1, code: "dev_local_clash" });
  expect(await home.fermix("plugins uninstall slack")).toMatchObject({ code: 0 });
  expect((await home.fermix("plugins list")).stdout).toContain("slack\tnot_configured\t-\n");
}, 60_000);
