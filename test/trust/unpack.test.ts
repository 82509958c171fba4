/** Hostile archives are refused whole: the rule is named, and nothing of them is on disk afterwards. */
import { describe, expect, test } from "bun:test";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import type { ArchiveRule } from "../../src/kernel/codes/trust.ts";
import { isFermixError } from "../../src/kernel/error.ts";
import type { UnpackedTree, VerifiedArtifact } from "../../src/trust/proof.ts";
import { MAX_ENTRIES, MAX_UNPACKED_BYTES } from "../../src/trust/tar-judge.ts";
import { unpackVerified } from "../../src/trust/unpack.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { END, entry, file, folder, gnuLongName, MANIFEST, pax, paxRecord, tarball } from "../forge/tar.ts";
import { offer, PLUGIN, sha256Of, VERSION, withFolder } from "./stages.ts";

/** These bytes as if their signature had been verified, which is not what is tested here. */
function assumeVerified(bytes: Uint8Array, dir: string): VerifiedArtifact {
  const path = join(dir, "artifact.tgz");
  writeFileSync(path, bytes);
  const signature = { form: "key", signature: "", keyId: "" } as const;
  const proof = { plugin: PLUGIN, version: VERSION, artifact: offer(bytes).artifact, path, bytes: bytes.byteLength };
  return { ...proof, sha256: sha256Of(bytes), signature } as VerifiedArtifact;
}

function unpack(bytes: Uint8Array, dir: string): Promise<UnpackedTree> {
  return unpackVerified(assumeVerified(bytes, dir), join(dir, "tree"));
}

async function refuses(bytes: Uint8Array, rule: ArchiveRule, shown?: string): Promise<void> {
  await withFolder(async (dir) => {
    writeFileSync(join(dir, "beside"), "untouched");
    const work = unpack(bytes, dir);
    const details = await expectRefusal(work, "archive_unsafe");
    expect({ rule: details.rule, ...(shown === undefined ? {} : { entry: details.entry }) }).toEqual({
      rule,
      ...(shown === undefined ? {} : { entry: shown }),
    });
    rmSync(join(dir, "artifact.tgz"));
    expect(Object.keys(snapshotTree(dir))).toEqual(["beside"]);
  });
}

const raw = (hex: string): Buffer => Buffer.from(hex, "hex");
const outside = "/tmp/fermix-outside";

