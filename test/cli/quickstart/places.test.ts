/** Tests of cli/quickstart/places.ts: where a first run happens. */
import { expect, test } from "bun:test";
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { choosePlaces, discardPlaces } from "../../../src/cli/quickstart/places.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { PluginLab, write } from "../../plugins/lab.ts";

test("by default a throwaway home of its own, 0700, and a sample vault that the query finds something in", () => {
  using lab = new PluginLab();
  const before = snapshotTree(lab.folder);
  const places = choosePlaces(lab.app, { home: undefined, vault: undefined });
  const { app, throwaway, vault, sample, query } = places;
  expect([sample, query]).toEqual([true, "garden"]);
  expect(app.home.root).toBe(join(throwaway ?? "", "home"));
  expect(app.env.fermixHome).toBe(app.home.root);
  expect(statSync(app.home.root).mode & 0o777).toBe(0o700);
  expect(Object.keys(snapshotTree(vault)).filter((name) => name.endsWith(".md"))).toHaveLength(3);
  discardPlaces(places);
  expect(existsSync(throwaway ?? "")).toBe(false);
  expect(snapshotTree(lab.folder)).toEqual(before);
});

test("a vault of one's own is searched for a word of its first note, and never written", () => {
  using lab = new PluginLab();
  const own = join(lab.folder, "my notes");
  write(join(own, "Zettel.md"), "");
  write(join(own, "Meeting with Ada.md"), "");
  const before = snapshotTree(own);
  const places = choosePlaces(lab.app, { home: "throwaway", vault: own });
  expect([places.vault, places.sample, places.query]).toEqual([own, false, "Meeting"]);
  discardPlaces(places);
  expect(snapshotTree(own)).toEqual(before);
});

test("the real home is the operator's, with a vault of the operator's", async () => {
  using lab = new PluginLab();
  write(join(lab.folder, "vault/.obsidian/app.json"), "{}");
  const places = choosePlaces(lab.app, { home: "real", vault: join(lab.folder, "vault") });
  expect(places).toEqual({
    app: lab.app,
    throwaway: undefined,
    vault: join(lab.folder, "vault"),
    sample: false,
    query: "note",
  });
  discardPlaces(places);
  expect(existsSync(lab.home.root)).toBe(true);
  await expectRefusal(() => choosePlaces(lab.app, { home: "real", vault: undefined }), "usage");
  await expectRefusal(() => choosePlaces(lab.app, { home: "elsewhere", vault: undefined }), "usage");
});

test("a ~ that no shell expanded is the user's home", () => {
  using lab = new PluginLab();
  const userHome = join(lab.folder, "user");
  write(join(userHome, "Notes/Plan.md"), "");
  const app = { ...lab.app, env: { ...lab.app.env, userHome } };
  const places = choosePlaces(app, { home: undefined, vault: "~/Notes" });
  expect([places.vault, places.query]).toEqual([join(userHome, "Notes"), "Plan"]);
  discardPlaces(places);
});

test("a vault that is not there, or is a file, is named", async () => {
  using lab = new PluginLab();
  write(join(lab.folder, "file"), "");
  const before = snapshotTree(lab.folder);
  const at = (name: string) => ({ home: undefined, vault: join(lab.folder, name) });
  await expectRefusal(() => choosePlaces(lab.app, at("none")), "vault_unusable", {
    path: join(lab.folder, "none"),
    reason: "there is nothing to read there",
  });
  await expectRefusal(() => choosePlaces(lab.app, at("file")), "vault_unusable", {
    path: join(lab.folder, "file"),
    reason: "it is not a folder",
  });
  expect(snapshotTree(lab.folder)).toEqual(before);
});
