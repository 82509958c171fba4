/** Tests of `fermix plugins enable`, `disable` and `reload`. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { disable } from "../../../src/cli/plugins/disable.ts";
import { enable } from "../../../src/cli/plugins/enable.ts";
import { reload } from "../../../src/cli/plugins/reload.ts";
import { enablePlugin } from "../../../src/plugins/enable.ts";
import { loadPlugins } from "../../../src/plugins/load.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";
import { InstallLab } from "../../plugins/install-lab.ts";
import { catalogEntry, keyManifest, noteManifest, oauthManifest, PluginLab, TRIO } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";

async function enabledNames(lab: PluginLab): Promise<readonly string[]> {
  return (await loadPlugins(lab.app)).config.plugins.enabled;
}

describe("enable", () => {
  test("an installed plugin, ready at once", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("notes"));
    expect(await answers(enable, lab.app, { name: "notes" })).toEqual({
      terminal: "enabled notes",
      piped: "enabled notes",
      json: { enabled: "notes", version: "1.0.0", installed: false, status: "ready", fix: null },
      notices: [PICKED_UP],
      exit: "ok",
    });
    expect(await enabledNames(lab)).toEqual(["notes"]);
  });

  test("a plugin that still needs something says what, and is enabled all the same", async () => {
    using lab = new PluginLab();
    lab.installed(keyManifest("slack"));
    const { json, notices } = await answers(enable, lab.app, { name: "slack" });
    const fix = "`fermix plugins auth set slack` (it asks for the value), or `--stdin` to pipe it in";
    expect(json).toEqual({ enabled: "slack", version: "1.0.0", installed: false, status: "needs_secret", fix });
    expect(notices).toEqual([`slack is needs_secret. Fix: ${fix}`, PICKED_UP]);
  });

  test("what is wrong with it, a sentence by itself, ends once", async () => {
    using lab = new PluginLab();
    lab.installed(keyManifest("slack"));
    lab.config("[fermix_core.plugin_secrets]", 'slack = "@keyring"');
    lab.keychain.trouble = { state: "unavailable", reason: "no bus" };
    const { notices } = await answers(enable, lab.app, { name: "slack" });
    expect(notices?.[0]).toMatch(/^slack is error \(The keychain [^()]*"no bus"\)\. Fix: run it in a session/);
  });

  test("an OAuth plugin records the name of its sign-in, and keeps another that was chosen", async () => {
    using lab = new PluginLab({ bundled: [oauthManifest("gmail", "google")] });
    await enable.run(lab.app, { name: "gmail" });
    expect(readFileSync(lab.home.configFile, "utf8")).toContain('auth_profile = "gmail:primary"');
    lab.enable([], "[fermix_core.plugins.gmail]", 'auth_profile = "work:primary"');
    await enable.run(lab.app, { name: "gmail" });
    expect(readFileSync(lab.home.configFile, "utf8")).toContain('auth_profile = "work:primary"');
  });

  test("INS-11/terminal-progress: what has to be installed first is shown on its way, and the line is gone at the end", async () => {
    using lab = new InstallLab();
    lab.publish("notes");
    const terminal = new FakeTerminal({ tty: true });
    const app = lab.app();
    await enable.run({ ...app, ports: { ...app.ports, terminal } }, { name: "notes" });
    for (const stage of ["Fetching", "Verifying", "Unpacking"]) expect(terminal.said).toContain(stage);
    expect(terminal.said).toEndWith("\r");
  });

  test("CLI-4/enable-installs: a plugin that only the catalog has is installed first", async () => {
    using lab = new PluginLab({ catalog: [catalogEntry("notes")] });
    const asked: string[] = [];
    const enabled = await enablePlugin(lab.app, "notes", (app, name) => {
      asked.push(name);
      expect(app).toBe(lab.app);
      lab.installed(noteManifest("notes"));
      return Promise.resolve();
    });
    expect(enabled).toMatchObject({ name: "notes", version: "1.0.0", installed: true, readiness: { status: "ready" } });
    expect(asked).toEqual(["notes"]);
    expect(await enabledNames(lab)).toEqual(["notes"]);
  });

  test("what does not install is not enabled", async () => {
    using lab = new PluginLab({ catalog: [catalogEntry("notes")] });
    const before = snapshotTree(lab.folder);
    const failing = enablePlugin(lab.app, "notes", () => Promise.reject(new Error("no network")));
    await expect(failing).rejects.toThrow("no network");
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("an unknown name, with the nearest one, and a plugin that is left out are refused and change nothing", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    lab.installed(noteManifest("later", { plugin_api: 9 }));
    const before = snapshotTree(lab.folder);
    const typo = { plugin: "gmial", suggestion: "gmail" };
    await expectRefusal(() => enable.run(lab.app, { name: "gmial" }), "plugin_unknown", typo);
    await expectRefusal(() => enable.run(lab.app, { name: "../x" }), "plugin_unknown", { plugin: "../x" });
    await expectRefusal(() => enable.run(lab.app, { name: "later" }), "incompatible");
    expect(snapshotTree(lab.folder)).toEqual(before);
  });
});

describe("disable", () => {
  test("a bundled plugin can be switched off, and keeps its settings", async () => {
    using lab = new PluginLab({ bundled: TRIO });
    lab.enable(["gmail"], "[fermix_core.plugins.gmail]", 'auth_profile = "gmail:primary"');
    expect(await answers(disable, lab.app, { name: "gmail" })).toEqual({
      terminal: "disabled gmail",
      piped: "disabled gmail",
      json: { disabled: "gmail" },
      notices: ["its files, settings and credentials stay; nothing was revoked", PICKED_UP],
      exit: "ok",
    });
    expect(await enabledNames(lab)).toEqual([]);
    expect(readFileSync(lab.home.configFile, "utf8")).toContain('auth_profile = "gmail:primary"');
  });

  test("a name that config enables and nothing provides can be switched off", async () => {
    using lab = new PluginLab();
    lab.enable(["gone"]);
    await disable.run(lab.app, { name: "gone" });
    expect(await enabledNames(lab)).toEqual([]);
  });

  test("a catalog plugin that is not here, and an unknown one, are refused and change nothing", async () => {
    using lab = new PluginLab({ catalog: [catalogEntry("notes")] });
    const before = snapshotTree(lab.folder);
    await expectRefusal(() => disable.run(lab.app, { name: "notes" }), "plugin_not_installed", { plugin: "notes" });
    await expectRefusal(() => disable.run(lab.app, { name: "mcp_x" }), "plugin_unknown", { plugin: "mcp_x" });
    expect(snapshotTree(lab.folder)).toEqual(before);
  });
});

test("reload without a daemon says that nothing needs it", async () => {
  using lab = new PluginLab();
  await expectRefusal(() => reload.run(lab.app, {}), "no_daemon", { doing: "reload" });
});
