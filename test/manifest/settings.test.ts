/** `config`, `skills` and `interface`: what a plugin shows, asks for and brings (spec 1.3, 1.4, 1.10). */
import { describe, expect, test } from "bun:test";
import { assetPaths } from "../../src/manifest/asset-paths.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { long, problemsOf, problemsOfRow, type Row } from "./parse-cases.ts";
import { httpSample, localSample, withChange } from "./samples.ts";

const ESCAPES = [
  "../x.png",
  "a/../../x",
  "/etc/passwd",
  "",
  ".",
  "./",
  "a//b",
  "C:x",
  "a\\b",
  "a\u0000b",
  "..",
  "a/.",
  "https://x/",
];

describe("config", () => {
  const rows: readonly Row[] = [
    ["an object", "config", {}, ["config not_a_list", "runtime.requires_setting undeclared_setting"]],
    ["an entry that is a text", "config.0", "VAULT_PATH", ["config[0] not_an_object"]],
    ["a key in lower case", "config.0.key", "vault_path", ["config[0].key invalid_config_key"]],
    ["a key that starts with a digit", "config.0.key", "1A", ["config[0].key invalid_config_key"]],
    ["a key twice", "config.0.key", "ALLOW_WRITES", ["config[1].key duplicate_config_key"]],
    ["no key", "config.0.key", undefined, ["config[0].key missing_required"]],
    ["no prompt", "config.0.prompt", undefined, ["config[0].prompt missing_required"]],
    ["a blank prompt", "config.0.prompt", "  ", ["config[0].prompt blank_value"]],
    ["required as text", "config.0.required", "yes", ["config[0].required wrong_type"]],
    ["an unknown kind", "config.0.kind", "number", ["config[0].kind invalid_config_kind"]],
    ["a variable of Fermix itself", "config.0.key", "FERMIX_HOME", ["config[0].key reserved_variable"]],
    ["a variable of Bun", "config.0.key", "BUN_OPTIONS", ["config[0].key reserved_variable"]],
    ["a name that only looks like one", "config.0.key", "BUNNY", []],
    ["a newer field, tolerated", "config.0.placeholder", "~/vault", []],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(localSample, row)).toEqual(row[3]));

  test("a newer field is a warning", () => {
    const manifest = parseManifest(JSON.stringify(withChange(localSample(), "config.0.hint", "x")));
    expect(manifest.warnings).toEqual(["config[0].hint: is not a key of this place"]);
  });
});

describe("skills", () => {
  const rows: readonly Row[] = [
    ["an object", "skills", {}, ["skills not_a_list"]],
    ["an entry that is a text", "skills.0", "notes", ["skills[0] not_an_object"]],
    ["no name", "skills.0.name", undefined, ["skills[0].name missing_required"]],
    ["no path", "skills.0.path", undefined, ["skills[0].path missing_required"]],
    ["a name that is a path", "skills.0.name", "../x", ["skills[0].name invalid_skill_name"]],
    ["a name of 64 characters", "skills.0.name", long(64), []],
    ["a name of 65 characters", "skills.0.name", long(65), ["skills[0].name invalid_skill_name"]],
    ["the plugin's own name", "skills.0.name", "notes", ["skills[0].name plugin_skill_name_collision"]],
    ["a name twice", "skills.1", { name: "notes-plugin", path: "b.md" }, ["skills[1].name duplicate_skill_name"]],
    ["a newer field, tolerated", "skills.0.when", "always", []],
  ];
  for (const row of rows) test(row[0], () => expect(problemsOfRow(httpSample, row)).toEqual(row[3]));

  for (const path of ESCAPES) {
    test(`a path that leaves the plugin: ${JSON.stringify(path)}`, () => {
      expect(problemsOf(withChange(httpSample(), "skills.0.path", path))).toEqual([
        "skills[0].path skill_escapes_plugin_dir",
      ]);
    });
  }
});

describe("interface", () => {
  for (const path of ESCAPES) {
    test(`a picture outside the plugin: ${JSON.stringify(path)}`, () => {
      expect(problemsOf(withChange(httpSample(), "interface.icon", path))).toEqual([
        "interface.icon asset_escapes_plugin_dir",
      ]);
      expect(problemsOf(withChange(httpSample(), "interface.logo", path))).toEqual([
        "interface.logo asset_escapes_plugin_dir",
      ]);
    });
  }

  test("its pictures are named, with the skills, for whoever holds the files", () => {
    expect(assetPaths(parseManifest(JSON.stringify(httpSample())))).toEqual([
      { at: "interface.icon", path: "assets/icon.svg" },
      { at: "interface.logo", path: "./assets/logo.png" },
      { at: "skills[0].path", path: "skills/notes/SKILL.md" },
    ]);
    const bare = withChange(withChange(httpSample(), "interface", undefined), "skills", []);
    expect(assetPaths(parseManifest(JSON.stringify(bare)))).toEqual([]);
  });

  test("names with two dots inside are no escape", () => {
    expect(problemsOf(withChange(httpSample(), "interface.icon", "assets/a..b/..c.png"))).toEqual([]);
  });
});
