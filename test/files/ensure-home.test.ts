/** The home is there and private, or the reason is named. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ensureHome } from "../../src/files/ensure-home.ts";
import { homeAt } from "../../src/files/home.ts";
import { expectRefusal } from "../expect.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix-home-"));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const mode = (path: string): number => statSync(path).mode & 0o777;

test("it is made with mode 0700 whatever the umask, below folders that are not there yet", async () => {
  const umask = process.umask(0o777);
  process.umask(0o022);
  try {
    await ensureHome(homeAt(join(folder, "with space é", "deep")));
  } finally {
    process.umask(umask);
  }
  expect(mode(join(folder, "with space é", "deep"))).toBe(0o700);
});

test("one that exists keeps the mode its owner gave it", async () => {
  chmodSync(folder, 0o755);
  await ensureHome(homeAt(folder));
  expect(mode(folder)).toBe(0o755);
});

test("a link to a folder is a home; a file, or a link to nothing, is not", async () => {
  mkdirSync(join(folder, "real"));
  symlinkSync("real", join(folder, "link"));
  await ensureHome(homeAt(join(folder, "link")));

  const reason = "it is not a folder";
  const file = join(folder, "file");
  writeFileSync(file, "");
  await expectRefusal(ensureHome(homeAt(file)), "home_unusable", { path: file, reason });
  const dangling = join(folder, "dangling");
  symlinkSync("nowhere", dangling);
  await expectRefusal(ensureHome(homeAt(dangling)), "home_unusable", { path: dangling, reason });
});
