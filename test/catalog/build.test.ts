/** Building a catalog: deterministic packing, keys, versions that stay, and every source that is refused. */
import { afterAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash, generateKeyPairSync } from "node:crypto";
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { buildCatalog } from "../../scripts/catalog/build.ts";
import { checkCatalog } from "../../scripts/catalog/check.ts";
import { embeddedModuleFor } from "../../scripts/catalog/embedded-module.ts";
import { packTar } from "../../scripts/catalog/pack.ts";
import { openSigner, signedBy } from "../../scripts/catalog/sign.ts";
import { chooseVersion, findEntry } from "../../src/catalog/find.ts";
import { openCatalog } from "../../src/catalog/open.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { embeddedFolder } from "../fakes/embedded.ts";
import { writePlugin } from "../forge/catalog.ts";

const LAB = mkdtempSync(join(tmpdir(), "fermix-catalog-"));
const sources = join(LAB, "sources");
const out = join(LAB, "out");
const read = (name: string) => readFileSync(join(out, name));
const build = (more: object = {}) => buildCatalog({ sources, out, ...more });
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

beforeEach(() => {
  rmSync(sources, { recursive: true, force: true });
  rmSync(out, { recursive: true, force: true });
  writePlugin(sources, "notes");
});
afterAll(() => rmSync(LAB, { recursive: true, force: true }));

async function refused(work: Promise<unknown>): Promise<string> {
  const before = snapshotTree(LAB);
  const message = await work.then(
    () => "built",
    (error) => (error instanceof Error ? error.message : String(error)),
  );
  expect(snapshotTree(LAB)).toEqual(before);
  return message;
}

describe("packing", () => {
  test("depends on names and contents alone", async () => {
    await build();
    const first = gunzipSync(read("artifacts/notes-1.0.0.tar.gz"));
    rmSync(out, { recursive: true });
    const file = join(sources, "plugins/notes/CHANGELOG.md");
    chmodSync(file, 0o755);
    utimesSync(file, 1, 1);
    mkdirSync(join(sources, "plugins/notes/empty-folder"));
    await build();
    expect(gunzipSync(read("artifacts/notes-1.0.0.tar.gz")).equals(first)).toBe(true);
  });

  test("sorts bytewise, owns nothing, runs nothing, dates nothing", async () => {
    const files = new Map(["b", "a/b", "a.b", "a"].map((name) => [name, Buffer.from(name)]));
    const tar = await packTar(files);
    expect(tar.equals(await packTar(new Map([...files].reverse())))).toBe(true);
    const headers = [0, 1024, 2048, 3072].map((at) => tar.subarray(at, at + 512));
    const field = (header: Buffer, from: number, to: number) =>
      header.subarray(from, to).toString("latin1").replace(/\0.*$/s, "");
    expect(headers.map((header) => field(header, 0, 100))).toEqual(["a", "a.b", "a/b", "b"]);
    for (const header of headers) {
      expect([field(header, 100, 107), field(header, 108, 115), field(header, 116, 123)]).toEqual([
        "000644 ",
        "000000 ",
        "000000 ",
      ]);
      expect(field(header, 136, 147)).toBe("00000000000");
      expect([field(header, 156, 157), field(header, 257, 262), field(header, 265, 329)]).toEqual(["0", "ustar", ""]);
    }
  });

  test("leaves no time and no name in the gzip header", async () => {
    await build();
    const header = read("artifacts/notes-1.0.0.tar.gz").subarray(0, 8);
    expect([...header]).toEqual([0x1f, 0x8b, 8, 0, 0, 0, 0, 0]);
  });
});