const HOSTILE: Readonly<Record<string, readonly (readonly [what: string, bytes: Uint8Array, rule: ArchiveRule])[]>> = {
  "INS-6/traversal": [
    ["a path that climbs out", tarball(MANIFEST, file("../evil")), "traversal"],
    ["a path that climbs out from inside", tarball(MANIFEST, file("skills/../../evil")), "traversal"],
    ["a path that ends in ..", tarball(MANIFEST, folder("skills/..")), "traversal"],
    ["a folder named ..", tarball(MANIFEST, folder("../")), "traversal"],
    ["a ustar prefix that climbs out", tarball(MANIFEST, entry({ name: "evil", prefix: ".." })), "traversal"],
    ["a pax path that climbs out", tarball(MANIFEST, pax({ path: "../evil" }), file("harmless")), "traversal"],
    ["a GNU long name that climbs out", tarball(MANIFEST, gnuLongName("../evil"), file("harmless")), "traversal"],
    ["backslashes that climb out", tarball(MANIFEST, file("..\\evil")), "bad_character"],
  ],
  "INS-6/absolute": [
    ["an absolute path", tarball(MANIFEST, file(outside)), "absolute"],
    ["the root", tarball(MANIFEST, folder("/")), "absolute"],
    ["an absolute pax path", tarball(MANIFEST, pax({ path: outside }), file("harmless")), "absolute"],
    ["a drive", tarball(MANIFEST, file("C:evil")), "bad_character"],
  ],
  "INS-6/links": [
    ["a symbolic link out", tarball(MANIFEST, entry({ name: "a", type: "2", linkname: "/etc" })), "link"],
    ["a symbolic link inside", tarball(MANIFEST, entry({ name: "a", type: "2", linkname: "plugin.json" })), "link"],
    ["a hard link", tarball(MANIFEST, entry({ name: "a", type: "1", linkname: "plugin.json" })), "link"],
    [
      "a link and a file through it",
      tarball(MANIFEST, entry({ name: "a", type: "2", linkname: "/tmp" }), file("a/evil")),
      "link",
    ],
    ["a GNU long link", tarball(MANIFEST, entry({ name: "x", type: "K", content: "/etc/passwd\0" })), "link"],
    ["a pax link path", tarball(MANIFEST, pax({ linkpath: "/etc/passwd" }), file("a")), "link"],
  ],
  "INS-6/devices": [
    ["a character device", tarball(MANIFEST, entry({ name: "a", type: "3" })), "device"],
    ["a block device", tarball(MANIFEST, entry({ name: "a", type: "4" })), "device"],
    ["a fifo", tarball(MANIFEST, entry({ name: "a", type: "6" })), "device"],
  ],
  "INS-6/duplicates": [
    ["a file twice", tarball(MANIFEST, MANIFEST), "duplicate"],
    ["a file twice, once with ./", tarball(MANIFEST, file("./plugin.json")), "duplicate"],
    ["a folder twice", tarball(MANIFEST, folder("skills/"), folder("skills")), "duplicate"],
    ["the root twice", tarball(folder("./"), folder("."), MANIFEST), "duplicate"],
    ["names that differ in case", tarball(MANIFEST, file("README.md"), file("readme.md")), "case_collision"],
    ["folders that differ in case", tarball(MANIFEST, file("skills/a"), file("SKILLS/b")), "case_collision"],
    ["a sharp s and two", tarball(MANIFEST, file("straße"), file("strasse")), "case_collision"],
    ["a Kelvin sign and a k", tarball(MANIFEST, file("\u212a"), file("k")), "case_collision"],
    ["one name composed and decomposed", tarball(MANIFEST, file("caf\u00e9"), file("cafe\u0301")), "case_collision"],
    ["a file, then a folder of its name", tarball(MANIFEST, file("a"), file("a/b")), "kind_conflict"],
    ["a folder, then a file of its name", tarball(MANIFEST, file("a/b"), file("a")), "kind_conflict"],
    ["a file, then an empty folder", tarball(MANIFEST, file("a"), folder("a")), "kind_conflict"],
  ],
  "INS-6/setuid": [
    ["setuid", tarball(MANIFEST, file("bin/a", "", 0o4755)), "special_mode"],
    ["setgid", tarball(MANIFEST, file("bin/a", "", 0o2755)), "special_mode"],
    ["sticky", tarball(MANIFEST, entry({ name: "a/", type: "5", mode: 0o1777 })), "special_mode"],
  ],
  "INS-6/oversize": [
    [
      "a file that declares 100 MiB and a byte",
      tarball(entry({ name: "a", size: MAX_UNPACKED_BYTES + 1 })),
      "too_large",
    ],
    [
      "two files that are too large together",
      tarball(
        entry({ name: "a", size: 512, content: "x".repeat(512) }),
        entry({ name: "b", size: MAX_UNPACKED_BYTES }),
      ),
      "too_large",
    ],
    ["8 GiB in binary", tarball(entry({ name: "a", sizeField: raw("800000000000000200000000") })), "not_tar"],
    ["a negative size", tarball(entry({ name: "a", sizeField: raw("ffffffffffffffffffffffff") })), "not_tar"],
    ["a size that is no number", tarball(entry({ name: "a", sizeField: "12x" })), "not_tar"],
    ["a pax size", tarball(MANIFEST, pax({ size: "10000000000" }), file("a")), "bad_extension"],
    ["a folder with content", tarball(MANIFEST, entry({ name: "a/", type: "5", content: "x" })), "unknown_kind"],
    ["10 GB of nothing: GNU sparse", tarball(MANIFEST, entry({ name: "a", type: "S" })), "sparse"],
    ["10 GB of nothing: pax sparse", tarball(MANIFEST, pax({ "GNU.sparse.major": "1" }), file("a")), "sparse"],
    ["a bomb of zeros behind the end", gzipSync(Buffer.concat([MANIFEST, END, Buffer.alloc(2_000_000)])), "trailing"],
  ],
  names: [
    ["no name", tarball(MANIFEST, file("")), "empty_name"],
    ["a name that is not UTF-8", tarball(MANIFEST, file(raw("61ff62"))), "encoding"],
    ["a pax path that is not UTF-8", tarball(MANIFEST, pax(paxRecord("path", raw("61ff62"))), file("a")), "encoding"],
    ["an overlong slash", tarball(MANIFEST, file(raw("2e2ec0af61"))), "encoding"],
    ["a new line", tarball(MANIFEST, file("a\nb")), "bad_character"],
    ["an escape sequence", tarball(MANIFEST, file("a\u001b[2Jb")), "bad_character"],
    ["a NUL inside a pax path", tarball(MANIFEST, pax({ path: "a\0b" }), file("a")), "bad_character"],
    ["reversed text", tarball(MANIFEST, file("a\u202egnp.js")), "bad_character"],
    ["an alternate stream", tarball(MANIFEST, file("a:b")), "bad_character"],
    ["an empty part", tarball(MANIFEST, file("a//b")), "bad_component"],
    ["a dot inside", tarball(MANIFEST, file("a/./b")), "bad_component"],
    ["a trailing dot", tarball(MANIFEST, file("a./b")), "bad_component"],
    ["a trailing blank", tarball(MANIFEST, file("a ")), "bad_component"],
    ["only dots", tarball(MANIFEST, file("a/...")), "bad_component"],
    ["a file that is the root", tarball(MANIFEST, file(".")), "bad_component"],
    ["a file named like a folder", tarball(MANIFEST, file("a/")), "file_named_like_folder"],
    ["a part of 256 bytes", tarball(MANIFEST, pax({ path: "x".repeat(256) }), file("a")), "too_long"],
    [
      "a path of 513 bytes",
      tarball(MANIFEST, pax({ path: `${"y".repeat(250)}/${"x/".repeat(10)}${"z".repeat(242)}` }), file("a")),
      "too_long",
    ],
    ["33 levels", tarball(MANIFEST, file(`${"d/".repeat(32)}f`)), "too_long"],
  ],
  "the archive itself": [
    ["nothing at all", Buffer.alloc(0), "truncated"],
    ["text", Buffer.from("hello, I am no archive"), "not_gzip"],
    ["a plain tar", Buffer.concat([MANIFEST, END]), "not_gzip"],
    ["a cut gzip", tarball(MANIFEST).subarray(0, 60), "truncated"],
    ["a gzip with one byte changed at its end", flipLast(tarball(MANIFEST)), "not_gzip"],
    ["zeros behind the gzip", Buffer.concat([tarball(MANIFEST), Buffer.alloc(64)]), "trailing"],
    ["text behind the gzip", Buffer.concat([tarball(MANIFEST), Buffer.from("trailing")]), "not_gzip"],
    ["a second archive behind it", Buffer.concat([tarball(MANIFEST), tarball(file("evil"))]), "trailing"],
    ["an entry behind the end", gzipSync(Buffer.concat([MANIFEST, END, file("evil"), END])), "trailing"],
    [
      "an entry behind one zero block",
      gzipSync(Buffer.concat([MANIFEST, END.subarray(512), file("evil")])),
      "trailing",
    ],
    ["no end", gzipSync(MANIFEST), "truncated"],
    ["one zero block as its end", gzipSync(Buffer.concat([MANIFEST, END.subarray(512)])), "truncated"],
    ["a cut file", gzipSync(entry({ name: "a", size: 2000, content: "x" })), "truncated"],
    ["a cut header", gzipSync(MANIFEST.subarray(0, 300)), "truncated"],
    ["an empty tar", tarball(), "no_manifest"],
    ["everything in a folder", tarball(file("notes/plugin.json", "{}")), "no_manifest"],
    ["plugin.json as a folder", tarball(folder("plugin.json/")), "no_manifest"],
    ["a header without magic", tarball(entry({ name: "a", magic: "\0\0\0\0\0\0\0\0" })), "not_tar"],
    ["a wrong checksum", tarball(wrongChecksum()), "not_tar"],
    ["an unknown type", tarball(MANIFEST, entry({ name: "a", type: "Z" })), "unknown_kind"],
    ["a contiguous file", tarball(MANIFEST, entry({ name: "a", type: "7" })), "unknown_kind"],
    ["a volume label", tarball(MANIFEST, entry({ name: "a", type: "V" })), "unknown_kind"],
  ],
  "extended headers": [
    ["two in a row", tarball(MANIFEST, pax({ path: "a" }), pax({ path: "b" }), file("c")), "bad_extension"],
    ["one for nothing", tarball(MANIFEST, pax({ path: "a" })), "bad_extension"],
    ["two long names", tarball(MANIFEST, gnuLongName("a"), gnuLongName("b"), file("c")), "bad_extension"],
    ["a global path", tarball(pax({ path: "a" }, "g"), MANIFEST), "bad_extension"],
    ["a global one in the middle", tarball(MANIFEST, pax({ comment: "x" }, "g"), file("a")), "bad_extension"],
    [
      "a path twice",
      tarball(pax(Buffer.concat([paxRecord("path", "a"), paxRecord("path", "b")])), file("c")),
      "bad_extension",
    ],
    ["another character set", tarball(MANIFEST, pax({ hdrcharset: "BINARY" }), file("a")), "bad_extension"],
    ["a record longer than it says", tarball(MANIFEST, pax(Buffer.from("5 path=abc\n")), file("a")), "bad_extension"],
    ["a record shorter than it says", tarball(MANIFEST, pax(Buffer.from("99 path=abc\n")), file("a")), "bad_extension"],
    ["a record without a value", tarball(MANIFEST, pax(Buffer.from("7 path\n")), file("a")), "bad_extension"],
    ["16 KiB and a byte", tarball(MANIFEST, pax({ comment: "x".repeat(16_370) }), file("a")), "bad_extension"],
    ["an empty one", tarball(MANIFEST, pax({}), file("a")), "bad_extension"],
  ],
};

