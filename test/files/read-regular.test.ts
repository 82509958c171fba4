/** A file that somebody else wrote is read when it is a file of a sensible size, and refused before it can do harm. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reasonFor } from "../../src/files/fs-failure.ts";
import { readRegularFile, readRegularText } from "../../src/files/read-regular.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix read é "));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

/** Why it cannot be read. */
function refusal(path: string, maxBytes = 10): string | undefined {
  try {
    readRegularFile(path, maxBytes);
  } catch (cause) {
    return reasonFor(cause);
  }
  return "nothing was wrong";
}

test("at the limit it is read whole, also through a link; one byte past it is refused", () => {
  const path = join(folder, "a");
  writeFileSync(path, "0123456789");
  symlinkSync("a", join(folder, "link"));
  expect(readRegularText(path, 10)).toBe("0123456789");
  expect(readRegularText(join(folder, "link"), 10)).toBe("0123456789");
  expect(refusal(path, 9)).toBe("it is larger than such a file may be");
});

test("bytes stay as they are, and a byte order mark stays in the text", () => {
  const path = join(folder, "a");
  writeFileSync(path, Uint8Array.of(0xef, 0xbb, 0xbf, 0x61));
  expect([...readRegularFile(path, 10)]).toEqual([0xef, 0xbb, 0xbf, 0x61]);
  expect(readRegularText(path, 10)).toBe("\ufeffa");
});

test("a pipe, a device, a folder, and a name that leads nowhere or round in a circle", () => {
  const pipe = join(folder, "pipe");
  expect(Bun.spawnSync(["mkfifo", pipe]).exitCode).toBe(0);
  mkdirSync(join(folder, "dir"));
  symlinkSync("circle", join(folder, "circle"));
  writeFileSync(join(folder, "file"), "");
  expect(refusal(pipe)).toBe("it is not a regular file");
  expect(refusal("/dev/zero")).toBe("it is not a regular file");
  expect(refusal(join(folder, "dir"))).toBe("it is a folder");
  expect(refusal(join(folder, "none"))).toBe("it does not exist");
  expect(refusal(join(folder, "circle"))).toBe("its links go round in a circle");
  expect(refusal(join(folder, "file/below"))).toBe("it, or a part of its path, is not a folder");
});

test("what is no answer of the file system has no reason", () => {
  expect(reasonFor(new Error("other"))).toBeUndefined();
  expect(reasonFor("ENOENT")).toBeUndefined();
});