describe("signing", () => {
  test("CASE-2 CASE-3: the signature is beside the artifact, and the digest is that of the bytes on disk", async () => {
    const { added, keyId, indexSigned } = await build();
    expect([added, indexSigned]).toEqual([["notes@1.0.0"], true]);
    const catalog = openCatalog(embeddedFolder(out));
    const [artifact] = findEntry(catalog, "notes").versions[0]?.artifacts ?? [];
    const bytes = read("artifacts/notes-1.0.0.tar.gz");
    expect(String(artifact?.sha256)).toBe(sha256(bytes));
    expect(artifact?.publisher).toEqual({ kind: "key", keyId });
    expect(
      signedBy(catalog.publishers.get(keyId) ?? "", bytes, read("artifacts/notes-1.0.0.tar.gz.sig").toString()),
    ).toBe(true);
    expect(gunzipSync(bytes).length % 512).toBe(0);
  });

  test("writes no private key anywhere, and a second run without a change signs nothing", async () => {
    await build();
    const before = snapshotTree(LAB);
    for (const name of Object.keys(before).filter((path) => !path.endsWith("/"))) {
      expect(readFileSync(join(LAB, name), "utf8")).not.toContain("PRIVATE KEY");
    }
    expect(await build()).toMatchObject({ added: [], kept: 1, indexSigned: false });
    expect(snapshotTree(LAB)).toEqual(before);
  });

  test("with a maintainer's key signs artifacts and index; a changed index is signed again", async () => {
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const key = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
    const path = join(LAB, "key.pem");
    writeFileSync(path, privateKey.export({ type: "sec1", format: "pem" }));
    const { keyId } = await build({ key });
    expect(keyId).toBe(openSigner(path).keyId);
    rmSync(path);
    expect(read("index.pub").equals(read(`publishers/${keyId}.pub`))).toBe(true);
    writePlugin(sources, "tasks");
    expect(await build({ key })).toMatchObject({ added: ["tasks@1.0.0"], kept: 1, indexSigned: true, keyId });
    expect(readdirSync(join(out, "publishers"))).toEqual([`${keyId}.pub`]);
  });

  test("refuses a key that cosign's verifiers of this catalog could not judge", async () => {
    const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey.export({ type: "pkcs8", format: "pem" });
    expect(await refused(build({ key: p384.toString() }))).toContain("must be P-256");
    // Put together here, so that nothing in the project looks like a key.
    const label = ["ENCRYPTED", "SIGSTORE", "PRIVATE", "KEY"].join(" ");
    const locked = `-----BEGIN ${label}-----\nAA\n-----END ${label}-----\n`;
    expect(await refused(build({ key: locked }))).toContain("encrypted");
  });
});

