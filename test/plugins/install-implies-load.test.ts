/** INS-4: whatever an author writes, a package that installs is a plugin that loads. */
import { expect, test } from "bun:test";
import fc from "fast-check";
import { isFermixError } from "../../src/kernel/error.ts";
import { loadPlugins } from "../../src/plugins/load.ts";
import { InstallLab } from "./install-lab.ts";
import { hostedManifest, httpTool, type Json, keyManifest, noteManifest, oauthManifest, TRIO } from "./lab.ts";

const mostly = (right: string, ...wrong: readonly string[]) =>
  fc.oneof({ weight: 9, arbitrary: fc.constant(right) }, { weight: 1, arbitrary: fc.constantFrom(...wrong) });
const seldom = <T, Else>(wrong: fc.Arbitrary<T>, otherwise: Else) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant(otherwise) }, { weight: 2, arbitrary: wrong });
const name = mostly("notes", "slack", "gmail", "mcp_x", "Notes");
const version = mostly("1.0.0", "0.0.1", "01.0.0", "1.0", "1.0.0-beta");

/** A value that is right in some member and wrong in most. */
const anything = fc.oneof(
  fc.constantFrom(null, true, 0, -1, 2, 3, 4, "", "x", "99.0.0", "0.9.0", "https://api.example.com/look"),
  fc.constantFrom([], {}, [{}], ["look"], { type: "none" }, { type: "oauth2", provider: "x", scopes: [] }),
  fc.string(),
);
const member = fc.constantFrom(
  ...["schema_version", "display_name", "description", "category", "min_core_version", "plugin_api", "default_enabled"],
  ...[
    "interface",
    "auth",
    "config",
    "runtime",
    "tools",
    "skills",
    "health_check",
    "budgets",
    "surprise",
    "name",
    "version",
  ],
);
const toolMember = fc.constantFrom(
  "name",
  "description",
  "read_only",
  "rail",
  "parameters",
  "request",
  "requires_scopes",
);

const manifest = fc
  .record({
    base: fc.constantFrom(noteManifest, keyManifest, (plugin: string) => oauthManifest(plugin), hostedManifest),
    name,
    version,
    changed: seldom(fc.array(fc.tuple(member, anything), { minLength: 1, maxLength: 2 }), []),
    tool: seldom(fc.tuple(toolMember, anything), undefined),
    skill: seldom(fc.constantFrom("guide", "gmail", "notes"), undefined),
  })
  .map(({ base, name: plugin, version: of, changed, tool, skill }): Json => {
    const written: Json = { ...base(plugin), version: of };
    if (tool !== undefined) written["tools"] = [httpTool(`${plugin}_look`, { [tool[0]]: tool[1] })];
    if (skill !== undefined) written["skills"] = [{ name: skill, path: "skills/guide.md" }];
    return { ...written, ...Object.fromEntries(changed) };
  });

const files = fc.constantFrom<Readonly<Record<string, string>>>(
  {},
  { "skills/guide.md": "# Guide" },
  { "src/x.js": "" },
);

test("INS-4/install-implies-load: what installs loads, and what is refused leaves no file", async () => {
  let installed = 0;
  let refused = 0;
  await fc.assert(
    fc.asyncProperty(manifest, files, async (written, carried) => {
      using lab = new InstallLab();
      lab.bundled = TRIO;
      // The catalog's own claim is true, so that the package alone decides.
      lab.publish("notes", { whole: written, files: carried, listed: { plugin_api: null, min_core_version: null } });
      try {
        await lab.install("notes");
      } catch (error) {
        if (!isFermixError(error)) throw error;
        refused += 1;
        expect(lab.disk()).toEqual({});
        return;
      }
      installed += 1;
      const report = await loadPlugins(lab.app());
      expect(report.excluded).toEqual([]);
      expect(report.plugins.map((plugin) => `${plugin.name} ${plugin.origin}`)).toContain("notes installed");
    }),
    { numRuns: 120 },
  );
  // A property that never saw an install, or never a refusal, would prove nothing.
  expect({ installed: installed > 5, refused: refused > 5 }).toEqual({ installed: true, refused: true });
}, 60_000);
