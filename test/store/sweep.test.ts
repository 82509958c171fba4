import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, renameSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { holdVersion } from "../../src/store/hold.ts";
import { editInstalled, readInstalled } from "../../src/store/installed.ts";
import { pluginLockPath, withPluginLock, withStoreLock } from "../../src/store/store-lock.ts";
import { sweepStore } from "../../src/store/sweep.ts";
import { pendingPath, receiptPath } from "../../src/store/version-receipt.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { NOTES, pluginName, StoreLab, V1, V2, write } from "./store-lab.ts";

const DEAD_PID = 4_194_305;

async function sweep(lab: StoreLab): Promise<void> {
  await sweepStore(lab.ports, lab.home);
}

describe("what crashes left", () => {
  test("a home without a store stays without one", async () => {
    using lab = new StoreLab();
    await sweep(lab);
    expect(snapshotTree(lab.home.root)).toEqual({});
  });

  test("staging folders of dead owners and of other programs go", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    const before = snapshotTree(lab.home.root);
    write(join(lab.home.plugins.staging, `notes-1.1.0-${DEAD_PID}-00000000000a`, "tree", "x"), "x");
    write(join(lab.home.plugins.staging, "notes-1.1.0", "artifact.tgz"), "x");
    write(join(lab.home.plugins.staging, "stray"), "x");
    symlinkSync("/etc", join(lab.home.plugins.staging, "link"));
    await sweep(lab);
    expect(snapshotTree(lab.home.root)).toEqual(before);
    expect(existsSync("/etc/passwd")).toBe(true);
  });

  test("a staging folder whose owner lives but no longer holds the plugin goes: its number was given anew", async () => {
    using lab = new StoreLab();
    const stray = join(lab.home.plugins.staging, `notes-1.1.0-${process.ppid}-00000000000a`);
    mkdirSync(stray, { recursive: true });
    await sweep(lab);
    expect(existsSync(stray)).toBe(false);
  });

  test("the staging folder and lock of an install that is under way stay", async () => {
    using lab = new StoreLab();
    const { ports, home } = lab;
    await withPluginLock(ports, home, NOTES, async () => {
      const mine = join(home.plugins.staging, `notes-1.1.0-${process.pid}-00000000000a`);
      write(join(mine, "artifact.tgz"), "half");
      const before = snapshotTree(home.root);
      await sweep(lab);
      expect(snapshotTree(home.root)).toEqual(before);
    });
  });

  test("scratch folders and holds of dead processes go, those of living ones and tokens stay", async () => {
    using lab = new StoreLab();
    const { run } = lab.home.plugins;
    for (const dead of [`.verify-${DEAD_PID}-aBc123`, ".verify-old", `hold-notes-1.0.0-${DEAD_PID}`]) {
      write(join(run, dead), "");
    }
    const release = holdVersion(lab.home, NOTES, V1);
    write(join(run, `.verify-${process.pid}-aBc123`), "");
    write(join(run, "notes.token"), "");
    await sweep(lab);
    expect(Object.keys(snapshotTree(run)).toSorted()).toEqual([
      `.verify-${process.pid}-aBc123`,
      `hold-notes-1.0.0-${process.pid}`,
      "notes.token",
    ]);
    release();
    expect(existsSync(join(run, `hold-notes-1.0.0-${process.pid}`))).toBe(false);
  });

  test("unfinished writes of the record and of locks go, the record stays", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    const before = snapshotTree(lab.home.root);
    write(`${lab.home.plugins.record}.${DEAD_PID}-1.tmp`, "{");
    for (const lock of [".lock", ".lock-notes"]) {
      for (const kind of ["new", "stale"]) write(join(lab.home.plugins.root, `${lock}.${DEAD_PID}.${kind}`), "");
    }
    await sweep(lab);
    expect(snapshotTree(lab.home.root)).toEqual(before);
  });

  test("evidence of a plugin that is gone goes", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one", { evidence: true });
    rmSync(lab.home.pluginDir(NOTES), { recursive: true });
    await sweep(lab);
    expect(snapshotTree(lab.home.plugins.evidence)).toEqual({});
    expect((await readInstalled(lab.home)).size).toBe(0);
  });

  test("it gives way to whoever holds the store, and hurries: 5 times 20 ms", async () => {
    using lab = new StoreLab();
    const stray = join(lab.home.plugins.staging, "stray");
    write(stray, "x");
    await withStoreLock(lab.ports, lab.home, async () => await sweep(lab));
    expect(existsSync(stray)).toBe(true);
    expect(lab.ports.clock.slept).toEqual([20, 20, 20, 20]);
  });

  test("a tidy store is swept without a write, so that a read-only home can be served", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    const before = snapshotTree(lab.home.root);
    write(lab.home.plugins.lock, `1 ${process.ppid}\n`);
    await sweep(lab);
    expect(lab.ports.clock.slept).toEqual([]);
    rmSync(lab.home.plugins.lock);
    expect(snapshotTree(lab.home.root)).toEqual(before);
  });

  test("a damaged receipt or announcement of one plugin keeps no other plugin from being swept", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    write(receiptPath(lab.home, NOTES, V1), "{");
    const before = snapshotTree(lab.home.root);
    write(pendingPath(lab.home, NOTES, V2), "{");
    write(join(lab.home.plugins.staging, "stray"), "x");
    await sweep(lab);
    expect(snapshotTree(lab.home.root)).toEqual(before);
  });

  test("a damaged record is said aloud and kept", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    write(lab.home.plugins.record, "{");
    write(join(lab.home.plugins.staging, "stray"), "x");
    const record = lab.home.plugins.record;
    await expectRefusal(sweep(lab), "installed_record_corrupt");
    expect(await Bun.file(record).text()).toBe("{");
  });
});

