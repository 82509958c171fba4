/** Tests of plugins/load.ts: the union of origins, and faults that leave one plugin out. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Version } from "../../src/kernel/names.ts";
import { assertLoadable, loadPlugins } from "../../src/plugins/load.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { excluded, localManifest, names, noteManifest, PluginLab, TRIO, write } from "./lab.ts";

const CORE = "0.9.0" as Version;

describe("the union of bundled, installed and dev_local", () => {
  test("BUN-1/always-present: an empty home has the bundled three", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    expect(await names(lab)).toEqual(["gmail bundled", "google_calendar bundled", "google_drive bundled"]);
  });

  test("all three origins together, sorted by name, each with where its files are", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    const stored = lab.installed(noteManifest("notes"));
    const own = lab.authored(noteManifest("hatch"));
    lab.devLocal();
    const { plugins, excluded: left } = await loadPlugins(lab.app);
    expect(plugins.map(({ name, dir, version }) => [name, dir, version])).toEqual([
      ["gmail", undefined, "1.0.0"],
      ["google_calendar", undefined, "1.0.0"],
      ["google_drive", undefined, "1.0.0"],
      ["hatch", own, "1.0.0"],
      ["notes", stored, "1.0.0"],
    ] as never);
    expect(left).toEqual([]);
  });

  test("a home without a plugins folder, and one whose installed folder is empty, have none", async () => {
    using lab = new PluginLab();
    expect(await names(lab)).toEqual([]);
    mkdirSync(lab.home.plugins.installed, { recursive: true });
    expect(await names(lab)).toEqual([]);
  });

  test("five hundred installed plugins are five hundred rows", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    for (let at = 0; at < 500; at += 1) lab.installed(noteManifest(`p${at}`));
    expect((await loadPlugins(lab.app)).plugins).toHaveLength(503);
  });

  test("a bundled manifest may leave plugin_api out, an installed one may not", async () => {
    using lab = new PluginLab({ bundled: [noteManifest("gmail", { plugin_api: undefined })] });
    lab.installed(noteManifest("notes", { plugin_api: undefined }));
    expect(await names(lab)).toEqual(["gmail bundled"]);
    expect(await excluded(lab)).toEqual({ notes: "incompatible" });
  });

  test("CAT-5/keeps-loading: an installed version that the catalog has yanked since loads", async () => {
    const entry = {
      name: "notes",
      auth_type: "none",
      rails: ["http"],
      latest: "1.1.0",
      yanked: ["1.0.0"],
      versions: [],
    };
    using lab = new PluginLab({ catalog: [entry] });
    lab.installed(noteManifest("notes"));
    expect(await names(lab)).toEqual(["notes installed"]);
  });
});

describe("CAT-6/at-load: the compatibility window is judged at every load", () => {
  const cases: readonly (readonly [string, Record<string, unknown>, boolean])[] = [
    ["CAT-6/plugin-api: generation 1 is too old", { plugin_api: 1 }, false],
    ["CAT-6/plugin-api: generation 2 fits", { plugin_api: 2 }, true],
    ["CAT-6/plugin-api: generation 3 fits", { plugin_api: 3 }, true],
    ["CAT-6/plugin-api: generation 4 is too new, whatever keys it has", { plugin_api: 4, new_key: true }, false],
    ["CAT-6/min-core-version: this version fits", { min_core_version: "0.9.0" }, true],
    ["CAT-6/min-core-version: the next patch does not", { min_core_version: "0.9.1" }, false],
  ];
  for (const [title, more, fits] of cases) {
    test(title, async () => {
      using lab = new PluginLab();
      lab.installed(noteManifest("other"));
      lab.installed(noteManifest("notes", more));
      const before = snapshotTree(lab.folder);
      expect(await excluded(lab)).toEqual(fits ? {} : { notes: "incompatible" });
      expect(await names(lab)).toEqual(fits ? ["notes installed", "other installed"] : ["other installed"]);
      expect(snapshotTree(lab.folder)).toEqual(before);
    });
  }
});

describe("a fault of one installed plugin leaves that one out", () => {
  const faults: readonly (readonly [string, (lab: PluginLab) => void, string])[] = [
    [
      "broken JSON",
      (lab) => write(join(lab.home.root, "plugins/installed/bad/1.0.0/plugin.json"), "{"),
      "manifest_invalid",
    ],
    ["another name than its folder", (lab) => swap(lab, noteManifest("other_name")), "manifest_invalid"],
    [
      "another version than its folder",
      (lab) => swap(lab, noteManifest("bad", { version: "2.0.0" })),
      "plugin_damaged",
    ],
    ["no manifest", (lab) => rmSync(join(lab.home.root, "plugins/installed/bad/1.0.0/plugin.json")), "plugin_damaged"],
    [
      "a manifest that is a folder",
      (lab) => {
        rmSync(join(lab.home.root, "plugins/installed/bad/1.0.0/plugin.json"));
        mkdirSync(join(lab.home.root, "plugins/installed/bad/1.0.0/plugin.json"));
      },
      "plugin_damaged",
    ],
    [
      "a dangling current",
      (lab) => rmSync(join(lab.home.root, "plugins/installed/bad/1.0.0"), { recursive: true }),
      "plugin_damaged",
    ],
    ["a current that leads elsewhere", (lab) => relink(lab, "../../../config.toml"), "plugin_damaged"],
    [
      "a current that is a folder",
      (lab) => {
        const current = join(lab.home.root, "plugins/installed/bad/current");
        rmSync(current);
        mkdirSync(current);
      },
      "plugin_damaged",
    ],
    [
      "a logo that is not there",
      (lab) => swap(lab, noteManifest("bad", { interface: { logo: "assets/logo.png" } })),
      "manifest_invalid",
    ],
    [
      "a skill whose file is not there",
      (lab) => swap(lab, noteManifest("bad", { skills: [{ name: "bad-skill", path: "skills/SKILL.md" }] })),
      "manifest_invalid",
    ],
  ];
  for (const [title, damage, code] of faults) {
    test(title, async () => {
      using lab = new PluginLab({ bundled: TRIO });
      lab.installed(noteManifest("fine"));
      lab.installed(noteManifest("bad"));
      damage(lab);
      const before = snapshotTree(lab.folder);
      expect(await excluded(lab)).toEqual({ bad: code });
      expect(await names(lab)).toEqual([
        "fine installed",
        "gmail bundled",
        "google_calendar bundled",
        "google_drive bundled",
      ]);
      expect(snapshotTree(lab.folder)).toEqual(before);
    });
  }

  function swap(lab: PluginLab, manifest: Record<string, unknown>): void {
    write(join(lab.home.root, "plugins/installed/bad/1.0.0/plugin.json"), JSON.stringify(manifest));
  }

  function relink(lab: PluginLab, target: string): void {
    const current = join(lab.home.root, "plugins/installed/bad/current");
    rmSync(current);
    symlinkSync(target, current);
  }

  test("a recorded plugin whose files are gone is damaged, never silently absent", async () => {
    using lab = new PluginLab();
    const entry = {
      version: "1.0.0",
      sha256: "0".repeat(64),
      h1: "0".repeat(64),
      tree_digest_v2: "0".repeat(64),
      plugin_api: 2,
      min_core_version: "0.9.0",
      verified_at: "2026-01-01T00:00:00Z",
    };
    write(lab.home.plugins.record, JSON.stringify({ gone: entry }));
    expect(await excluded(lab)).toEqual({ gone: "plugin_damaged" });
  });

  test("folders that no plugin could have as its name are not looked at", async () => {
    using lab = new PluginLab();
    write(join(lab.home.plugins.installed, ".notes.replacing/1.0.0/plugin.json"), "{");
    write(join(lab.home.plugins.installed, "Notes/plugin.json"), "{");
    expect(await excluded(lab)).toEqual({});
  });

  test("INS-10/corrupt-record: a corrupt record stops loading, also when every plugin on disk is fine", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("notes"));
    write(lab.home.plugins.record, "{");
    await expectRefusal(loadPlugins(lab.app), "installed_record_corrupt");
  });
});

describe("assertLoadable, the check that install shares", () => {
  test("INS-4/same-code: a manifest that is not UTF-8 is refused, not read with its bytes replaced", async () => {
    const bytes = Buffer.from(JSON.stringify(noteManifest("notes", { description: "na\u00efve" })), "latin1");
    const { problems } = await expectRefusal(() => assertLoadable(bytes, { core: CORE }), "manifest_invalid");
    expect(problems).toMatchObject([{ path: "$", rule: "invalid_json" }]);
    using lab = new PluginLab();
    writeFileSync(join(lab.installed(noteManifest("notes")), "plugin.json"), bytes);
    expect(await excluded(lab)).toEqual({ notes: "manifest_invalid" });
  });

  test("INS-4/same-code: a manifest that names files needs them, regular and inside its folder", async () => {
    using lab = new PluginLab();
    const dir = join(lab.folder, "tree");
    const manifest = noteManifest("notes", {
      interface: { icon: "assets/icon.svg", logo: "assets/logo.svg" },
      skills: [{ name: "notes-skill", path: "skills/notes/SKILL.md" }],
    });
    const text = JSON.stringify(manifest);
    const check = { directory: "notes", dir, core: CORE };
    write(join(dir, "assets/icon.svg"), "<svg/>");
    write(join(lab.folder, "outside.svg"), "<svg/>");
    symlinkSync("../../outside.svg", join(dir, "assets/logo.svg"));
    mkdirSync(join(dir, "skills/notes/SKILL.md"), { recursive: true });
    await expectRefusal(() => assertLoadable(text, check), "manifest_invalid", {
      plugin: "notes",
      problems: [
        { path: "interface.logo", rule: "file_inside_plugin", says: "leaves the plugin's folder" },
        { path: "skills[0].path", rule: "file_inside_plugin", says: "is not a regular file" },
      ],
    });
    rmSync(join(dir, "assets/logo.svg"));
    rmSync(join(dir, "skills/notes/SKILL.md"), { recursive: true });
    writeFileSync(join(dir, "assets/logo.svg"), "<svg/>");
    writeFileSync(join(dir, "skills/notes/SKILL.md"), "# Notes");
    expect(String(assertLoadable(text, check).name)).toBe("notes");
  });
});

test("DEV-1/loud-failures: what the grammar ignores in an author's manifest is told, and nobody else's is", async () => {
  using lab = new PluginLab();
  const { schema_version: _legacy, ...legacy } = localManifest("drawing");
  lab.authored(legacy);
  lab.installed(noteManifest("notes", { tools: [{ name: "notes_look", description: "Look.", odd_key: 1 }] }));
  lab.devLocal();
  const { warnings } = await loadPlugins(lab.app);
  expect(warnings.length).toBeGreaterThan(0);
  expect(warnings.filter((warning) => !warning.startsWith("dev_local: drawing: "))).toEqual([]);
  expect(warnings[0]).toContain("give the manifest schema_version 2");
});