describe("versions", () => {
  test("INS-14/old-keys-kept: an old version stays listed, byte for byte, with the key that signed it", async () => {
    const first = await build();
    const before = { tar: read("artifacts/notes-1.0.0.tar.gz"), key: read(`publishers/${first.keyId}.pub`) };
    writePlugin(sources, "notes", { version: "1.1.0" });
    const second = await build();
    expect(second).toMatchObject({ added: ["notes@1.1.0"], kept: 1 });
    expect(second.keyId).not.toBe(first.keyId);
    expect(read("artifacts/notes-1.0.0.tar.gz").equals(before.tar)).toBe(true);
    expect(read(`publishers/${first.keyId}.pub`).equals(before.key)).toBe(true);
    const catalog = openCatalog(embeddedFolder(out));
    const entry = findEntry(catalog, "notes");
    expect(entry.versions.map(({ version }) => String(version))).toEqual(["1.0.0", "1.1.0"]);
    expect(String(entry.latest)).toBe("1.1.0");
    expect([...catalog.publishers.keys()].sort()).toEqual([first.keyId, second.keyId].sort());
    expect(await checkCatalog({ sources, out })).toEqual([]);
  });

  test("CASE-7: a changed source under a listed version is refused", async () => {
    await build();
    writeFileSync(join(sources, "plugins/notes/README.md"), "changed");
    expect(await refused(build())).toBe("the source of notes changed but its version is still 1.0.0: raise it");
    expect(await checkCatalog({ sources, out })).toEqual(["notes@1.0.0 packs to other bytes than its artifact"]);
  });

  test("a listed plugin without a source is refused: it is yanked instead", async () => {
    writePlugin(sources, "tasks");
    await build();
    rmSync(join(sources, "plugins/tasks"), { recursive: true });
    expect(await refused(build())).toBe("tasks is listed but has no source: yank its versions instead");
  });

  test("CAT-5/no-new-install: yanked.json withdraws a version without touching its artifact", async () => {
    await build();
    writePlugin(sources, "notes", { version: "1.1.0", files: { "yanked.json": '["1.1.0"]' } });
    await build();
    const entry = findEntry(openCatalog(embeddedFolder(out)), "notes");
    expect(String(entry.latest)).toBe("1.0.0");
    expect(entry.yanked.map(String)).toEqual(["1.1.0"]);
    await expectRefusal(() => chooseVersion(entry, "1.1.0"), "yanked");
    writeFileSync(join(sources, "plugins/notes/yanked.json"), "[]");
    expect(await build()).toMatchObject({ added: [], indexSigned: true });
    expect(String(findEntry(openCatalog(embeddedFolder(out)), "notes").latest)).toBe("1.1.0");
  });

  test("are dated by the changelog, and the catalog by its newest version", async () => {
    writePlugin(sources, "tasks", { files: { "CHANGELOG.md": "## 1.0.0 (2026-01-31)\n" } });
    await build();
    const { generatedAt, entries } = openCatalog(embeddedFolder(out));
    expect(generatedAt).toBe("2026-10-05T00:00:00Z");
    expect(entries.map(({ versions }) => versions[0]?.publishedAt)).toEqual([
      "2026-10-05T00:00:00Z",
      "2026-01-31T00:00:00Z",
    ]);
  });
});

describe("a source is refused", () => {
  const FIRST = "the catalog can't be packed:\n  ";

  test("CASE-72 CASE-73: when a tool's name would be too long for a client, at the limit and one past it", async () => {
    const tool = (name: string) => ({
      tools: [
        {
          name,
          description: "d",
          policy_class: "external_api",
          read_only: true,
          parameters: { type: "object", properties: {} },
          request: { url: "https://notes.example" },
        },
      ],
    });
    const longest = `notes_${"a".repeat(45)}`;
    writePlugin(sources, "notes", { manifest: tool(longest) });
    await build();
    rmSync(out, { recursive: true });
    writePlugin(sources, "notes", { manifest: tool(`${longest}a`) });
    expect(await refused(build())).toBe(`${FIRST}notes: tool ${longest}a has more than 51 characters`);
  });

  test("when it holds something that an artifact may not", async () => {
    writePlugin(sources, "notes", { files: { "node_modules/x/index.js": "1", Makefile: "all:" } });
    expect(await refused(build())).toBe(
      `${FIRST}notes: Makefile may not be in the artifact\n  notes: node_modules may not be in the artifact`,
    );
  });

  test("when a link or a special file is among its files", async () => {
    symlinkSync("/etc/passwd", join(sources, "plugins/notes/README.md"));
    expect(await refused(build())).toContain("README.md is not a plain file");
  });

  test("when its manifest breaks the loader's rules, with each rule", async () => {
    writePlugin(sources, "notes", { manifest: { surprise: 1, version: "1.0" } });
    const message = await refused(build());
    expect(message).toContain("surprise");
    expect(message).toContain("version");
  });

  test("when logo, dated changelog, name or skill are missing or wrong", async () => {
    writePlugin(sources, "notes", {
      manifest: { name: "other", skills: [{ name: "notes-help", path: "skills/help/SKILL.md" }] },
      files: { "CHANGELOG.md": "## 1.0.0\n", "assets/logo.svg": `<svg>${" ".repeat(16_384)}</svg>` },
    });
    const message = await refused(build());
    for (const part of [
      "is named other",
      "no dated heading for 1.0.0",
      "skills/help/SKILL.md is missing",
      "more than 16384 bytes",
    ]) {
      expect(message).toContain(part);
    }
  });

  test("when two plugins claim one tool or skill name", async () => {
    const skills = [{ name: "shared-skill", path: "skills/s/SKILL.md" }];
    const files = { "skills/s/SKILL.md": "s" };
    writePlugin(sources, "notes", { manifest: { skills }, files });
    writePlugin(sources, "tasks", { manifest: { skills }, files });
    expect(await refused(build())).toBe(`${FIRST}tasks: the skill shared-skill is also claimed by notes`);
  });

  test("unless it is packed without the lint, for catalogs that tests make hostile", async () => {
    writePlugin(sources, "notes", { manifest: { surprise: 1 } });
    expect(await build({ lint: false })).toMatchObject({ added: ["notes@1.0.0"] });
  });
});

