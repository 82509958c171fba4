/** tree_digest_v2 against its golden vectors, and what it refuses to hash. */
import { describe, expect, test } from "bun:test";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import fc from "fast-check";
import type { Sha256 } from "../../src/kernel/names.ts";
import { digestFiles, treeDigestV2, treeHashes } from "../../src/trust/tree-digest.ts";
import { expectRefusal } from "../expect.ts";
import { withFolder } from "./stages.ts";

const EMPTY = "f136b309fa3d3c28cff180b84ac930467f9e166ac3594cd66847ff10d85ad587";
/** `a`="", `a.b`="x", `a/b`="yy", `ab`="zzz" (spec 2.3); `a` is a file and a folder at once, so only in memory. */
const ORDERED = "53e2280a85a4e58b7182a48a0fe7fa12217b4ac6c9ae512496efdfef5cae6940";

type Files = Readonly<Record<string, string | Uint8Array>>;

const inMemory = (files: Files): string =>
  digestFiles(Object.entries(files).map(([path, content]) => ({ path, content: Buffer.from(content) })));

async function onDisk(files: Files, dir: string): Promise<string> {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
  return treeDigestV2(dir);
}

/** The definition of spec 2.3, written out once more. */
function byDefinition(files: Files): string {
  const number = (value: number, bytes: 4 | 8): Buffer => {
    const buffer = Buffer.alloc(bytes);
    buffer.writeUIntBE(value, bytes - 4, 4);
    return buffer;
  };
  const parts = Object.entries(files)
    .map(([path, content]) => [Buffer.from(path.normalize("NFC")), Buffer.from(content)] as const)
    .sort(([a], [b]) => Buffer.compare(a, b))
    .flatMap(([path, content]) => [number(path.length, 4), path, number(content.length, 8), content]);
  const whole = Buffer.concat([Buffer.from("fermix-plugin-tree-v2\0"), number(Object.keys(files).length, 4), ...parts]);
  return new Bun.CryptoHasher("sha256").update(whole).digest("hex");
}

test("golden vectors", async () => {
  expect(inMemory({})).toBe(EMPTY);
  expect(inMemory({ ab: "zzz", "a/b": "yy", "a.b": "x", a: "" })).toBe(ORDERED);
  await withFolder(async (dir) => expect(String(await treeDigestV2(dir))).toBe(EMPTY));
});

test("files are sorted by whole path, bytewise, after NFC", () =>
  withFolder(async (dir) => {
    const files = { "a.b": "x", "a/b": "yy", ab: "zzz", "z/ü": "1", "\u{10000}": "2", "\uffee": "3", ".dot": "4" };
    expect(await onDisk(files, dir)).toBe(byDefinition(files));
    expect(inMemory({ "cafe\u0301": "x" })).toBe(inMemory({ "caf\u00e9": "x" }));
  }));

test("folders, modes and times do not count", () =>
  withFolder(async (dir) => {
    const before = await onDisk({ "a/b": "x" }, dir);
    mkdirSync(join(dir, "empty"));
    writeFileSync(join(dir, "a/b"), "x", { mode: 0o755 });
    expect(String(await treeDigestV2(dir))).toBe(before);
  }));

test("a name and a content never run into each other", () => {
  expect(inMemory({ ab: "c" })).not.toBe(inMemory({ a: "bc" }));
  expect(inMemory({ a: "", b: "" })).not.toBe(inMemory({ a: "b" }));
});

test("disk, memory and definition agree for any tree", async () => {
  const name = fc.stringMatching(/^[a-z0-9ü_-]{1,8}$/);
  const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => parts.map((part) => `d${part}`).join("/"));
  const files = fc.dictionary(
    path.map((stem) => `${stem}.f`),
    fc.uint8Array({ maxLength: 64 }),
    { maxKeys: 6 },
  );
  await fc.assert(
    fc.asyncProperty(files, (tree) =>
      withFolder(async (dir) => {
        const expected = byDefinition(tree);
        expect([inMemory(tree), await onDisk(tree, dir)]).toEqual([expected, expected]);
      }),
    ),
    { numRuns: 40 },
  );
});

test("a file larger than any buffer is hashed in pieces", () =>
  withFolder(async (dir) => {
    const files = { "plugin.json": "{}", big: Buffer.alloc(5_000_001, 7) };
    expect(await onDisk(files, dir)).toBe(byDefinition(files));
  }));

test("the ecosystem's first hash comes along: path and content in path order, whether names are NFC or not", () =>
  withFolder(async (dir) => {
    const sha256 = (text: string): string => new Bun.CryptoHasher("sha256").update(text).digest("hex");
    const ascii = { "b/c": "2", a: "1", "b.c": "3" };
    const digest = await onDisk(ascii, dir);
    expect(await treeHashes(dir)).toEqual({ treeDigestV2: digest as Sha256, h1: sha256("a1b.c3b/c2") });
    // Decomposed, the name sorts before "cag", composed behind it.
    const decomposed = { ...ascii, "cafe\u0301": "4", cag: "5" };
    const other = await onDisk(decomposed, dir);
    expect(await treeHashes(dir)).toEqual({ treeDigestV2: other as Sha256, h1: sha256("a1b.c3b/c2cafe\u03014cag5") });
    expect(other).toBe(byDefinition(decomposed));
  }));

test("the replacement character is a character like any other when it is there in earnest", () =>
  withFolder(async (dir) => {
    const files = { "a\ufffd": "x" };
    expect(await onDisk(files, dir)).toBe(byDefinition(files));
  }));

test("sizes around the buffer are hashed alike", async () => {
  for (const size of [1_048_575, 1_048_576, 1_048_577, 2_097_152]) {
    await withFolder(async (dir) => {
      const files = { f: Buffer.alloc(size, 3) };
      expect(await onDisk(files, dir)).toBe(byDefinition(files));
    });
  }
});

describe("refused", () => {
  test("a link, to a file or to a folder", () =>
    withFolder(async (dir) => {
      writeFileSync(join(dir, "a"), "x");
      symlinkSync("a", join(dir, "b"));
      await expectRefusal(treeDigestV2(dir), "tree_unsafe", { path: "b", reason: "is a link or a special file" });
    }));

  test("a name that is not UTF-8", () =>
    withFolder(async (dir) => {
      writeFileSync(Buffer.concat([Buffer.from(`${dir}/a`), Buffer.from([0xff])]), "x");
      await expectRefusal(treeDigestV2(dir), "tree_unsafe", {
        path: "a\u00ff",
        reason: "has a name that is not UTF-8",
      });
    }));

  test("two names that are one in NFC", async () => {
    await expectRefusal(() => inMemory({ "cafe\u0301": "x", "caf\u00e9": "x" }), "tree_unsafe");
  });

  test("a folder that is not there", async () => {
    await expectRefusal(treeDigestV2("/nonexistent/tree"), "tree_unsafe", {
      path: "/nonexistent/tree",
      reason: "is not a folder",
    });
  });
});
