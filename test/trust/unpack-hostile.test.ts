/** Hostile archives are refused whole: the rule is named, and nothing of them is on disk afterwards. */
import { describe, test } from "bun:test";
import { gzipSync } from "node:zlib";
import type { ArchiveRule } from "../../src/kernel/codes/trust.ts";
import { MAX_UNPACKED_BYTES } from "../../src/trust/tar-judge.ts";
import { END, entry, file, folder, gnuLongName, MANIFEST, pax, paxRecord, tarball } from "../forge/tar.ts";
import { refuses } from "./unpacking.ts";

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