describe("check", () => {
  test("names what is missing, altered or left over, and writes nothing", async () => {
    expect(await checkCatalog({ sources, out })).toEqual(["there is no index.json: run `bun run catalog`"]);
    const { keyId } = await build();
    expect(await checkCatalog({ sources, out })).toEqual([]);
    const artifact = join(out, "artifacts/notes-1.0.0.tar.gz");
    const bytes = read("artifacts/notes-1.0.0.tar.gz");
    const before = snapshotTree(LAB);

    rmSync(`${artifact}.sig`);
    expect(await checkCatalog({ sources, out })).toEqual([
      "notes@1.0.0: embedded:artifacts/notes-1.0.0.tar.gz.sig is missing",
    ]);
    const other = openSigner(undefined);
    writeFileSync(`${artifact}.sig`, other.sign(bytes));
    expect(await checkCatalog({ sources, out })).toEqual(["notes@1.0.0: the signature does not hold"]);
    writeFileSync(join(out, `publishers/${keyId}.pub`), other.publicPem);
    expect(await checkCatalog({ sources, out })).toEqual([`notes@1.0.0: the key ${keyId} is another key`]);
    writeFileSync(join(out, `publishers/${other.keyId}.pub`), other.publicPem);
    expect(await checkCatalog({ sources, out })).toContain(`publishers/${other.keyId}.pub signed no listed version`);
    writeFileSync(join(out, "index.json"), `${read("index.json")} `);
    expect(await checkCatalog({ sources, out })).toContain("the signature of index.json does not hold");
    expect(snapshotTree(LAB)).not.toEqual(before);
  });
});

describe("the embedded module", () => {
  const namesIn = (module: string) => [...module.matchAll(/^ {2}\["([^"]+)", String/gm)].map((match) => match[1] ?? "");

  test("of a catalog names its files by absolute path, and has the project's own trio when the catalog has none", async () => {
    const { keyId } = await build();
    const module = embeddedModuleFor(out);
    expect(namesIn(module).filter((name) => !name.startsWith("bundled/"))).toEqual([
      "artifacts/notes-1.0.0.tar.gz",
      "artifacts/notes-1.0.0.tar.gz.sig",
      "index.json",
      "index.json.sig",
      "index.pub",
      `publishers/${keyId}.pub`,
    ]);
    expect(namesIn(module)).toContain("bundled/gmail/plugin.json");
    expect(module).toContain(`from ${JSON.stringify(join(out, "index.json"))} with { type: "file" };`);
  });

  test("of a catalog with bundled plugins of its own has only those, and no sources", async () => {
    mkdirSync(join(sources, "bundled/tiny"), { recursive: true });
    writeFileSync(join(sources, "bundled/tiny/plugin.json"), "{}");
    writeFileSync(join(sources, "bundled/tiny/CHANGELOG.md"), "for people");
    await build();
    expect(namesIn(embeddedModuleFor(out)).filter((name) => name.startsWith("bundled/"))).toEqual([
      "bundled/tiny/plugin.json",
    ]);
    mkdirSync(join(out, "plugins"));
    writeFileSync(join(out, "plugins/x.json"), "{}");
    expect(namesIn(embeddedModuleFor(out)).some((name) => name.startsWith("plugins/"))).toBe(false);
  });
});
