/** Tests of `fermix plugins catalog` and `installed`: all that is known, and what the store holds. */

import { expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { catalog } from "../../../src/cli/plugins/catalog.ts";
import { installed } from "../../../src/cli/plugins/installed.ts";
import { expectRefusal } from "../../expect.ts";
import { catalogEntry, localManifest, noteManifest, oauthManifest, PluginLab } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

function known(): PluginLab {
  const lab = new PluginLab({
    bundled: [oauthManifest("gmail", "google")],
    catalog: [
      catalogEntry("notes", { latest: "1.0.0" }),
      catalogEntry("cloud", { runtime_kind: "remote_mcp", rails: ["mcp"], auth_type: "api_key" }),
      catalogEntry("vault", { runtime_kind: "local_stdio", rails: ["mcp"] }),
      { name: "card", display_name: "Card", auth_type: "none", rails: [], versions: [] },
    ],
  });
  lab.installed(noteManifest("notes"));
  lab.installed(noteManifest("later", { plugin_api: 9 }));
  lab.authored(localManifest("hatch"));
  lab.devLocal();
  return lab;
}

test("CAT-4/shows-all: bundled, installed, dev-local, and every entry that is not installed yet", async () => {
  using lab = known();
  const { piped, notices } = await answers(catalog, lab.app, {});
  expect(piped.split("\n")).toEqual([
    "card\tnone\t-\t-\t-\tcatalog",
    "cloud\tapi_key\tknowledge\t1.0.0\thosted-mcp\tcatalog",
    "gmail\toauth2\tknowledge\t1.0.0\thttp\tbundled",
    "hatch\tnone\tknowledge\t1.0.0\tlocal-mcp\tdev_local",
    "later\tnone\t-\t1.0.0\t-\tinstalled",
    "notes\tnone\tknowledge\t1.0.0\thttp\tinstalled",
    "vault\tnone\tknowledge\t1.0.0\tlocal-mcp\tcatalog",
  ]);
  expect(notices).toEqual([
    "the catalog of 2026-11-30T00:00:00Z, inside fermix 0.9.0; newer plugins come with `fermix upgrade`",
  ]);
});

test("CAT-4/json CASE-16: the same as JSON, with the catalog's date and the binary's version", async () => {
  using lab = known();
  const { json } = await answers(catalog, lab.app, {});
  expect(json).toMatchObject({ catalog: { generated_at: "2026-11-30T00:00:00Z", fermix: "0.9.0" } });
  const { plugins } = json as { plugins: readonly Record<string, unknown>[] };
  expect(plugins[0]).toEqual({
    name: "card",
    display_name: "Card",
    auth: "none",
    category: null,
    version: null,
    rail: null,
    source: "catalog",
    latest: null,
  });
  expect(plugins[5]).toEqual({
    name: "notes",
    display_name: "NOTES",
    auth: "none",
    category: "knowledge",
    version: "1.0.0",
    rail: "http",
    source: "installed",
    latest: "1.0.0",
  });
});

test("a catalog that does not verify is said, not shown", async () => {
  using lab = new PluginLab();
  const read = lab.app.ports.embedded.read;
  const tampered = (name: string) => (name === "index.json" ? Buffer.from('{"schema_version":1}') : read(name));
  const app = { ...lab.app, ports: { ...lab.app.ports, embedded: { ...lab.app.ports.embedded, read: tampered } } };
  await expectRefusal(() => catalog.run(app, {}), "catalog_untrusted");
});

test("CLI-7/installed-local-only: the store alone, each plugin fitting this Fermix or not, pinned or not", async () => {
  using lab = known();
  const entry = { version: "1.0.0", sha256: "0".repeat(64), verified_at: "2026-11-30T00:00:00Z", pinned: true };
  writeFileSync(lab.home.plugins.record, JSON.stringify({ notes: entry }));
  const { piped, terminal, json, notices } = await answers(installed, lab.app, {});
  expect(piped).toBe("later\t1.0.0\tincompatible\nnotes\t1.0.0\tready");
  expect(terminal).toBe("later  1.0.0  incompatible\nnotes  1.0.0  ready");
  expect(json).toEqual({
    installed: [
      {
        name: "later",
        version: "1.0.0",
        status: "incompatible",
        pinned: false,
        reason: expect.stringContaining("plugin_api"),
        fix: "`fermix plugins upgrade later`, or upgrade Fermix",
      },
      { name: "notes", version: "1.0.0", status: "ready", pinned: true, reason: null, fix: null },
    ],
  });
  expect(notices).toHaveLength(1);
});

test("an empty store is an empty answer", async () => {
  using lab = new PluginLab({ bundled: [noteManifest("gmail")] });
  expect(await answers(installed, lab.app, {})).toMatchObject({ piped: "", json: { installed: [] } });
});
