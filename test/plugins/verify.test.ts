import { expect, test } from "bun:test";
import { readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Verified, verifyPlugins } from "../../src/plugins/verify.ts";
import { expectRefusal } from "../expect.ts";
import { InstallLab } from "./install-lab.ts";
import { hostedManifest } from "./lab.ts";

function verdicts(all: readonly Verified[]): readonly (readonly string[])[] {
  return all.map((one) => [one.name, one.ok ? one.signature : one.error.code]);
}

test("CLI-8/verify: every installed plugin is proven from its package to its files, and nothing is left", async () => {
  using lab = new InstallLab();
  for (const name of ["notes", "slack"]) {
    lab.publish(name);
    await lab.install(name);
  }
  const before = lab.disk();
  expect(await verifyPlugins(lab.app(), undefined)).toEqual([
    { name: "notes", version: "1.0.0", ok: true, signature: "verified", reason: undefined },
    { name: "slack", version: "1.0.0", ok: true, signature: "verified", reason: undefined },
  ] as never);
  expect(lab.disk()).toEqual(before);
});

test("CLI-8/verify: whatever changes in the files is found", async () => {
  for (const tamper of [
    (dir: string) => writeFileSync(join(dir, "plugin.json"), `${readFileSync(join(dir, "plugin.json"), "utf8")} `),
    (dir: string) => writeFileSync(join(dir, "extra"), ""),
    (dir: string) => rmSync(join(dir, "plugin.json")),
    (dir: string) => symlinkSync("plugin.json", join(dir, "link")),
  ]) {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    tamper(join(lab.home.plugins.installed, "notes", "1.0.0"));
    const before = lab.disk();
    expect(verdicts(await verifyPlugins(lab.app(), "notes"))).toEqual([["notes", "installed_files_changed"]]);
    expect(lab.disk()).toEqual(before);
  }
});

test("CLI-8/verify: a plugin that leads to no version fails alone, and says where to look", async () => {
  using lab = new InstallLab();
  for (const name of ["notes", "slack"]) {
    lab.publish(name);
    await lab.install(name);
  }
  const current = join(lab.home.plugins.installed, "notes", "current");
  rmSync(current);
  symlinkSync("/etc", current);
  const [notes, slack] = await verifyPlugins(lab.app(), undefined);
  expect(notes).toMatchObject({
    ok: false,
    error: { code: "plugin_damaged", details: { plugin: "notes", path: current, reason: "it leads to no version" } },
  });
  expect(slack).toMatchObject({ ok: true });
});

test("a damaged receipt proves nothing: the record does, and without it only installing again", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  const receipt = join(lab.home.plugins.installed, "notes", ".1.0.0.json");
  writeFileSync(receipt, "{");
  expect(verdicts(await verifyPlugins(lab.app(), "notes"))).toEqual([["notes", "verified"]]);
  rmSync(lab.home.plugins.record);
  expect(verdicts(await verifyPlugins(lab.app(), "notes"))).toEqual([["notes", "installed_unproven"]]);
  expect(await lab.install("notes")).toMatchObject({ status: "installed" });
  expect(verdicts(await verifyPlugins(lab.app(), "notes"))).toEqual([["notes", "verified"]]);
});

test("a package in this binary that is not what was signed fails", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  lab.publish("notes", { signature: "bm90IGEgc2lnbmF0dXJl" });
  const [verdict] = verdicts(await verifyPlugins(lab.app(), "notes"));
  expect(verdict?.[0]).toBe("notes");
  expect(["signature_missing", "signature_invalid"]).toContain(verdict?.[1] ?? "");
});

test("INS-13/works-without: without cosign the files are proven, and the signature is said not to be", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  rmSync(lab.cosign);
  const [verdict] = await verifyPlugins(lab.app(), "notes");
  expect(verdict).toMatchObject({ ok: true, signature: "not_checked" });
  expect(verdict?.ok === true ? verdict.reason : "").toContain("cosign not found");
});

test("a version that this binary no longer carries is proven by its files", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  lab.unlist("notes");
  expect(await verifyPlugins(lab.app(), "notes")).toMatchObject([{ ok: true, signature: "not_checked" }]);
});

test("INS-14/old-keys-kept: a version signed with an earlier key is proven by a binary whose newer one has another", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  lab.publish("notes", { version: "1.1.0", publisher: lab.otherPublisher });
  expect(verdicts(await verifyPlugins(lab.app(), "notes"))).toEqual([["notes", "verified"]]);
});

test("a plugin that another program installed without a digest can't be proven", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  await lab.install("notes");
  rmSync(join(lab.home.plugins.installed, "notes", ".1.0.0.json"));
  const record = JSON.parse(readFileSync(lab.home.plugins.record, "utf8"));
  record.notes.tree_digest_v2 = undefined;
  writeFileSync(lab.home.plugins.record, JSON.stringify(record));
  expect(verdicts(await verifyPlugins(lab.app(), "notes"))).toEqual([["notes", "installed_unproven"]]);
});

test("CLI-8/verify: a hosted plugin is proven from its evidence, and fails without it", async () => {
  using lab = new InstallLab();
  lab.publish("eden", { whole: hostedManifest("eden") });
  await lab.install("eden");
  const before = lab.disk();
  expect(verdicts(await verifyPlugins(lab.app(), "eden"))).toEqual([["eden", "verified"]]);
  expect(lab.disk()).toEqual(before);
  using other = new InstallLab();
  other.publish("eden", { whole: hostedManifest("eden") });
  await other.install("eden");
  writeFileSync(join(other.home.plugins.evidence, "eden", "1.0.0", "artifact.sig"), "bm90IGEgc2lnbmF0dXJl");
  const [verdict] = await verifyPlugins(other.app(), "eden");
  expect(verdict?.ok).toBe(false);
});

test("names that lead nowhere", async () => {
  using lab = new InstallLab();
  lab.publish("notes");
  expect(await verifyPlugins(lab.app(), undefined)).toEqual([]);
  await expectRefusal(verifyPlugins(lab.app(), "../x"), "usage");
  await expectRefusal(verifyPlugins(lab.app(), "notes"), "plugin_not_installed");
  await expectRefusal(verifyPlugins(lab.app(), "nothing"), "plugin_unknown");
  expect(readdirSync(lab.folder)).toEqual(["bin"]);
});
