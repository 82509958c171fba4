import { describe, expect, test } from "bun:test";
import { pinPlugin, unpinPlugin } from "../../src/plugins/pin.ts";
import { upgradeAll, upgradePlugin } from "../../src/plugins/upgrade.ts";
import { expectRefusal } from "../expect.ts";
import { InstallLab } from "./install-lab.ts";
import { httpTool, TRIO } from "./lab.ts";

const name = "notes" as never;

describe("upgrade NAME", () => {
  test("INS-8/upgrade: the catalog's latest goes live, the old version stays as a way back", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    lab.publish("notes", { version: "1.10.0" });
    expect(await upgradePlugin(lab.app(), "notes")).toEqual({
      name,
      status: "upgraded",
      from: "1.0.0",
      to: "1.10.0",
    } as never);
    expect(await lab.live("notes")).toBe("1.10.0");
    expect(lab.disk()["plugins/installed/notes/1.0.0/plugin.json"]).toBeDefined();
  });

  test("nothing newer: nothing is asked and nothing changes", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    const before = lab.disk();
    const runs = lab.processes.ran.length;
    expect(await upgradePlugin(lab.app(), "notes")).toEqual({ name, status: "up_to_date", version: "1.0.0" } as never);
    expect(lab.disk()).toEqual(before);
    expect(lab.processes.ran.length).toBe(runs);
  });

  test("an older binary does not take a version away", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { version: "2.0.0" });
    await lab.install("notes");
    using older = new InstallLab();
    older.publish("notes", { version: "1.9.0" });
    const app = { ...older.app(), home: lab.home };
    expect(await upgradePlugin(app, "notes")).toEqual({ name, status: "up_to_date", version: "2.0.0" } as never);
  });

  test("CASE-7: other bytes under the live version are installed", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { files: { "skills/a.md": "old" } });
    await lab.install("notes");
    lab.publish("notes", { files: { "skills/a.md": "republished" } });
    expect(await upgradePlugin(lab.app(), "notes")).toMatchObject({ status: "upgraded", from: "1.0.0", to: "1.0.0" });
    expect(lab.liveFile("notes", "skills/a.md")).toBe("republished");
  });

  test("CAT-5/no-upgrade: a yanked latest is refused, and one that is installed already is left alone", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    lab.publish("notes", { version: "1.1.0" });
    lab.yank("notes", "1.1.0");
    const before = lab.disk();
    await expectRefusal(upgradePlugin(lab.app(), "notes"), "yanked", { plugin: "notes", version: "1.1.0" });
    expect(lab.disk()).toEqual(before);
  });

  test("CAT-5/keeps-loading: an installed version that was yanked stays live", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    lab.yank("notes", "1.0.0");
    expect(await upgradePlugin(lab.app(), "notes")).toMatchObject({ status: "up_to_date" });
    expect(await lab.live("notes")).toBe("1.0.0");
  });

  test("names that lead nowhere", async () => {
    using lab = new InstallLab();
    lab.bundled = TRIO;
    lab.publish("notes");
    await expectRefusal(upgradePlugin(lab.app(), "notes"), "plugin_not_installed", { plugin: "notes" });
    await expectRefusal(upgradePlugin(lab.app(), "nothing"), "plugin_unknown");
    await expectRefusal(upgradePlugin(lab.app(), "../x"), "usage");
    await expectRefusal(upgradePlugin(lab.app(), "gmail"), "bundled_plugin", { plugin: "gmail", verb: "upgrade" });
    await lab.install("notes");
    lab.unlist("notes");
    await expectRefusal(upgradePlugin(lab.app(), "notes"), "not_in_catalog");
  });
});

