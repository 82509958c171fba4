import { describe, expect, test } from "bun:test";
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { InstallProgress } from "../../src/plugins/install.ts";
import { uninstallPlugin } from "../../src/plugins/uninstall.ts";
import { readInstalled } from "../../src/store/installed.ts";
import { treeDigestV2 } from "../../src/trust/tree-digest.ts";
import { InstallLab } from "./install-lab.ts";
import { hostedManifest, write } from "./lab.ts";

describe("what an install leaves", () => {
  test("INS-8/install-version: the latest by default, or the version asked for; the other stays as a way back", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { files: { "skills/a.md": "one" } });
    lab.publish("notes", { version: "1.1.0", files: { "skills/a.md": "two" } });
    expect(await lab.install("notes")).toEqual({
      name: "notes",
      version: "1.1.0",
      status: "installed",
      previous: undefined,
      publisher: { kind: "key", keyId: lab.publisher.keyId },
    } as never);
    expect(lab.liveFile("notes", "skills/a.md")).toBe("two");
    expect(await lab.install("notes", { version: "1.0.0" })).toMatchObject({ status: "installed", previous: "1.1.0" });
    expect(lab.liveFile("notes", "skills/a.md")).toBe("one");
    expect(Object.keys(lab.disk()).toSorted()).toEqual([
      "plugins/installed.json",
      "plugins/installed/notes/.1.0.0.json",
      "plugins/installed/notes/.1.1.0.json",
      "plugins/installed/notes/1.0.0/plugin.json",
      "plugins/installed/notes/1.0.0/skills/a.md",
      "plugins/installed/notes/1.1.0/plugin.json",
      "plugins/installed/notes/1.1.0/skills/a.md",
      "plugins/installed/notes/current",
    ]);
    expect(lab.disk()["plugins/installed/notes/current"]).toBe("link:1.0.0");
  });

  test("the record says what was proven, with a clock in the past too", async () => {
    using lab = new InstallLab();
    await lab.clock.advance(1_000 - lab.clock.now());
    lab.publish("notes");
    await lab.install("notes");
    const dir = join(lab.home.plugins.installed, "notes", "1.0.0");
    const record = JSON.parse(readFileSync(lab.home.plugins.record, "utf8"));
    const artifact = lab.embeddedFiles()["artifacts/notes-1.0.0.tar.gz"] ?? "";
    expect(record).toEqual({
      notes: {
        version: "1.0.0",
        sha256: new Bun.CryptoHasher("sha256").update(artifact).digest("hex"),
        h1: new Bun.CryptoHasher("sha256")
          .update("plugin.json")
          .update(readFileSync(join(dir, "plugin.json")))
          .digest("hex"),
        tree_digest_v2: await treeDigestV2(dir),
        plugin_api: 2,
        min_core_version: "0.9.0",
        verified_at: "1970-01-01T00:00:01.000Z",
      },
    });
  });

  test("a hosted plugin keeps its evidence, other plugins keep none", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    lab.publish("eden", { whole: hostedManifest("eden") });
    await lab.install("notes");
    await lab.install("eden");
    const evidence = Object.keys(lab.disk()).filter((path) => path.startsWith("plugins/evidence/"));
    expect(evidence.toSorted()).toEqual([
      "plugins/evidence/eden/1.0.0/artifact.publisher.json",
      "plugins/evidence/eden/1.0.0/artifact.sha256",
      "plugins/evidence/eden/1.0.0/artifact.sig",
      "plugins/evidence/eden/1.0.0/artifact.tgz",
    ]);
  });

  test("progress goes through download, verify, unpack and activate, and each comes to its end", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { files: { "skills/a.md": "x".repeat(200_000) } });
    const events: InstallProgress[] = [];
    await lab.install("notes", { onProgress: (event) => events.push(event) });
    const stages = [...new Set(events.map(({ stage }) => stage))];
    expect(stages).toEqual(["download", "verify", "unpack", "activate"]);
    for (const stage of ["verify", "unpack", "activate"]) {
      const last = events.findLast((event) => event.stage === stage);
      expect({ stage, done: last?.done }).toEqual({ stage, done: last?.total } as never);
    }
    const fetched = events.findLast((event) => event.stage === "download")?.done;
    expect(fetched).toBe(lab.embeddedFiles()["artifacts/notes-1.0.0.tar.gz"]?.length as number);
  });
});