describe("the record follows the current link", () => {
  test("a version that went live without being recorded is recorded with what was proven, and keeps its pin", async () => {
    using lab = new StoreLab();
    await lab.put(V2, "two");
    const recorded = await readInstalled(lab.home);
    await lab.put(V1, "one");
    await editInstalled(lab.ports, lab.home, (record) => {
      const entry = record.get(NOTES);
      if (entry !== undefined) record.set(NOTES, { ...entry, pinned: true });
    });
    rmSync(join(lab.home.pluginDir(NOTES), "current"));
    symlinkSync("1.1.0", join(lab.home.pluginDir(NOTES), "current"));
    await sweep(lab);
    const expected = recorded.get(NOTES);
    expect((await readInstalled(lab.home)).get(NOTES)).toEqual({ ...expected, pinned: true } as typeof expected &
      object);
  });

  test("a lost record is made anew from the store", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    await lab.put(V2, "two", { name: pluginName("slack") });
    const before = await readInstalled(lab.home);
    rmSync(lab.home.plugins.record);
    await sweep(lab);
    expect(await readInstalled(lab.home)).toEqual(before);
  });

  test("a plugin that another program installed keeps the record it has", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    rmSync(receiptPath(lab.home, NOTES, V1));
    const before = snapshotTree(lab.home.root);
    await sweep(lab);
    expect(snapshotTree(lab.home.root)).toEqual(before);
  });

  test("a plugin that is being changed by a living process is left to it", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    write(pluginLockPath(lab.home, NOTES), `${lab.ports.clock.now()} ${process.ppid}\n`);
    rmSync(lab.home.plugins.record);
    await sweep(lab);
    expect((await readInstalled(lab.home)).size).toBe(0);
  });

  test("a store folder that is away for a while does not empty the record", async () => {
    using lab = new StoreLab();
    await lab.put(V1, "one");
    const before = await readInstalled(lab.home);
    renameSync(lab.home.plugins.installed, `${lab.home.root}/elsewhere`);
    await sweep(lab);
    expect(await readInstalled(lab.home)).toEqual(before);
  });
});
