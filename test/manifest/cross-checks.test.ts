/** Names that two plugins of one union would both own (spec 1.10, 1.11). */
import { describe, expect, test } from "bun:test";
import type { JsonObject } from "../../src/kernel/json.ts";
import { findClashes } from "../../src/manifest/cross-checks.ts";
import type { LoadedPlugin } from "../../src/manifest/manifest.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { httpSample } from "./samples.ts";

/** A plugin with these tools and skills; each tool's name starts with the plugin's. */
function plugin(name: string, tools: readonly string[] = [], skills: readonly string[] = []): LoadedPlugin {
  const manifest = parseManifest(
    JSON.stringify({
      ...(httpSample() as JsonObject),
      name,
      auth: { type: "none" },
      tools: tools.map((tool) => ({ name: tool, description: "Does." })),
      skills: skills.map((skill) => ({ name: skill, path: `skills/${skill}.md` })),
    }),
  );
  return { name: manifest.name, version: manifest.version, origin: "installed", dir: "/plugins/x", manifest };
}

const told = (plugins: readonly LoadedPlugin[]) =>
  findClashes(plugins).map(({ kind, name, owners }) => `${kind} ${name}: ${owners.join(", ")}`);

describe("BUN-5/never-two-owners", () => {
  test("a tool that two plugins declare, which is possible when one's name starts with the other's", () => {
    const plugins = [
      plugin("google", ["google_drive_list"]),
      plugin("google_drive", ["google_drive_list"]),
      plugin("x"),
    ];
    expect(told(plugins)).toEqual(["tool google_drive_list: google, google_drive"]);
  });

  test("two plugins of one name, which then share all their names", () => {
    expect(told([plugin("notes", ["notes_a"]), plugin("notes", ["notes_a"])])).toEqual([
      "plugin notes: notes, notes",
      "tool notes_a: notes, notes",
    ]);
  });

  test("a skill of two plugins, and a skill named like another plugin", () => {
    const plugins = [plugin("a", [], ["write", "b"]), plugin("b", [], ["write"]), plugin("c", [], ["other"])];
    expect(told(plugins)).toEqual(["skill b: a, b", "skill write: a, b"]);
  });

  test("nothing when every name has one owner, also across kinds", () => {
    expect(told([plugin("a", ["a_x"], ["a_x"]), plugin("b", ["b_x"], ["b-plugin"]), plugin("a_x_y")])).toEqual([]);
  });
});
