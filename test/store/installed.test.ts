import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { currentVersion, editInstalled, readInstalled } from "../../src/store/installed.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { entryOf, NOTES, pluginName, StoreLab, sha256, V1, V2, write } from "./store-lab.ts";

const SHA = sha256("a");

describe("reading installed.json", () => {
  test("a home without the file has nothing installed, and reading makes nothing", async () => {
    using lab = new StoreLab();
    expect(await readInstalled(lab.home)).toEqual(new Map());
    expect(snapshotTree(lab.home.root)).toEqual({});
  });

  test("an entry from before tree digests is read", async () => {
    using lab = new StoreLab();
    write(lab.home.plugins.record, JSON.stringify({ notes: { version: "1.0.0", sha256: SHA, h1: "x" } }));
    const entry = (await readInstalled(lab.home)).get(NOTES);
    expect(entry).toEqual({
      version: V1,
      sha256: SHA,
      h1: "x",
      treeDigestV2: undefined,
      pluginApi: undefined,
      minCoreVersion: undefined,
      verifiedAt: undefined,
      pinned: false,
      others: {},
    });
  });

  for (const [what, text] of [
    ["an empty file", ""],
    ["a truncated file", '{"notes": {"version": "1.0.0", '],
    ["NUL bytes", "\0\0\0\0"],
    ["a list", "[]"],
    ["null", "null"],
    ["a name written twice", `{"notes": {"version":"1.0.0","sha256":"${SHA}"}, "notes": {}}`],
    ["a path as a name", `{"../x": {"version":"1.0.0","sha256":"${SHA}"}}`],
    ["a path as a version", `{"notes": {"version":"../../x","sha256":"${SHA}"}}`],
    ["an entry without its digest", '{"notes": {"version":"1.0.0"}}'],
    ["a digest that is none", '{"notes": {"version":"1.0.0","sha256":"00"}}'],
    ["an entry that is text", '{"notes": "1.0.0"}'],
    ["a pin that is text", `{"notes": {"version":"1.0.0","sha256":"${SHA}","pinned":"yes"}}`],
  ] as const) {
    test(`INS-10/corrupt-record: ${what} is a loud error, never an empty record`, async () => {
      using lab = new StoreLab();
      write(lab.home.plugins.record, text);
      const before = snapshotTree(lab.home.root);
      const details = await expectRefusal(readInstalled(lab.home), "installed_record_corrupt");
      expect(details.path).toBe(lab.home.plugins.record);
      await expectRefusal(
        editInstalled(lab.ports, lab.home, (record) => record.clear()),
        "installed_record_corrupt",
      );
      expect(snapshotTree(lab.home.root)).toEqual(before);
    });
  }
});

describe("writing installed.json", () => {
  test("the file is sorted, pretty and has the ecosystem's keys", async () => {
    using lab = new StoreLab();
    await editInstalled(lab.ports, lab.home, (record) => {
      record.set(pluginName("zeta"), { ...entryOf(V2, "z", sha256("tree")), h1: "aa", pinned: true });
      record.set(NOTES, entryOf(V1, "n", undefined));
    });
    expect(JSON.parse(readFileSync(lab.home.plugins.record, "utf8"))).toEqual({
      notes: {
        version: "1.0.0",
        sha256: sha256("n"),
        plugin_api: 2,
        min_core_version: null,
        verified_at: "2026-01-02T03:04:05.000Z",
      },
      zeta: {
        version: "1.1.0",
        sha256: sha256("z"),
        h1: "aa",
        tree_digest_v2: sha256("tree"),
        plugin_api: 2,
        min_core_version: null,
        verified_at: "2026-01-02T03:04:05.000Z",
        pinned: true,
      },
    });
    expect(readFileSync(lab.home.plugins.record, "utf8")).toStartWith('{\n  "notes": {\n    "version"');
  });

  test("keys that a later version wrote survive", async () => {
    using lab = new StoreLab();
    write(
      lab.home.plugins.record,
      JSON.stringify({ notes: { version: "1.0.0", sha256: SHA, channel: "beta", extra: [1] } }),
    );
    await editInstalled(lab.ports, lab.home, (record) => {
      const entry = record.get(NOTES);
      if (entry !== undefined) record.set(NOTES, { ...entry, pinned: true });
    });
    const written = JSON.parse(readFileSync(lab.home.plugins.record, "utf8"));
    expect(written.notes).toMatchObject({ channel: "beta", extra: [1], pinned: true });
  });

  test("a change that changes nothing leaves the file as it is", async () => {
    using lab = new StoreLab();
    const text = `{ "notes": {"sha256": "${SHA}", "version": "1.0.0"} }`;
    write(lab.home.plugins.record, text);
    await editInstalled(lab.ports, lab.home, (record) => record.delete(pluginName("other")));
    expect(readFileSync(lab.home.plugins.record, "utf8")).toBe(text);
  });
});

describe("the live version", () => {
  for (const [what, target] of [
    ["a path out of the store", "../../../etc"],
    ["an absolute path", "/etc"],
    ["a name that is no version", "latest"],
    ["a version whose folder is not there", "9.9.9"],
  ] as const) {
    test(`a current link to ${what} makes nothing live`, async () => {
      using lab = new StoreLab();
      mkdirSync(lab.home.pluginDir(NOTES), { recursive: true });
      symlinkSync(target, join(lab.home.pluginDir(NOTES), "current"));
      expect(await currentVersion(lab.home, NOTES)).toBeUndefined();
    });
  }

  test("a version folder that is a link makes nothing live", async () => {
    using lab = new StoreLab();
    mkdirSync(lab.home.pluginDir(NOTES), { recursive: true });
    symlinkSync("/etc", lab.home.versionDir(NOTES, V1));
    symlinkSync("1.0.0", join(lab.home.pluginDir(NOTES), "current"));
    expect(await currentVersion(lab.home, NOTES)).toBeUndefined();
  });
});
