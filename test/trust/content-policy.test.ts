/** What each kind of plugin may carry (spec 2.1). */
import { describe, expect, test } from "bun:test";
import type { Manifest } from "../../src/manifest/manifest.ts";
import { assertAllowedContent } from "../../src/trust/content-policy.ts";
import type { TreeFile, UnpackedTree } from "../../src/trust/proof.ts";
import { expectRefusal } from "../expect.ts";
import { PLUGIN, VERSION } from "./stages.ts";

const RAILS = ["http", "local-mcp", "hosted-mcp"] as const;
type Rail = (typeof RAILS)[number];

/** Only the rail of a manifest decides here. */
const manifest = (rail: Rail): Manifest => ({ rail }) as Manifest;

/** A tree as unpacking leaves it: `name/` is a folder, `name*` an executable file. */
function tree(...names: readonly string[]): UnpackedTree {
  const files: TreeFile[] = [];
  const folders = new Set<string>();
  for (const name of ["plugin.json", ...names]) {
    const path = name.replace(/[/*]$/, "");
    for (let at = path.indexOf("/"); at !== -1; at = path.indexOf("/", at + 1)) folders.add(path.slice(0, at));
    if (name.endsWith("/")) folders.add(path);
    else files.push({ path, bytes: 0, executable: name.endsWith("*") });
  }
  return { plugin: PLUGIN, version: VERSION, root: "/tree", files, folders: [...folders] } as unknown as UnpackedTree;
}

const EVERYWHERE = ["skills/a/SKILL.md", "assets/logo.svg", "CHANGELOG.md", "README.md", "LICENSE", "yanked.json"];
const DECLARATIVE = ["bin/run*", "src/index.js"];
const LOCAL = [
  ...["package.json", "package-lock.json", "pyproject.toml", "uv.lock", "requirements.txt", "mix.exs", "mix.lock"],
];

describe("the allowlist holds for every entry and kind", () => {
  const allowed: Readonly<Record<Rail, readonly string[]>> = {
    http: [...EVERYWHERE, ...DECLARATIVE],
    "local-mcp": [...EVERYWHERE, ...DECLARATIVE, ...LOCAL],
    "hosted-mcp": EVERYWHERE,
  };
  for (const rail of RAILS) {
    test(`${rail}: all that is on its list`, () => {
      const { files, manifest: kept } = assertAllowedContent(tree(...allowed[rail]), manifest(rail));
      expect([files.length, kept.rail]).toEqual([allowed[rail].length + 1, rail]);
    });
    for (const name of [
      ...[...EVERYWHERE, ...DECLARATIVE, ...LOCAL].filter((candidate) => !allowed[rail].includes(candidate)),
      ...["node_modules/x/index.js", ".env", "._plugin.json", "plugin.json.bak", "evil/", "Skills/a", "index.json"],
    ]) {
      test(`${rail}: not ${name} (${rail === "hosted-mcp" ? "INS-7/no-code" : "spec 2.1"})`, async () => {
        const { reason } = await expectRefusal(
          () => assertAllowedContent(tree(name), manifest(rail)),
          "content_not_allowed",
        );
        expect(reason).toBe("which a plugin of this kind may not have");
      });
    }
  }
});

describe("a hosted plugin carries no code", () => {
  test("no file with an executable bit, at any depth (INS-7/no-executable)", async () => {
    for (const name of ["README.md*", "skills/a/SKILL.md*", "assets/deep/er/logo.svg*"]) {
      await expectRefusal(() => assertAllowedContent(tree(name), manifest("hosted-mcp")), "content_not_allowed", {
        plugin: PLUGIN,
        path: name.slice(0, -1),
        reason: "an executable file, and a hosted plugin carries no code",
      });
      expect(assertAllowedContent(tree(name), manifest("http")).files).toHaveLength(2);
    }
  });

  test("no package manager's file, at any depth (INS-7/no-code)", async () => {
    for (const name of LOCAL) {
      const work = (): unknown => assertAllowedContent(tree(`skills/a/${name}`), manifest("hosted-mcp"));
      expect((await expectRefusal(work, "content_not_allowed")).path).toBe(`skills/a/${name}`);
    }
  });
});

test("an allowed name of the wrong kind is refused", async () => {
  for (const name of ["skills", "src", "README.md/", "LICENSE/evil.js", "yanked.json/"]) {
    await expectRefusal(() => assertAllowedContent(tree(name), manifest("http")), "content_not_allowed");
  }
});
