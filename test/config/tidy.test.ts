/** What edits of config.toml that were killed left goes; what a living process is at stays. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { tidyConfig } from "../../src/config/tidy.ts";
import { withFileLock } from "../../src/files/file-lock.ts";
import { type Home, homeAt } from "../../src/files/home.ts";
import { FermixError } from "../../src/kernel/error.ts";
import { snapshotTree } from "../expect.ts";
import { FakeClock } from "../fakes/clock.ts";

/** A process number that no Linux or macOS system gives out. */
const DEAD_PID = 4_194_305;
const ports = { clock: new FakeClock() };
let folder: string;
let home: Home;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix-tidy-"));
  home = homeAt(join(folder, "home"));
  mkdirSync(home.root);
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

function litter(path: string): void {
  writeFileSync(`${path}.${DEAD_PID}-2.tmp`, 'bot_token = "half');
  writeFileSync(`${path}.lock`, `${ports.clock.now()} ${DEAD_PID}\n`);
  writeFileSync(`${path}.lock.${DEAD_PID}.new`, "");
  writeFileSync(`${path}.lock.${DEAD_PID}.stale`, "");
}

test("INS-5/no-debris unfinished writes and locks of the dead go, with a file, without one and without a home", async () => {
  litter(home.configFile);
  await tidyConfig(ports, home);
  expect(snapshotTree(home.root)).toEqual({});
  writeFileSync(home.configFile, "# mine\n");
  litter(home.configFile);
  await tidyConfig(ports, home);
  expect(Object.keys(snapshotTree(home.root))).toEqual(["config.toml"]);
  expect(readFileSync(home.configFile, "utf8")).toBe("# mine\n");
  rmSync(home.root, { recursive: true });
  await tidyConfig(ports, home);
  expect(snapshotTree(folder)).toEqual({});
});

test("they go where a link leads, and what is not Fermix's stays", async () => {
  const elsewhere = join(folder, "dotfiles");
  mkdirSync(elsewhere);
  const real = join(elsewhere, "fermix.toml");
  writeFileSync(real, "");
  symlinkSync(real, home.configFile);
  const others = ["fermix.toml.tmp", "fermix.toml.bak", "fermix.toml.1-2.tmp.mine", "other.toml.1-2.tmp"];
  for (const name of others) writeFileSync(join(elsewhere, name), "");
  litter(real);
  await tidyConfig(ports, home);
  expect(Object.keys(snapshotTree(elsewhere)).toSorted()).toEqual(["fermix.toml", ...others].toSorted());
  rmSync(real);
  await tidyConfig(ports, home);
  expect(Object.keys(snapshotTree(elsewhere)).toSorted()).toEqual(others.toSorted());
});

test("the write of one that holds the lock, and the lock that one is about to take, stay", async () => {
  const busy = () => new FermixError("config_busy", { path: home.configFile });
  const lock = `${home.configFile}.lock`;
  await withFileLock(ports, lock, { attempts: 1, everyMs: 0, staleMs: 60_000, busy }, async () => {
    writeFileSync(`${home.configFile}.${process.pid}-2.tmp`, "half");
    const before = snapshotTree(home.root);
    await tidyConfig(ports, home);
    expect(snapshotTree(home.root)).toEqual(before);
  });
  writeFileSync(`${lock}.${process.ppid}.new`, "");
  await tidyConfig(ports, home);
  expect(Object.keys(snapshotTree(home.root))).toEqual([`config.toml.lock.${process.ppid}.new`]);
});

test("a lock that names nobody is left for the next edit to tell", async () => {
  litter(home.configFile);
  writeFileSync(`${home.configFile}.lock`, "garbage");
  const before = snapshotTree(home.root);
  await tidyConfig(ports, home);
  expect(snapshotTree(home.root)).toEqual(before);
});