test("upgrade alone does all: one that fails, one pinned and one unlisted do not keep the rest from it", async () => {
  using lab = new InstallLab();
  for (const plugin of ["bad", "gone", "notes", "pinned", "same"]) {
    lab.publish(plugin, { manifest: { tools: [httpTool(`${plugin}_look`)] } });
    await lab.install(plugin);
  }
  await pinPlugin(lab.app(), { name: "pinned", version: "1.0.0" });
  for (const plugin of ["bad", "notes", "pinned"]) {
    lab.publish(plugin, { version: "1.1.0", ...(plugin === "bad" ? { signature: "no signature" } : {}) });
  }
  lab.unlist("gone");
  const done = await upgradeAll(lab.app());
  expect(done.map((one) => [one.name, one.status === "failed" ? one.error.code : one.status])).toEqual([
    ["bad", "signature_missing"],
    ["gone", "not_in_catalog"],
    ["notes", "upgraded"],
    ["pinned", "pinned"],
    ["same", "up_to_date"],
  ] as never);
  expect(await lab.live("bad")).toBe("1.0.0");
  expect(await lab.live("notes")).toBe("1.1.0");
});

describe("pin", () => {
  test("INS-8/pin: upgrade skips a pinned plugin until the pin is removed", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await lab.install("notes");
    expect(await pinPlugin(lab.app(), { name: "notes", version: "1.0.0" })).toEqual({
      name,
      version: "1.0.0",
      previous: undefined,
      from: "live",
    } as never);
    lab.publish("notes", { version: "1.1.0" });
    expect(await upgradePlugin(lab.app(), "notes")).toEqual({ name, status: "pinned", version: "1.0.0" } as never);
    await expectRefusal(lab.install("notes", { version: "1.1.0" }), "plugin_pinned", {
      plugin: "notes",
      pinned: "1.0.0",
      wanted: "1.1.0",
    });
    expect(await lab.install("notes")).toMatchObject({ status: "already_installed", version: "1.0.0" });
    expect(await unpinPlugin(lab.app(), "notes")).toEqual({ name, wasPinned: true });
    expect(await unpinPlugin(lab.app(), "notes")).toEqual({ name, wasPinned: false });
    expect(await upgradePlugin(lab.app(), "notes")).toMatchObject({ status: "upgraded" });
  });

  test("a kept version goes live offline: no download, no cosign", async () => {
    using lab = new InstallLab();
    lab.publish("notes", { files: { "skills/a.md": "old" } });
    await lab.install("notes");
    lab.publish("notes", { version: "1.1.0" });
    await lab.install("notes");
    lab.unlist("notes");
    const runs = lab.processes.ran.length;
    expect(await pinPlugin(lab.app(), { name: "notes", version: "1.0.0" })).toEqual({
      name,
      version: "1.0.0",
      previous: "1.1.0",
      from: "kept",
    } as never);
    expect(lab.processes.ran.length).toBe(runs);
    expect(lab.liveFile("notes", "skills/a.md")).toBe("old");
  });

  test("a version that is not kept comes from the catalog, pinned", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    lab.publish("notes", { version: "1.1.0" });
    expect(await pinPlugin(lab.app(), { name: "notes", version: "1.0.0" })).toMatchObject({ from: "catalog" });
    expect(await upgradePlugin(lab.app(), "notes")).toMatchObject({ status: "pinned" });
  });

  test("a pin survives a reinstall", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    await pinPlugin(lab.app(), { name: "notes", version: "1.0.0" });
    await lab.install("notes", { force: true });
    lab.publish("notes", { version: "1.1.0" });
    expect(await upgradePlugin(lab.app(), "notes")).toMatchObject({ status: "pinned" });
  });

  test("what can't be pinned changes nothing", async () => {
    using lab = new InstallLab();
    lab.bundled = TRIO;
    lab.publish("notes");
    await lab.install("notes");
    const before = lab.disk();
    await expectRefusal(pinPlugin(lab.app(), { name: "notes", version: "9.9.9" }), "version_not_found");
    await expectRefusal(pinPlugin(lab.app(), { name: "notes", version: "../x" }), "usage");
    await expectRefusal(pinPlugin(lab.app(), { name: "../x", version: "1.0.0" }), "usage");
    await expectRefusal(pinPlugin(lab.app(), { name: "gmail", version: "1.0.0" }), "bundled_plugin");
    await expectRefusal(unpinPlugin(lab.app(), "slack"), "plugin_unknown");
    expect(lab.disk()).toEqual(before);
  });
});
