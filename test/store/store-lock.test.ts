/** Who may change the store, and what a change that fails leaves of the folders made for it. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { pluginLockPath, withPluginLock, withStoreLock } from "../../src/store/store-lock.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { NOTES, pluginName, StoreLab, write } from "./store-lab.ts";

/** A process number that no Linux or macOS system gives out. */
const DEAD_PID = 4_194_305;

test("different plugins are changed in parallel, the store's own files by one at a time", async () => {
  using lab = new StoreLab();
  const { ports, home } = lab;
  const order: string[] = [];
  await withPluginLock(ports, home, NOTES, async () => {
    await withPluginLock(ports, home, pluginName("slack"), async () => {
      order.push("both plugins");
      await withStoreLock(ports, home, async () => {
        await expectRefusal(
          withStoreLock(ports, home, async () => {}),
          "store_busy",
          { path: home.plugins.lock },
        );
        order.push("one store");
      });
    });
  });
  expect(order).toEqual(["both plugins", "one store"]);
  expect(snapshotTree(home.plugins.root)).toEqual({});
});

test("INS-9/two-processes: a plugin that is being changed is waited for 50 times 100 ms, then named busy", async () => {
  using lab = new StoreLab();
  const { ports, home } = lab;
  const path = pluginLockPath(home, NOTES);
  // The parent of this test lives as long as the test does.
  write(path, `${ports.clock.now()} ${process.ppid}\n`);
  const before = snapshotTree(home.root);
  await expectRefusal(
    withPluginLock(ports, home, NOTES, async () => {}),
    "plugin_busy",
    { plugin: "notes" },
  );
  expect(ports.clock.slept).toEqual(Array.from({ length: 49 }, () => 100));
  expect(snapshotTree(home.root)).toEqual(before);
});

test("the lock of a dead process is taken over at once, whatever its age says", async () => {
  for (const age of [0, 700_000, -86_400_000]) {
    using lab = new StoreLab();
    const { ports, home } = lab;
    write(pluginLockPath(home, NOTES), `${ports.clock.now() - age} ${DEAD_PID}\n`);
    const owner = await withPluginLock(ports, home, NOTES, async () =>
      readFileSync(pluginLockPath(home, NOTES), "utf8"),
    );
    expect(owner).toBe(`${ports.clock.now()} ${process.pid}\n`);
    expect(ports.clock.slept).toEqual([]);
    expect(existsSync(pluginLockPath(home, NOTES))).toBe(false);
  }
});

test("INS-10/corrupt-lock: a lock file that names no owner is a loud error and stays", async () => {
  using lab = new StoreLab();
  const { ports, home } = lab;
  write(home.plugins.lock, "garbage");
  const before = snapshotTree(home.root);
  await expectRefusal(
    withStoreLock(ports, home, async () => {}),
    "lock_corrupt",
    { path: home.plugins.lock },
  );
  expect(snapshotTree(home.root)).toEqual(before);
});

test("a first change that fails leaves the home as it was: not there, or empty", async () => {
  using lab = new StoreLab();
  const { ports, home } = lab;
  rmSync(home.root, { recursive: true, force: true });
  const failing = (): Promise<void> => {
    mkdirSync(home.plugins.staging, { recursive: true });
    return Promise.reject(new Error("refused"));
  };
  await expect(withPluginLock(ports, home, NOTES, failing)).rejects.toThrow("refused");
  expect(existsSync(home.root)).toBe(false);
  mkdirSync(home.root);
  await expect(withPluginLock(ports, home, NOTES, failing)).rejects.toThrow("refused");
  expect(snapshotTree(home.root)).toEqual({});
});

test("what came into the new folders meanwhile stays", async () => {
  using lab = new StoreLab();
  const { ports, home } = lab;
  rmSync(home.root, { recursive: true, force: true });
  const failing = (): Promise<void> => {
    write(join(home.plugins.root, "of-another-process"), "x");
    return Promise.reject(new Error("refused"));
  };
  await expect(withPluginLock(ports, home, NOTES, failing)).rejects.toThrow("refused");
  expect(Object.keys(snapshotTree(home.root))).toEqual(["plugins/", "plugins/of-another-process"]);
});

test("INS-9/two-processes: one that waits in folders which another process takes away makes them anew", async () => {
  using lab = new StoreLab();
  const { ports, home } = lab;
  rmSync(home.plugins.root, { recursive: true, force: true });
  write(pluginLockPath(home, NOTES), `${ports.clock.now()} ${process.ppid}\n`);
  const { sleep } = ports.clock;
  ports.clock.sleep = async (ms, signal) => {
    rmSync(home.plugins.root, { recursive: true, force: true });
    await sleep.call(ports.clock, ms, signal);
  };
  expect(await withPluginLock(ports, home, NOTES, async () => existsSync(pluginLockPath(home, NOTES)))).toBe(true);
});
