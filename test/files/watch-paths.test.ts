/** Changes on disk are noticed: by events, and by looking where events do not come. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { watchPaths } from "../../src/files/watch-paths.ts";
import { ManualClock } from "../fakes/manual-clock.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix-watch-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

/** A watch that counts what it is told; the first look always tells. */
function watching(clock: ManualClock, ...paths: readonly string[]) {
  let told = 0;
  const stop = watchPaths(
    clock,
    () => paths,
    () => {
      told += 1;
    },
  );
  return {
    stop,
    told: () => told,
    /** Lets time pass, which is all a look needs. */
    async look(): Promise<void> {
      for (let step = 0; step < 3; step += 1) await clock.advance(2_000);
    },
    /** Waits until a watch that was woken settles: time stands still, so only an event of the system can wake it. */
    async woken(): Promise<void> {
      const before = clock.slept.length;
      while (clock.slept.length === before) await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(50);
    },
  };
}

test("each kind of change is told once, and no look without one tells anything", async () => {
  const clock = new ManualClock();
  const file = join(folder, "config.toml");
  const plugin = join(folder, "installed/notes");
  mkdirSync(plugin, { recursive: true });
  const watch = watching(clock, file, plugin);
  await watch.look();
  expect(watch.told()).toBe(1);
  await watch.look();
  expect(watch.told()).toBe(1);
  const changes: (() => void)[] = [
    () => writeFileSync(file, "a"),
    () => writeFileSync(file, "changed"),
    () => {
      writeFileSync(`${file}.tmp`, "replace");
      renameSync(`${file}.tmp`, file);
    },
    () => symlinkSync("1.0.0", join(plugin, "current")),
    () => {
      symlinkSync("1.1.0", join(plugin, "current.tmp"));
      renameSync(join(plugin, "current.tmp"), join(plugin, "current"));
    },
    () => rmSync(file),
    () => rmSync(plugin, { recursive: true }),
  ];
  for (const [at, change] of changes.entries()) {
    change();
    await watch.look();
    expect(watch.told()).toBe(at + 2);
  }
  watch.stop();
  writeFileSync(file, "after");
  await watch.look();
  expect(watch.told()).toBe(changes.length + 1);
});

test("an event of the system brings the change without waiting for the next look", async () => {
  const clock = new ManualClock();
  const file = join(folder, "config.toml");
  const watch = watching(clock, file);
  await clock.advance(50);
  writeFileSync(file, "a");
  await watch.woken();
  expect(watch.told()).toBe(2);
  watch.stop();
});

test("a folder that is not there yet is found once it is", async () => {
  const clock = new ManualClock();
  const record = join(folder, "plugins/installed.json");
  const watch = watching(clock, record);
  await watch.look();
  mkdirSync(join(folder, "plugins"));
  writeFileSync(record, "{}");
  await watch.look();
  expect(watch.told()).toBe(2);
  watch.stop();
});

test("a change behind a link is told too", async () => {
  const clock = new ManualClock();
  const real = join(folder, "elsewhere.toml");
  const link = join(folder, "config.toml");
  writeFileSync(real, "a");
  symlinkSync(real, link);
  const watch = watching(clock, link);
  await watch.look();
  writeFileSync(`${real}.tmp`, "b");
  renameSync(`${real}.tmp`, real);
  await watch.look();
  expect(watch.told()).toBe(2);
  rmSync(real);
  await watch.look();
  expect(watch.told()).toBe(3);
  watch.stop();
});
