/** Plugins published for this ecosystem load as they are. */
import { expect, test } from "bun:test";
import { parseManifest } from "../../src/manifest/parse.ts";
import { foreignManifests } from "./foreign.ts";

for (const { manifest, warnings } of foreignManifests) {
  test(`${manifest["name"]} loads unmodified, whatever its layout`, () => {
    for (const indent of [undefined, 2, "\t"]) {
      const loaded = parseManifest(`${JSON.stringify(manifest, null, indent)}\n`, {
        directory: String(manifest["name"]),
      });
      expect(loaded.name as string).toBe(String(manifest["name"]));
      expect(loaded.tools).toHaveLength((manifest["tools"] as unknown[]).length);
      expect(loaded.warnings).toEqual(warnings);
    }
  });
}