describe("installing what is there", () => {
  test("the same artifact is not fetched again", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    const before = lab.disk();
    const runs = lab.processes.ran.length;
    expect(await lab.install("notes")).toMatchObject({ status: "already_installed", previous: "1.0.0" });
    expect(lab.processes.ran.length).toBe(runs);
    expect(lab.disk()).toEqual(before);
  });

  test("a kept version is made live again offline, without cosign", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    lab.publish("notes", { version: "1.1.0" });
    await lab.install("notes");
    rmSync(lab.cosign);
    expect(await lab.install("notes", { version: "1.0.0" })).toMatchObject({ status: "installed", previous: "1.1.0" });
    expect(await lab.live("notes")).toBe("1.0.0");
  });

  test("--force installs it again from the package", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    const before = lab.disk();
    const runs = lab.processes.ran.length;
    expect(await lab.install("notes", { force: true })).toMatchObject({ status: "installed" });
    expect(lab.processes.ran.length).toBeGreaterThan(runs);
    expect(lab.disk()).toEqual(before);
  });

  test("CASE-7: other bytes under the same version are installed, never called up to date", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { files: { "skills/a.md": "old" } });
    await lab.install("notes");
    lab.publish("notes", { files: { "skills/a.md": "republished" } });
    expect(await lab.install("notes")).toMatchObject({ status: "installed", version: "1.0.0", previous: "1.0.0" });
    expect(lab.liveFile("notes", "skills/a.md")).toBe("republished");
    expect(Object.keys(lab.disk()).filter((path) => path.includes("replacing"))).toEqual([]);
  });

  test("CASE-8: after an uninstall and a new catalog, install brings the new files", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { files: { "skills/a.md": "old" } });
    await lab.install("notes");
    await uninstallPlugin(lab.app(), "notes");
    lab.publish("notes", { files: { "skills/a.md": "new" } });
    await lab.install("notes");
    expect(lab.liveFile("notes", "skills/a.md")).toBe("new");
  });

  test("CASE-3: the files on disk are those whose digest is recorded, and files that changed are installed again", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { files: { "skills/a.md": "signed" } });
    await lab.install("notes");
    const before = lab.disk();
    const dir = join(lab.home.plugins.installed, "notes", "1.0.0");
    for (const tamper of [
      () => writeFileSync(join(dir, "skills", "a.md"), "changed"),
      () => rmSync(join(dir, "skills"), { recursive: true }),
      () => symlinkSync("/etc/passwd", join(dir, "link")),
      () => rmSync(dir, { recursive: true }),
    ]) {
      tamper();
      expect(await lab.install("notes")).toMatchObject({ status: "installed" });
      expect(lab.disk()).toEqual(before);
    }
    const recorded = (await readInstalled(lab.home)).get("notes" as never)?.treeDigestV2;
    expect(await treeDigestV2(dir)).toBe(recorded as never);
  });
});

describe("--dry-run", () => {
  test("checks everything and leaves nothing", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    expect(await lab.install("notes", { dryRun: true })).toMatchObject({ status: "checked", previous: undefined });
    expect(lab.processes.ran.length).toBeGreaterThan(0);
    expect(lab.disk()).toEqual({});
  });

  test("of another version leaves the live one", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    lab.publish("notes", { version: "1.1.0" });
    await lab.install("notes");
    const before = lab.disk();
    expect(await lab.install("notes", { dryRun: true, version: "1.0.0" })).toMatchObject({ status: "checked" });
    expect(await lab.install("notes", { dryRun: true, force: true })).toMatchObject({ status: "checked" });
    expect(lab.disk()).toEqual(before);
  });
});

test("a mirror folder serves the bytes, and what decides is still the catalog", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  const files = lab.embeddedFiles();
  const mirror = join(lab.folder, "mirror");
  mkdirSync(mirror);
  for (const name of ["notes-1.0.0.tar.gz", "notes-1.0.0.tar.gz.sig"]) {
    writeFileSync(join(mirror, name), files[`artifacts/${name}`] ?? "");
  }
  write(lab.home.configFile, `[fermix_core.plugins]\nartifact_mirror = "file://${mirror}"\n`);
  expect(await lab.install("notes")).toMatchObject({ status: "installed" });
});