function flipLast(bytes: Buffer): Buffer {
  const at = bytes.length - 6;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

function wrongChecksum(): Buffer {
  const header = Buffer.from(MANIFEST);
  header.write("0000000", 148, "latin1");
  return header;
}

for (const [clause, cases] of Object.entries(HOSTILE)) {
  describe(`an archive is refused whole (${clause}, CASE-10)`, () => {
    for (const [what, bytes, rule] of cases) test(what, () => refuses(bytes, rule));
  });
}

test("the refusal names the entry", () =>
  refuses(tarball(MANIFEST, file("skills/../../evil")), "traversal", "skills/../../evil"));

describe("limits, at the limit and one past it", () => {
  const files = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => file(`assets/${at}`));

  test("4096 files and folders pass (INS-6/too-many)", () =>
    withFolder(async (dir) => {
      const tree = await unpack(tarball(MANIFEST, ...files(MAX_ENTRIES - 2)), dir);
      expect([tree.files.length, tree.folders]).toEqual([4095, ["assets"]]);
    }));

  test("one more does not (INS-6/too-many)", () => refuses(tarball(MANIFEST, ...files(MAX_ENTRIES - 1)), "too_many"));

  test("folders that are only implied count too (INS-6/too-many)", () => {
    const nested = Array.from({ length: MAX_ENTRIES / 2 }, (_, at) => file(`d${at}/f`));
    return refuses(tarball(MANIFEST, ...nested), "too_many");
  });

  test("100 MiB pass, and a bomb of one more byte does not, although it is small (INS-6/oversize)", async () => {
    const manifest = Buffer.from("{}");
    const bomb = (bytes: number): Buffer => tarball(file("plugin.json", manifest), file("a", Buffer.alloc(bytes)));
    await withFolder(async (dir) => {
      const tree = await unpack(bomb(MAX_UNPACKED_BYTES - manifest.length), dir);
      expect(tree.files.reduce((sum, { bytes }) => sum + bytes, 0)).toBe(104_857_600);
    });
    const small = bomb(MAX_UNPACKED_BYTES - manifest.length + 1);
    expect(small.byteLength).toBeLessThan(200_000);
    await refuses(small, "too_large");
  });

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

test("any damage to an archive is refused by name or changes nothing that is written", async () => {
  const parts = [MANIFEST, pax({ path: "skills/a" }), file("x", "hello"), gnuLongName("skills/b"), file("y", "world")];
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
    { numRuns: 150 },
  );
});
