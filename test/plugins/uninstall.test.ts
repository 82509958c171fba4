import { expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { loadPlugins } from "../../src/plugins/load.ts";
import { unpinPlugin } from "../../src/plugins/pin.ts";
import { uninstallPlugin } from "../../src/plugins/uninstall.ts";
import { upgradePlugin } from "../../src/plugins/upgrade.ts";
import { verifyPlugins } from "../../src/plugins/verify.ts";
import { expectRefusal } from "../expect.ts";
import { InstallLab } from "./install-lab.ts";
import { hostedManifest, keyManifest, noteManifest, TRIO, write } from "./lab.ts";

test("INS-8/uninstall: a plugin goes with all its versions, and everything else stays", async () => {
  using lab = new InstallLab();
  lab.publish("slack");
  await lab.install("slack");
  const before = lab.disk();
  lab.publish("notes");
  await lab.install("notes");
  lab.publish("notes", { version: "1.1.0" });
  await lab.install("notes");
  write(join(lab.home.plugins.root, "notes", "skills", "a.md"), "from an early version of the ecosystem");
  expect(await uninstallPlugin(lab.app(), "notes")).toEqual({
    name: "notes",
    version: "1.1.0",
    disabled: false,
    credential: undefined,
    purged: undefined,
  } as never);
  expect(lab.disk()).toEqual(before);
});

test("an enabled plugin is disabled first and keeps its settings", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  write(
    lab.home.configFile,
    '# mine\n[fermix_core.plugins]\nenabled = ["notes", "slack"]\n\n[fermix_core.plugins.notes]\nLOOK = "here"\n',
  );
  expect(await uninstallPlugin(lab.app(), "notes")).toMatchObject({ disabled: true });
  const config = readFileSync(lab.home.configFile, "utf8");
  expect(config).toContain("# mine");
  expect(config).toContain('LOOK = "here"');
  expect((await loadPlugins(lab.app())).config.plugins.enabled).toEqual(["slack"] as never);
});

test("credentials are kept, and the outcome says of which kind", async () => {
  using lab = new InstallLab();
  lab.publish("slack", { whole: keyManifest("slack") });
  await lab.install("slack");
  expect(await uninstallPlugin(lab.app(), "slack")).toMatchObject({ credential: "api_key" });
});

test("the evidence of a hosted plugin goes with it", async () => {
  using lab = new InstallLab();
  lab.publish("eden", { whole: hostedManifest("eden") });
  await lab.install("eden");
  await uninstallPlugin(lab.app(), "eden");
  expect(Object.keys(lab.disk())).toEqual(["plugins/installed.json"]);
});

/** Ways to damage an installed plugin, given its version folder. */
const DAMAGES: Readonly<Record<string, (dir: string) => void>> = {
  "no files": (dir) => rmSync(dir, { recursive: true }),
  "no manifest": (dir) => rmSync(join(dir, "plugin.json")),
  "a manifest that is a folder": (dir) => {
    rmSync(join(dir, "plugin.json"));
    mkdirSync(join(dir, "plugin.json"));
  },
  "a manifest that is a pipe": (dir) => {
    rmSync(join(dir, "plugin.json"));
    expect(Bun.spawnSync(["mkfifo", join(dir, "plugin.json")]).exitCode).toBe(0);
  },
  "a manifest without end": (dir) => writeFileSync(join(dir, "plugin.json"), "[".repeat(2_000_000)),
  "a file in its place": (dir) => {
    rmSync(dirname(dir), { recursive: true });
    writeFileSync(dirname(dir), "");
  },
};

for (const [what, damage] of Object.entries(DAMAGES)) {
  test(`a damaged plugin can be uninstalled: ${what}`, async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    damage(join(lab.home.plugins.installed, "notes", "1.0.0"));
    expect(await uninstallPlugin(lab.app(), "notes")).toMatchObject({ name: "notes", credential: undefined });
    expect(Object.keys(lab.disk())).toEqual(["plugins/installed.json"]);
    expect(await lab.install("notes")).toMatchObject({ status: "installed" });
  });
}

test("CASE-10: a path is a usage error and nothing outside is touched", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  write(join(lab.folder, "x", "keep"), "kept");
  const before = lab.disk();
  for (const name of ["../../x", "..", ".", "/", "notes/../../../x", "", "notes\0"]) {
    await expectRefusal(uninstallPlugin(lab.app(), name), "usage");
  }
  expect(lab.disk()).toEqual(before);
  expect(readFileSync(join(lab.folder, "x", "keep"), "utf8")).toBe("kept");
});

test("CASE-10: a plugin folder that is a link is removed, what it leads to is not", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  write(join(lab.folder, "elsewhere", "keep"), "kept");
  mkdirSync(lab.home.plugins.installed, { recursive: true });
  symlinkSync(join(lab.folder, "elsewhere"), join(lab.home.plugins.installed, "notes"));
  await uninstallPlugin(lab.app(), "notes");
  expect(readFileSync(join(lab.folder, "elsewhere", "keep"), "utf8")).toBe("kept");
  expect(lab.disk()).toEqual({});
});

test("BUN-1/uninstall-refused: a bundled plugin stays, and the refusal names disable", async () => {
  using lab = new InstallLab();
  lab.bundled = TRIO;
  for (const name of ["gmail", "google_calendar", "google_drive"]) {
    const refused = await uninstallPlugin(lab.app(), name).catch((error: unknown) => error);
    expect(refused).toMatchObject({
      code: "bundled_plugin",
      fix: `\`fermix plugins disable ${name}\` switches it off`,
    });
  }
  expect(lab.disk()).toEqual({});
});

test("an author's own plugin is not the store's to remove, upgrade, pin or prove", async () => {
  using lab = new InstallLab();
  const dir = join(lab.folder, "author", "mine");
  write(join(dir, "plugin.json"), JSON.stringify(noteManifest("mine")));
  write(lab.home.configFile, `[fermix_core.plugins]\ndev_local = ${JSON.stringify(join(lab.folder, "author"))}\n`);
  const app = lab.app();
  const verbs = [uninstallPlugin, upgradePlugin, unpinPlugin, verifyPlugins];
  for (const verb of verbs) {
    await expectRefusal(verb(app, "mine"), "plugin_not_stored", { plugin: "mine", path: dir });
  }
  expect(Object.keys(lab.disk())).toEqual(["config.toml"]);
});

test("what is not installed", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await expectRefusal(uninstallPlugin(lab.app(), "notes"), "plugin_not_installed", { plugin: "notes" });
  await expectRefusal(uninstallPlugin(lab.app(), "nothing"), "plugin_unknown");
  expect(lab.disk()).toEqual({});
});
