/** Tests of `fermix plugins config` and `config set`: declared keys only, checked values, nothing lost. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { config } from "../../../src/cli/plugins/config.ts";
import { configSet } from "../../../src/cli/plugins/config-set.ts";
import { disable } from "../../../src/cli/plugins/disable.ts";
import { enable } from "../../../src/cli/plugins/enable.ts";
import { PICKED_UP } from "../../../src/cli/plugins/notices.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { catalogEntry, noteManifest, PluginLab } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

function configurable(): PluginLab {
  const lab = new PluginLab({ catalog: [catalogEntry("other")] });
  lab.installed(
    noteManifest("notes", {
      config: [
        { key: "FOLDER", prompt: "Folder of the notes", required: true },
        { key: "WRITE", prompt: "May it write?", kind: "boolean" },
      ],
    }),
  );
  return lab;
}

const set = (key: string, value: string) => ({ name: "notes", key, value });

test("CLI-5/shows-declared: each key with its value and whether it is required", async () => {
  using lab = configurable();
  lab.enable(["notes"], "[fermix_core.plugins.notes]", "WRITE = false", 'workspace_id = "ws-1"');
  const { piped, terminal, json } = await answers(config, lab.app, { name: "notes" });
  expect(piped).toBe("FOLDER\t(unset)\trequired\tFolder of the notes\nWRITE\tfalse\toptional\tMay it write?");
  expect(terminal).toBe("FOLDER  (unset)  required  Folder of the notes\nWRITE   false    optional  May it write?");
  expect(json).toEqual({
    plugin: "notes",
    config: [
      { key: "FOLDER", prompt: "Folder of the notes", required: true, value: null, kind: "text" },
      { key: "WRITE", prompt: "May it write?", required: false, value: false, kind: "boolean" },
    ],
  });
});

test("a plugin without keys says so", async () => {
  using lab = new PluginLab();
  lab.installed(noteManifest("notes"));
  const { piped, json } = await answers(config, lab.app, { name: "notes" });
  expect(piped).toBe("no config keys declared");
  expect(json).toEqual({ plugin: "notes", config: [] });
});

describe("config set", () => {
  test("a text is trimmed, a switch becomes true or false", async () => {
    using lab = configurable();
    expect(await answers(configSet, lab.app, set("FOLDER", "  /my notes  "))).toMatchObject({
      piped: "set notes FOLDER",
      json: { plugin: "notes", key: "FOLDER", value: "/my notes" },
    });
    expect(await answers(configSet, lab.app, set("WRITE", "true"))).toMatchObject({ json: { value: true } });
    const text = readFileSync(lab.home.configFile, "utf8");
    expect(text).toContain('FOLDER = "/my notes"');
    expect(text).toContain("WRITE = true");
  });

  test("a path that leads nowhere is kept, and said so", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("notes", { config: [{ key: "VAULT_PATH", prompt: "Where?", required: true }] }));
    const said = async (value: string) => (await configSet.run(lab.app, set("VAULT_PATH", value)))?.notices;
    const gone = join(lab.folder, "gone");
    const again = "if that is wrong: `fermix plugins config set notes VAULT_PATH VALUE`";
    const home = JSON.stringify(join(lab.app.env.userHome, "gone"));
    expect(await said(lab.folder)).toEqual([PICKED_UP]);
    expect(await said(gone)).toEqual([`there is nothing to read at ${JSON.stringify(gone)} now; ${again}`, PICKED_UP]);
    expect(await said("~/gone")).toEqual([`there is nothing to read at ${home} now; ${again}`, PICKED_UP]);
    expect(await said("gone")).toEqual([
      `"gone" is not a full path, so the plugin may look for it elsewhere; ${again}`,
      PICKED_UP,
    ]);
    expect(readFileSync(lab.home.configFile, "utf8")).toContain('VAULT_PATH = "gone"');
  });

  test("CLI-5/set-declared-only: undeclared and plumbing keys are out of reach", async () => {
    using lab = configurable();
    lab.enable(["notes"]);
    const before = snapshotTree(lab.folder);
    const declared = ["FOLDER", "WRITE"];
    for (const key of ["folder", "OTHER", "enabled", "auth_profile", "access_profile", "workspace_id", "__proto__"]) {
      const details = { plugin: "notes", key, declared };
      await expectRefusal(() => configSet.run(lab.app, set(key, "x")), "unknown_config_key", details);
    }
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("CLI-5/checks-kind: a switch takes true or false and nothing else, a text is one line, blank is refused", async () => {
    using lab = configurable();
    const before = snapshotTree(lab.folder);
    for (const value of ["yes", "1", "TRUE", "on"]) {
      const reason = "is a switch: it takes true or false";
      const details = { plugin: "notes", key: "WRITE", reason };
      await expectRefusal(() => configSet.run(lab.app, set("WRITE", value)), "invalid_config_value", details);
    }
    for (const value of ["", " \t "]) {
      const details = { plugin: "notes", key: "FOLDER" };
      await expectRefusal(() => configSet.run(lab.app, set("FOLDER", value)), "blank_config_value", details);
    }
    for (const value of ["a\nb", "a\0b", "\u001b[2Jx"]) {
      await expectRefusal(() => configSet.run(lab.app, set("FOLDER", value)), "invalid_config_value");
    }
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("CASE-13: a placeholder that nobody resolved is not stored", async () => {
    using lab = configurable();
    const before = snapshotTree(lab.folder);
    const value = "$" + "{user_config.folder}";
    await expectRefusal(() => configSet.run(lab.app, set("FOLDER", value)), "invalid_config_value");
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("8,192 bytes are the longest value", async () => {
    using lab = configurable();
    await configSet.run(lab.app, set("FOLDER", "é".repeat(4096)));
    await expectRefusal(() => configSet.run(lab.app, set("FOLDER", `${"é".repeat(4096)}x`)), "invalid_config_value");
  });

  test("CLI-5/survives-disable: a value outlives disable and enable, and so do the file's comments", async () => {
    using lab = configurable();
    lab.config("# mine", "[fermix_core.plugins]", 'enabled = ["notes"] # on');
    await configSet.run(lab.app, set("FOLDER", "/notes"));
    await disable.run(lab.app, { name: "notes" });
    await enable.run(lab.app, { name: "notes" });
    expect(await answers(config, lab.app, { name: "notes" })).toMatchObject({
      json: { config: [{ key: "FOLDER", value: "/notes" }, {}] },
    });
    expect(readFileSync(lab.home.configFile, "utf8")).toStartWith("# mine\n");
  });

  test("a plugin that is not installed, or unknown, has nothing to set", async () => {
    using lab = configurable();
    const before = snapshotTree(lab.folder);
    const other = { ...set("FOLDER", "x"), name: "other" };
    await expectRefusal(() => configSet.run(lab.app, other), "plugin_not_installed", { plugin: "other" });
    const typo = { plugin: "note", suggestion: "notes" };
    await expectRefusal(() => configSet.run(lab.app, { ...other, name: "note" }), "plugin_unknown", typo);
    expect(snapshotTree(lab.folder)).toEqual(before);
  });
});
