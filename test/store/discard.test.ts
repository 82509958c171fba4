import { expect, test } from "bun:test";
import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { discard, removeFromStore } from "../../src/store/discard.ts";
import { removePlugin } from "../../src/store/remove-plugin.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { NOTES, StoreLab, V1, write } from "./store-lab.ts";

const OUTSIDE: readonly [string, (lab: StoreLab) => string][] = [
  ["the store itself", (lab) => lab.home.plugins.root],
  ["the home", (lab) => lab.home.root],
  ["a path with dots", (lab) => `${lab.home.plugins.root}/installed/../../keep`],
  ["a neighbour whose name begins alike", (lab) => `${lab.home.plugins.root}-copy/x`],
  ["a relative path", () => "keep"],
];

for (const [what, path] of OUTSIDE) {
  test(`CASE-10: ${what} is never removed`, async () => {
    using lab = new StoreLab();
    write(join(lab.home.root, "keep", "x"), "x");
    write(join(`${lab.home.plugins.root}-copy`, "x"), "x");
    mkdirSync(lab.home.plugins.root, { recursive: true });
    const before = snapshotTree(lab.home.root);
    await expectRefusal(removeFromStore(lab.home, path(lab)), "outside_store", { path: path(lab) });
    await expectRefusal(discard(lab.ports, lab.home, NOTES, path(lab)), "outside_store", { path: path(lab) });
    expect(snapshotTree(lab.home.root)).toEqual(before);
  });
}

test("CASE-10: nothing is removed through a link that leads out of the store; the link itself may go", async () => {
  using lab = new StoreLab();
  write(join(lab.home.root, "elsewhere", "1.0.0", "keep"), "x");
  mkdirSync(lab.home.plugins.installed, { recursive: true });
  symlinkSync(join(lab.home.root, "elsewhere"), lab.home.pluginDir(NOTES));
  const path = lab.home.versionDir(NOTES, V1);
  await expectRefusal(removeFromStore(lab.home, path), "outside_store", { path });
  await removeFromStore(lab.home, lab.home.pluginDir(NOTES));
  expect(snapshotTree(lab.home.root)["elsewhere/1.0.0/keep"]).toStartWith("file:");
  expect(snapshotTree(lab.home.plugins.installed)).toEqual({});
});

test("what is not there is removed already", async () => {
  using lab = new StoreLab();
  await removeFromStore(lab.home, lab.home.versionDir(NOTES, V1));
  await discard(lab.ports, lab.home, NOTES, lab.home.pluginDir(NOTES));
  expect(snapshotTree(lab.home.root)).toEqual({});
});

test("removing a plugin leaves no file of it, and nothing of another one's is touched", async () => {
  using lab = new StoreLab();
  await lab.put(V1, "one", { evidence: true });
  const before = snapshotTree(lab.home.root);
  const other = "slack" as typeof NOTES;
  await lab.put(V1, "one", { evidence: true, name: other });
  await removePlugin(lab.ports, lab.home, other);
  expect(snapshotTree(lab.home.root)).toEqual(before);
});
