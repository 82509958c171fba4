/** A file is replaced whole or not at all. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { writeAtomically } from "../../src/files/atomic-write.ts";
import { namedFailure } from "../../src/files/fs-failure.ts";
import { isFermixError } from "../../src/kernel/error.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix write é "));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const mode = (path: string): number => statSync(path).mode & 0o777;

test("writes text and bytes and leaves nothing beside them", async () => {
  const path = join(folder, "a.json");
  await writeAtomically(path, "é\n");
  expect(readFileSync(path, "utf8")).toBe("é\n");
  await writeAtomically(path, Uint8Array.of(0, 255));
  expect([...readFileSync(path)]).toEqual([0, 255]);
  expect(Object.keys(snapshotTree(folder))).toEqual(["a.json"]);
});

test("a new file is private, a replaced one keeps its mode, a named mode wins", async () => {
  const path = join(folder, "a");
  await writeAtomically(path, "1");
  expect(mode(path)).toBe(0o600);
  chmodSync(path, 0o644);
  await writeAtomically(path, "2");
  expect(mode(path)).toBe(0o644);
  await writeAtomically(path, "3", { mode: 0o600 });
  expect(mode(path)).toBe(0o600);
});

test("many at once leave one of them, whole", async () => {
  const path = join(folder, "a");
  const texts = Array.from({ length: 20 }, (_, at) => String(at).repeat(10_000));
  await Promise.all(texts.map((text) => writeAtomically(path, text)));
  expect(texts).toContain(readFileSync(path, "utf8"));
  expect(Object.keys(snapshotTree(folder))).toEqual(["a"]);
});

test("a left-over sibling of a dead process with our number is stepped over", async () => {
  const path = join(folder, "a");
  for (let n = 0; n < 200; n += 1) writeFileSync(`${path}.${process.pid}-${n}.tmp`, "");
  await writeAtomically(path, "1");
  expect(readFileSync(path, "utf8")).toBe("1");
});

test("a folder in the way is named, and nothing changes", async () => {
  const path = join(folder, "a");
  mkdirSync(join(path, "inside"), { recursive: true });
  const before = snapshotTree(folder);
  await expectRefusal(writeAtomically(path, "1"), "home_unusable", { path, reason: "it is a folder" });
  expect(snapshotTree(folder)).toEqual(before);
});

test("a file where a folder is expected is named", async () => {
  writeFileSync(join(folder, "a"), "");
  const path = join(folder, "a", "b");
  const details = { path, reason: "it, or a part of its path, is not a folder" };
  await expectRefusal(writeAtomically(path, "1"), "home_unusable", details);
});

test("every refusal of the file system that a user can mend has a name; any other passes", () => {
  const named = (code: string) => namedFailure("/p", Object.assign(new Error(code), { code }));
  for (const code of ["ENOSPC", "EDQUOT"]) expect(isFermixError(named(code), "disk_full")).toBe(true);
  for (const code of ["EACCES", "EPERM", "EROFS", "EISDIR", "ENOTDIR", "ELOOP", "ENAMETOOLONG", "EIO"]) {
    expect(isFermixError(named(code), "home_unusable")).toBe(true);
  }
  const other = Object.assign(new Error("EBADF"), { code: "EBADF" });
  expect(namedFailure("/p", other)).toBe(other);
});
