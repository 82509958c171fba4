/** The plugins that are part of the binary. */
import { expect, test } from "bun:test";
import { bundledManifests, readBundledFile } from "../../src/catalog/bundled.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { embeddedFiles } from "../../src/system/embedded.ts";
import { embeddedOf } from "../fakes/embedded.ts";

test("BUN-1/always-present: Gmail, Google Calendar and Google Drive are in the binary, manifests and skills", () => {
  const bundled = bundledManifests(embeddedFiles);
  expect([...bundled.keys()].map(String)).toEqual(["gmail", "google_calendar", "google_drive"]);
  for (const [name, text] of bundled) {
    const manifest = parseManifest(text, { directory: name });
    expect(manifest.auth).toMatchObject({ type: "oauth2", provider: "google" });
    expect(manifest.tools.length).toBeGreaterThanOrEqual(6);
    for (const skill of manifest.skills) {
      expect(readBundledFile(embeddedFiles, name, skill.path)).toStartWith(`---\nname: ${skill.name}\n`);
    }
  }
});

test("only folders directly below bundled/ whose name may name a plugin count", () => {
  const files = embeddedOf({
    "bundled/notes/plugin.json": "n",
    "bundled/notes/skills/notes/plugin.json": "no",
    "bundled/Bad/plugin.json": "no",
    "bundled/empty/README.md": "no",
    "plugins/other/plugin.json": "no",
  });
  expect([...bundledManifests(files)].map(([name, text]) => `${name}=${text}`)).toEqual(["notes=n"]);
});
