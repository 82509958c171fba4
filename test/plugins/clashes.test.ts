/** Tests of plugins/clashes.ts: a name has one owner. */
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { loadPlugins } from "../../src/plugins/load.ts";
import { excluded, httpTool, names, noteManifest, PluginLab, TRIO } from "./lab.ts";

describe("names have one owner", () => {
  test("an installed plugin with a bundled name is left out", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    lab.installed(noteManifest("gmail"));
    expect(await names(lab)).toEqual(["gmail bundled", "google_calendar bundled", "google_drive bundled"]);
  });

  test("BUN-5/never-two-owners: of two installed plugins that claim a tool the later by name is left out", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("a", { tools: [httpTool("a_b_look")] }));
    const dir = lab.installed(noteManifest("a_b", { tools: [httpTool("a_b_look")] }));
    const { plugins, excluded: left } = await loadPlugins(lab.app);
    expect(plugins.map(({ name }) => String(name))).toEqual(["a"]);
    expect(left.map(({ name, version, error }): unknown => [name, version, error.code, error.details])).toEqual([
      [
        "a_b",
        "1.0.0",
        "name_clash",
        {
          plugin: "a_b",
          kind: "tool",
          name: "a_b_look",
          owners: [
            { plugin: "a", from: join(dir, "../../a/1.0.0") },
            { plugin: "a_b", from: dir },
          ],
        },
      ],
    ]);
  });

  test("a bundled plugin keeps a skill name that an installed one claims", async () => {
    const skills = [{ name: "mail-skill", path: "skills/SKILL.md" }];
    using lab = new PluginLab({ bundled: [noteManifest("gmail", { skills })] });
    lab.installed(noteManifest("a", { skills }), { "skills/SKILL.md": "# Mail" });
    expect(await names(lab)).toEqual(["gmail bundled"]);
    expect(await excluded(lab)).toEqual({ a: "name_clash" });
  });

  test("a plugin left out for one name no longer claims its other names", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("a", { tools: [httpTool("a_b_c_one")] }));
    lab.installed(noteManifest("a_b", { tools: [httpTool("a_b_c_one"), httpTool("a_b_c_two")] }));
    lab.installed(noteManifest("a_b_c", { tools: [httpTool("a_b_c_two")] }));
    expect(await names(lab)).toEqual(["a installed", "a_b_c installed"]);
    expect(await excluded(lab)).toEqual({ a_b: "name_clash" });
  });
});
