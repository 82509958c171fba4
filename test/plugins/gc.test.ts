import { expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { collectGarbage } from "../../src/plugins/gc.ts";
import { holdVersion } from "../../src/store/hold.ts";
import { withPluginLock } from "../../src/store/store-lock.ts";
import { InstallLab } from "./install-lab.ts";
import { hostedManifest, write } from "./lab.ts";

async function withVersions(lab: InstallLab, name: string, ...versions: readonly string[]): Promise<void> {
  for (const version of versions) {
    lab.publish(name, { version, whole: { ...hostedManifest(name), version } });
    await lab.install(name);
  }
}

function kept(lab: InstallLab): readonly string[] {
  const paths = Object.keys(lab.disk()).filter(
    (path) => path.includes("/notes/") && path !== "plugins/installed/notes/current",
  );
  return [...new Set(paths.map((path) => path.split("/").slice(1, 4).join("/")))].toSorted();
}

test("INS-8/gc: the live version and the newest other stay, with their evidence", async () => {
  using lab = new InstallLab();
  await withVersions(lab, "notes", "1.0.0", "1.2.0", "1.10.0", "1.9.0");
  await lab.install("notes", { version: "1.2.0" });
  write(join(lab.home.plugins.staging, "notes-1.0.0", "artifact.tgz"), "left by a crash");
  write(join(lab.home.plugins.evidence, "gone", "1.0.0", "artifact.tgz"), "x");
  expect(await collectGarbage(lab.app())).toEqual({
    removed: [
      { name: "notes", version: "1.0.0" },
      { name: "notes", version: "1.9.0" },
    ],
    held: [],
    busy: [],
  } as never);
  expect(kept(lab)).toEqual([
    "evidence/notes/1.10.0",
    "evidence/notes/1.2.0",
    "installed/notes/.1.10.0.json",
    "installed/notes/.1.2.0.json",
    "installed/notes/1.10.0",
    "installed/notes/1.2.0",
  ]);
  expect(Object.keys(lab.disk()).filter((path) => path.includes("gone") || path.includes("staging"))).toEqual([]);
  const before = lab.disk();
  expect(await collectGarbage(lab.app())).toEqual({ removed: [], held: [], busy: [] });
  expect(lab.disk()).toEqual(before);
});

test("INS-8/gc: a version that a live host runs stays until it lets go", async () => {
  using lab = new InstallLab();
  await withVersions(lab, "notes", "1.0.0", "1.1.0", "1.2.0");
  const release = holdVersion(lab.home, "notes" as never, "1.0.0" as never);
  expect(await collectGarbage(lab.app())).toMatchObject({ removed: [], held: [{ name: "notes", version: "1.0.0" }] });
  release();
  expect(await collectGarbage(lab.app())).toMatchObject({ removed: [{ name: "notes", version: "1.0.0" }], held: [] });
});

test("a plugin that another process is changing is skipped and named", async () => {
  using lab = new InstallLab();
  await withVersions(lab, "notes", "1.0.0", "1.1.0", "1.2.0");
  const app = lab.app();
  const before = lab.disk();
  await withPluginLock(app.ports, lab.home, "notes" as never, async () => {
    let ended = false;
    const collecting = collectGarbage(app).finally(() => {
      ended = true;
    });
    while (!ended) await lab.clock.advance(100);
    expect(await collecting).toEqual({ removed: [], held: [], busy: ["notes"] } as never);
  });
  expect(lab.disk()).toEqual(before);
});

test("without a live version nothing is removed", async () => {
  using lab = new InstallLab();
  await withVersions(lab, "notes", "1.0.0", "1.1.0", "1.2.0");
  rmSync(join(lab.home.plugins.installed, "notes", "current"));
  const before = lab.disk();
  expect(await collectGarbage(lab.app())).toMatchObject({ removed: [] });
  expect(lab.disk()).toEqual(before);
});
