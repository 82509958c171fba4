/** Tests of plugins/doctor/plugins.ts: the one row of all plugins, and what is special about hosted and stale ones. */
import { expect, test } from "bun:test";
import { parseManifest } from "../../../src/manifest/parse.ts";
import { checkPlugins, pluginsRow } from "../../../src/plugins/doctor/plugins.ts";
import { loadPlugins } from "../../../src/plugins/load.ts";
import { hostedManifest, keyManifest, noteManifest, oauthManifest, PluginLab, write } from "../lab.ts";

const REMOTE = "(remote; runtime status unavailable, no daemon is running)";

test("a hosted plugin is marked as remote, and its live state is not guessed", async () => {
  using lab = new PluginLab();
  const secret = ["[fermix_core.plugin_secrets]", 'cloud = "token"'];
  lab.enable(["cloud"], "[fermix_core.plugins.cloud]", 'workspace_id = "w"', ...secret);
  const manifest = parseManifest(JSON.stringify(hostedManifest("cloud")));
  const { name, version } = manifest;
  const report = {
    ...(await loadPlugins(lab.app)),
    plugins: [{ name, version, origin: "installed", dir: "/", manifest }],
  };
  const checks = await checkPlugins(lab.app, report as Parameters<typeof checkPlugins>[1]);
  expect(checks.map(({ level, detail }) => [level, detail])).toEqual([["ok", `ready ${REMOTE}`]]);
  expect(pluginsRow(checks)).toEqual({
    name: "plugins",
    level: "ok",
    detail: `cloud: ready ${REMOTE}; 0 not enabled`,
    fix: "",
  });
});

test("what is on is listed, what is off is counted; the fix names each plugin that needs one", async () => {
  using lab = new PluginLab();
  lab.installed(noteManifest("notes"));
  lab.installed(keyManifest("slack"));
  lab.installed(keyManifest("off"));
  lab.enable(["notes", "slack"]);
  const set = "`fermix plugins auth set slack` (it asks for the value), or `--stdin` to pipe it in";
  expect(pluginsRow(await checkPlugins(lab.app, await loadPlugins(lab.app)))).toEqual({
    name: "plugins",
    level: "fail",
    detail: "notes: ready; slack: needs_secret; 1 not enabled",
    fix: `slack: ${set}`,
  });
});

test("the keychain is asked for the keys of all plugins at once", async () => {
  using lab = new PluginLab();
  const names = ["chat", "mail", "slack"];
  for (const name of names) {
    lab.installed(keyManifest(name));
    const upper = name.toUpperCase();
    lab.keychain.item("fermix", `PLUGIN_${upper}_${upper}_KEY`, "key");
  }
  lab.enable(names, "[fermix_core.plugin_secrets]", ...names.map((name) => `${name} = "@keyring"`));
  const checks = await checkPlugins(lab.app, await loadPlugins(lab.app));
  expect(checks.map(({ level }) => level)).toEqual(["ok", "ok", "ok"]);
  expect(lab.keychain.batches).toEqual([3]);
});

test("each plugin that needs something has a line of the fix to itself, and a sentence among the details ends as a part", async () => {
  using lab = new PluginLab();
  lab.installed(keyManifest("chat"));
  lab.installed(keyManifest("slack"));
  lab.enable(["chat", "slack"], "[fermix_core.plugin_secrets]", 'chat = "@keyring"');
  lab.keychain.trouble = { state: "unavailable", reason: "no bus" };
  const { detail, fix } = pluginsRow(await checkPlugins(lab.app, await loadPlugins(lab.app)));
  expect(detail).toMatch(/^chat: error: [^;]*"no bus"; slack: needs_secret; 0 not enabled$/);
  expect(fix.split("\n")).toEqual([
    expect.stringMatching(/^chat: run it in a session that has a keychain/),
    expect.stringMatching(/^slack: `fermix plugins auth set slack`/),
  ]);
});

test("a ready plugin whose sign-in slept is a warning with the command that wakes it", async () => {
  using lab = new PluginLab();
  lab.installed(oauthManifest("github"));
  lab.enable(["github"], "[fermix_core.oauth.github]", 'client_id = "id"', 'client_secret = "in clear"');
  const expires_at = new Date(lab.app.ports.clock.now() - 3_600_001).toISOString();
  const entry = { tokens: { access_token: "at" }, expires_at };
  write(lab.home.authFile, JSON.stringify({ version: 2, providers: { "github:primary": entry } }));
  expect(pluginsRow(await checkPlugins(lab.app, await loadPlugins(lab.app)))).toEqual({
    name: "plugins",
    level: "warn",
    detail: "github: ready: Reconnect needed; 0 not enabled",
    fix: "github: `fermix plugins auth reauthorize github`",
  });
});
