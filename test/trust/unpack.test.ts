/** Sane archives are unpacked exactly, each limit holds, and damage never reaches the disk. */
import { describe, expect, test } from "bun:test";
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { isFermixError } from "../../src/kernel/error.ts";
import { MAX_ENTRIES, MAX_UNPACKED_BYTES } from "../../src/trust/tar-judge.ts";
import { unpackVerified } from "../../src/trust/unpack.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { END, entry, file, folder, gnuLongName, MANIFEST, pax, tarball } from "../forge/tar.ts";
import { withFolder } from "./stages.ts";
import { assumeVerified, PATIENCE_MS, refuses, unpack } from "./unpacking.ts";

describe("limits, at the limit and one past it", () => {
  const files = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => file(`assets/${at}`));

  test(
    "4096 files and folders pass (INS-6/too-many)",
    () =>
      withFolder(async (dir) => {
        const tree = await unpack(tarball(MANIFEST, ...files(MAX_ENTRIES - 2)), dir);
        expect([tree.files.length, tree.folders]).toEqual([4095, ["assets"]]);
      }),
    PATIENCE_MS,
  );

  test(
    "one more does not (INS-6/too-many)",
    () => refuses(tarball(MANIFEST, ...files(MAX_ENTRIES - 1)), "too_many"),
    PATIENCE_MS,
  );

  test(
    "folders that are only implied count too (INS-6/too-many)",
    () => {
      const nested = Array.from({ length: MAX_ENTRIES / 2 }, (_, at) => file(`d${at}/f`));
      return refuses(tarball(MANIFEST, ...nested), "too_many");
    },
    PATIENCE_MS,
  );

  test(
    "100 MiB pass, and a bomb of one more byte does not, although it is small (INS-6/oversize)",
    async () => {
      const manifest = Buffer.from("{}");
      const bomb = (bytes: number): Buffer => tarball(file("plugin.json", manifest), file("a", Buffer.alloc(bytes)));
      await withFolder(async (dir) => {
        const tree = await unpack(bomb(MAX_UNPACKED_BYTES - manifest.length), dir);
        expect(tree.files.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(104_857_600);
      });
      const small = bomb(MAX_UNPACKED_BYTES - manifest.length + 1);
      expect(small.byteLength).toBeLessThan(200_000);
      await refuses(small, "too_large");
    },
    PATIENCE_MS,
  );

  test("512 bytes of path, 255 of a part and 32 levels pass", () =>
    withFolder(async (dir) => {
      const long = `${"y".repeat(250)}/${"x/".repeat(10)}${"z".repeat(241)}`;
      const deep = `${"d/".repeat(31)}f`;
      const part = "p".repeat(255);
      const parts = [MANIFEST, pax({ path: long }), file("a"), file(deep), pax({ path: part }), file("b")];
      const tree = await unpack(tarball(...parts), dir);
      expect([Buffer.byteLength(long), tree.files.map(({ path }) => path)]).toEqual([
        512,
        ["plugin.json", long, deep, part],
      ]);
    }));
});

describe("a sane archive is unpacked", () => {
  test("with ./ before its names, folders before or after their files, and exact modes", () =>
    withFolder(async (dir) => {
      const parts = [
        folder("./"),
        file("./plugin.json", "{}", 0o600),
        folder("./skills/"),
        file("./skills/notes/SKILL.md", "# notes"),
        file("./bin/run", "#!/bin/sh\n", 0o700),
        folder("./assets/empty/"),
        folder("./assets/"),
      ];
      const umask = process.umask(0o077);
      const tree = await unpack(tarball(...parts), dir).finally(() => process.umask(umask));
      expect(tree.files).toEqual([
        { path: "plugin.json", bytes: 2, executable: false },
        { path: "skills/notes/SKILL.md", bytes: 7, executable: false },
        { path: "bin/run", bytes: 10, executable: true },
      ]);
      expect(tree.folders).toEqual(["skills", "skills/notes", "bin", "assets", "assets/empty"]);
      expect(readFileSync(join(tree.root, "skills/notes/SKILL.md"), "utf8")).toBe("# notes");
      const mode = (path: string): string => (statSync(join(tree.root, path)).mode & 0o7777).toString(8);
      expect([mode("plugin.json"), mode("bin/run"), mode("skills"), mode(".")]).toEqual(["644", "755", "755", "755"]);
    }));

  test("whether its writer is POSIX, GNU, libarchive or git", () =>
    withFolder(async (dir) => {
      const long = `skills/${"n".repeat(120)}`;
      const parts = [
        pax({ comment: "0123456789abcdef" }, "g"),
        entry({ name: "plugin.json", content: "{}", magic: "ustar  \0" }),
        pax({ path: `${long}-pax`, mtime: "1700000000.5", "LIBARCHIVE.xattr.user.x": "eA==" }),
        file("short"),
        gnuLongName(`${long}-gnu`),
        entry({ name: "short", magic: "ustar  \0" }),
        entry({ name: "SKILL.md", prefix: "skills/notes" }),
        entry({ name: "skills/old", type: "\0" }),
        entry({ name: "skills/tagebuch-ü", modeField: "0100644" }),
      ];
      const tree = await unpack(tarball(...parts), dir);
      expect(tree.files.map(({ path }) => path)).toEqual([
        "plugin.json",
        `${long}-pax`,
        `${long}-gnu`,
        "skills/notes/SKILL.md",
        "skills/old",
        "skills/tagebuch-ü",
      ]);
    }));

  test("in whatever pieces it arrives: content is the same for every size of file", () =>
    withFolder(async (dir) => {
      const sizes = [0, 1, 511, 512, 513, 1_048_575, 1_048_576, 3_000_001];
      const contents = sizes.map((size) => Buffer.alloc(size, size % 251));
      const tree = await unpack(tarball(MANIFEST, ...contents.map((bytes, at) => file(`f${at}`, bytes))), dir);
      for (const [at, bytes] of contents.entries())
        expect(readFileSync(join(tree.root, `f${at}`)).equals(bytes)).toBe(true);
    }));
});

test("bytes that changed since they were verified are refused", () =>
  withFolder(async (dir) => {
    const verified = assumeVerified(tarball(MANIFEST), dir);
    writeFileSync(verified.path, tarball(MANIFEST, file("evil")));
    const work = unpackVerified(verified, join(dir, "tree"));
    expect((await expectRefusal(work, "archive_unsafe")).rule).toBe("changed");
    expect(Object.keys(snapshotTree(dir))).toEqual(["artifact.tgz"]);
  }));

test(
  "any damage to an archive is refused by name or changes nothing that is written",
  async () => {
    const parts = [
      MANIFEST,
      pax({ path: "skills/a" }),
      file("x", "hello"),
      gnuLongName("skills/b"),
      file("y", "world"),
    ];
    const tar = Buffer.concat([...parts, END]);
    await fc.assert(
      fc.asyncProperty(fc.nat(tar.length - 1), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const damaged = Buffer.from(tar);
        damaged.writeUInt8(damaged.readUInt8(at) ^ flip, at);
        await withFolder(async (dir) => {
          try {
            const tree = await unpack(gzipSync(damaged), dir);
            for (const { path } of tree.files) expect(join(tree.root, path).startsWith(`${tree.root}/`)).toBe(true);
          } catch (error) {
            if (!isFermixError(error, "archive_unsafe")) throw error;
            expect(Object.keys(snapshotTree(dir))).toEqual(["artifact.tgz"]);
          }
        });
      }),
      { numRuns: 60 },
    );
  },
  PATIENCE_MS,
);
