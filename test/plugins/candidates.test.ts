/** Tests of plugins/candidates.ts through the loader: what an author's folder may hold, and what stops loading. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { MAX_MANIFEST_BYTES } from "../../src/manifest/parse.ts";
import { loadPlugins } from "../../src/plugins/load.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { excluded, hostedManifest, httpTool, names, noteManifest, PluginLab, TRIO, write } from "./lab.ts";

describe("DEV-1/loud-failures: a fault under dev_local stops loading as a whole", () => {
  test("a folder that does not exist", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    lab.devLocal();
    await expectRefusal(loadPlugins(lab.app), "dev_local_unreadable", {
      path: lab.author,
      reason: "it does not exist",
    });
  });

  test("a path that is a file", async () => {
    using lab = new PluginLab();
    write(lab.author, "");
    lab.devLocal();
    await expectRefusal(loadPlugins(lab.app), "dev_local_unreadable", {
      path: lab.author,
      reason: "it, or a part of its path, is not a folder",
    });
  });

  test("a relative path, which would mean another folder in every shell", async () => {
    using lab = new PluginLab();
    lab.devLocal("plugins");
    const details = { path: "plugins", reason: "it is not an absolute path" };
    await expectRefusal(loadPlugins(lab.app), "dev_local_unreadable", details);
  });

  test("a bad manifest, with its path and every problem", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    lab.authored(noteManifest("fine"));
    const dir = lab.authored(noteManifest("bad", { version: "one", surprise: 1 }));
    lab.devLocal();
    const before = snapshotTree(lab.folder);
    const details = await expectRefusal(loadPlugins(lab.app), "dev_local_invalid");
    expect(details.path).toBe(join(dir, "plugin.json"));
    expect(details.problems.map(({ path }) => path).sort()).toEqual(["surprise", "version"]);
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("a manifest that is a folder", async () => {
    using lab = new PluginLab();
    mkdirSync(join(lab.author, "notes/plugin.json"), { recursive: true });
    lab.devLocal();
    const path = join(lab.author, "notes/plugin.json");
    await expectRefusal(loadPlugins(lab.app), "dev_local_unreadable", { path, reason: "it is a folder" });
  });

  test("a manifest that is a pipe nobody writes to, and one that is longer than a manifest may be", async () => {
    using lab = new PluginLab();
    mkdirSync(join(lab.author, "notes"), { recursive: true });
    const path = join(lab.author, "notes/plugin.json");
    expect(Bun.spawnSync(["mkfifo", path]).exitCode).toBe(0);
    lab.devLocal();
    await expectRefusal(loadPlugins(lab.app), "dev_local_unreadable", { path, reason: "it is not a regular file" });
    rmSync(path);
    write(path, "x".repeat(MAX_MANIFEST_BYTES + 1));
    const reason = "it is larger than such a file may be";
    await expectRefusal(loadPlugins(lab.app), "dev_local_unreadable", { path, reason });
  });

  test("a name that a bundled plugin has, one that an installed plugin has, and one used twice", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    const stored = lab.installed(noteManifest("notes"));
    const first = lab.authored(noteManifest("gmail"));
    lab.devLocal();
    await expectRefusal(loadPlugins(lab.app), "dev_local_clash", {
      kind: "plugin",
      name: "gmail",
      owners: [
        { plugin: "gmail", from: "bundled in this binary" },
        { plugin: "gmail", from: first },
      ],
    });
    rmSync(first, { recursive: true });
    const second = lab.authored(noteManifest("notes"));
    await expectRefusal(loadPlugins(lab.app), "dev_local_clash", {
      kind: "plugin",
      name: "notes",
      owners: [
        { plugin: "notes", from: stored },
        { plugin: "notes", from: second },
      ],
    });
    rmSync(second, { recursive: true });
    const one = lab.authored(noteManifest("twice"), "one");
    const two = lab.authored(noteManifest("twice"), "two");
    await expectRefusal(loadPlugins(lab.app), "dev_local_clash", {
      kind: "plugin",
      name: "twice",
      owners: [
        { plugin: "twice", from: one },
        { plugin: "twice", from: two },
      ],
    });
  });

  test("a tool name that an installed plugin has", async () => {
    using lab = new PluginLab();
    const stored = lab.installed(noteManifest("a_b", { tools: [httpTool("a_b_look")] }));
    const own = lab.authored(noteManifest("a", { tools: [httpTool("a_b_look")] }));
    lab.devLocal();
    await expectRefusal(loadPlugins(lab.app), "dev_local_clash", {
      kind: "tool",
      name: "a_b_look",
      owners: [
        { plugin: "a_b", from: stored },
        { plugin: "a", from: own },
      ],
    });
  });
});

describe("what dev_local takes quietly", () => {
  test("DEV-1/full-validation: each immediate subfolder with a manifest is a plugin, whatever the folder is called", async () => {
    using lab = new PluginLab();
    lab.authored(noteManifest("notes"), "my-notes-checkout");
    symlinkSync(lab.authored(noteManifest("moved"), "../elsewhere"), join(lab.author, "linked"));
    symlinkSync("circle", join(lab.author, "circle"));
    symlinkSync("nowhere", join(lab.author, "dangling"));
    lab.devLocal();
    expect(await names(lab)).toEqual(["moved dev_local", "notes dev_local"]);
  });

  test("dot-folders and folders without a manifest are skipped with a warning, files without one", async () => {
    using lab = new PluginLab();
    write(join(lab.author, ".git/plugin.json"), "{");
    write(join(lab.author, "docs/readme.md"), "");
    write(join(lab.author, "README.md"), "");
    lab.devLocal();
    expect((await loadPlugins(lab.app)).warnings).toEqual([
      `dev_local: skipped ${JSON.stringify(join(lab.author, ".git"))}: a dot-folder is not a plugin`,
      `dev_local: skipped ${JSON.stringify(join(lab.author, "docs"))}: it has no plugin.json`,
    ]);
  });

  test("DEV-1/full-validation: an empty folder, and ~/ for the user's home", async () => {
    using lab = new PluginLab();
    mkdirSync(lab.author);
    lab.devLocal("~/author");
    expect(await names(lab)).toEqual([]);
    lab.authored(noteManifest("notes"));
    expect(await names(lab)).toEqual(["notes dev_local"]);
  });

  test("a plugin outside the compatibility window is left out alone", async () => {
    using lab = new PluginLab();
    lab.authored(noteManifest("fine"));
    lab.authored(noteManifest("later", { plugin_api: 9, whatever: true }));
    lab.devLocal();
    expect(await names(lab)).toEqual(["fine dev_local"]);
    expect(await excluded(lab)).toEqual({ later: "incompatible" });
  });

  test("a hosted plugin is left out alone with unverified_remote_runtime, and claims no name", async () => {
    using lab = new PluginLab();
    const dir = lab.authored(hostedManifest("cloud"));
    lab.authored(noteManifest("cloud_find", { tools: [httpTool("cloud_find_it")] }));
    lab.devLocal();
    expect(await names(lab)).toEqual(["cloud_find dev_local"]);
    const [left] = (await loadPlugins(lab.app)).excluded;
    expect(left?.error.view()).toMatchObject({
      code: "unverified_remote_runtime",
      details: { plugin: "cloud", path: dir },
    });
  });

  test("a hosted plugin copied into the store by hand is left out alone", async () => {
    using lab = new PluginLab();
    lab.installed(hostedManifest("cloud"));
    lab.installed(noteManifest("notes"));
    expect(await names(lab)).toEqual(["notes installed"]);
    expect(Object.keys(await excluded(lab))).toEqual(["cloud"]);
  });
});

describe("damage in the store leaves that one plugin out, with its path", () => {
  const damages: readonly (readonly [string, string, string, (dir: string) => void])[] = [
    ["no manifest", "plugin.json", "it does not exist", (dir) => rmSync(join(dir, "plugin.json"))],
    [
      "a manifest that is a pipe nobody writes to",
      "plugin.json",
      "it is not a regular file",
      (dir) => {
        rmSync(join(dir, "plugin.json"));
        expect(Bun.spawnSync(["mkfifo", join(dir, "plugin.json")]).exitCode).toBe(0);
      },
    ],
    [
      "a version folder that is a link to one",
      "",
      "it is a link",
      (dir) => {
        renameSync(dir, `${dir}-moved`);
        symlinkSync(`${dir}-moved`, dir);
      },
    ],
    ["a file where the version folder was", "plugin.json", "it, or a part of its path, is not a folder", fileInstead],
  ];
  for (const [what, file, reason, damage] of damages) {
    test(what, async () => {
      using lab = new PluginLab();
      lab.installed(noteManifest("fine"));
      const dir = lab.installed(noteManifest("notes"));
      damage(dir);
      const report = await loadPlugins(lab.app);
      expect(report.plugins.map(({ name }) => String(name))).toEqual(["fine"]);
      expect(report.excluded.map(({ error }) => error.view())).toMatchObject([
        { code: "plugin_damaged", details: { plugin: "notes", path: join(dir, file), reason } },
      ]);
    });
  }

  test("a file where all installed plugins should be is a fault of the home", async () => {
    using lab = new PluginLab();
    const path = lab.home.plugins.installed;
    write(path, "");
    const reason = "it, or a part of its path, is not a folder";
    await expectRefusal(loadPlugins(lab.app), "home_unusable", { path, reason });
  });
});

function fileInstead(dir: string): void {
  rmSync(dir, { recursive: true });
  write(dir, "");
}
