/** A change of the store that its record can't follow, or that would leave the store, does not begin. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import type { FermixCode } from "../../src/kernel/codes.ts";
import { FermixError } from "../../src/kernel/error.ts";
import { activateKept } from "../../src/store/activate.ts";
import { readInstalled } from "../../src/store/installed.ts";
import { removePlugin } from "../../src/store/remove-plugin.ts";
import { sweepStore } from "../../src/store/sweep.ts";
import { receiptPath } from "../../src/store/version-receipt.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { NOTES, StoreLab, V1, V2, write } from "./store-lab.ts";

const DEAD_PID = 4_194_304;

/** Makes the record impossible to change. */
const BROKEN: readonly (readonly [what: string, code: FermixCode, break_: (lab: StoreLab) => void])[] = [
  ["the store lock is damaged", "lock_corrupt", (lab) => write(lab.home.plugins.lock, "garbage")],
  ["the record is damaged", "installed_record_corrupt", (lab) => write(lab.home.plugins.record, "{")],
];

const CHANGES: readonly (readonly [what: string, make: (lab: StoreLab) => Promise<void>])[] = [
  ["a new version", async (lab) => await lab.put(V2, "new")],
  ["the live version again", async (lab) => await lab.put(V1, "new")],
  [
    "a kept version",
    async (lab) => {
      const entry = (await readInstalled(lab.home)).get(NOTES);
      if (entry === undefined) throw new Error("notes is not recorded");
      await activateKept(lab.ports, lab.home, NOTES, entry);
    },
  ],
  ["a removal", async (lab) => await removePlugin(lab.ports, lab.home, NOTES)],
];

/** What is on disk but for the empty work folder. */
function disk(lab: StoreLab): Record<string, string> {
  const { "plugins/.staging/": _, ...seen } = snapshotTree(lab.home.root);
  return seen;
}

describe("nothing moves", () => {
  for (const [cause, code, break_] of BROKEN) {
    for (const [what, make] of CHANGES) {
      test(`INS-10/corrupt-lock INS-10/corrupt-record ${what}, when ${cause}: ${code}`, async () => {
        using lab = new StoreLab();
        await lab.put(V1, "old", { evidence: true });
        break_(lab);
        const before = disk(lab);
        await expectRefusal(make(lab), code);
        expect(disk(lab)).toEqual(before);
      });
    }
  }

  test("a removal whose second half fails puts everything back", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "old", { evidence: true });
    const before = disk(lab);
    const failing = removePlugin(lab.ports, lab.home, NOTES, async () => {
      expect(disk(lab)).not.toEqual(before);
      throw new FermixError("disk_full", { path: "config.toml" });
    });
    await expectRefusal(failing, "disk_full");
    expect(disk(lab)).toEqual(before);
  });

  for (const linked of ["installed", "installed/notes"]) {
    test(`when ${linked} is a link that leads out of the store: outside_store, and the live version stays`, async () => {
      using lab = new StoreLab();
      await lab.put(V1, "old");
      const outside = join(lab.home.root, "outside");
      const place = join(lab.home.plugins.root, linked);
      renameSync(place, outside);
      symlinkSync(outside, place);
      const before = disk(lab);
      await expectRefusal(lab.put(V2, "new"), "outside_store");
      await expectRefusal(lab.put(V1, "new"), "outside_store");
      expect(disk(lab)).toEqual(before);
      expect(lab.liveContent()).toBe("old");
    });
  }
});

test("a plugin's folder that is a link is removed as a link: what it leads to stays", async () => {
  using lab = new StoreLab();
  await lab.put(V1, "old");
  const outside = join(lab.home.root, "outside");
  renameSync(lab.home.pluginDir(NOTES), outside);
  symlinkSync(outside, lab.home.pluginDir(NOTES));
  const before = snapshotTree(outside);
  await removePlugin(lab.ports, lab.home, NOTES);
  expect([await lab.live(), [...(await readInstalled(lab.home)).keys()]]).toEqual([undefined, []]);
  expect(snapshotTree(outside)).toEqual(before);
});

test("a link in the place of a version gives way to the version, and what it led to stays", async () => {
  using lab = new StoreLab();
  await lab.put(V1, "old");
  const outside = join(lab.home.root, "outside");
  mkdirSync(outside);
  write(join(outside, "plugin.json"), "elsewhere");
  rmSync(lab.home.versionDir(NOTES, V1), { recursive: true });
  symlinkSync(outside, lab.home.versionDir(NOTES, V1));
  await lab.put(V1, "new");
  expect([await lab.live(), lab.liveContent()]).toEqual([V1, "new"]);
  expect(snapshotTree(outside)).toEqual({ "plugin.json": expect.any(String) });
});

describe("INS-5/no-debris the next sweep takes away", () => {
  test("the store lock of a dead process, even when nothing else is to be done", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "old");
    const before = disk(lab);
    write(lab.home.plugins.lock, `1 ${DEAD_PID}\n`);
    await sweepStore(lab.ports, lab.home);
    expect(disk(lab)).toEqual(before);
  });

  test("the receipt of a version that was being removed, and no other", async () => {
    using lab = new StoreLab();
    await lab.put(V2, "gone");
    await lab.put(V1, "live");
    rmSync(lab.home.versionDir(NOTES, V2), { recursive: true });
    await sweepStore(lab.ports, lab.home);
    const kept = Object.keys(disk(lab));
    expect(kept).not.toContain(receiptPath(lab.home, NOTES, V2).slice(lab.home.root.length + 1));
    expect(kept).toContain(receiptPath(lab.home, NOTES, V1).slice(lab.home.root.length + 1));
  });
});

test("a store folder that is no folder does not empty the record", async () => {
  using lab = new StoreLab();
  await lab.put(V1, "old");
  rmSync(lab.home.plugins.installed, { recursive: true });
  write(lab.home.plugins.installed, "in the way");
  await sweepStore(lab.ports, lab.home);
  expect([...(await readInstalled(lab.home)).keys()]).toEqual([NOTES]);
});
