/** Tests of `fermix plugins list`: statuses and accounts, on a terminal, in a pipe and as JSON. */
import { expect, test } from "bun:test";
import { list } from "../../../src/cli/plugins/list.ts";
import { keyManifest, noteManifest, oauthManifest, PluginLab, TRIO, write } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

test("CLI-7/status-and-account: each plugin's status and connected account", async () => {
  using lab = new PluginLab({ bundled: [oauthManifest("gmail", "google")] });
  lab.installed(noteManifest("notes"));
  lab.installed(keyManifest("slack"));
  const entry = { tokens: { access_token: "at" }, account: { email: "ada@example.com" } };
  write(lab.home.authFile, JSON.stringify({ version: 2, providers: { "gmail:primary": entry } }));
  lab.keychain.item("fermix", "GOOGLE_OAUTH_CLIENT_SECRET", "secret");
  lab.enable(["gmail", "slack"], "[fermix_core.oauth.google]", 'client_id = "id"', 'client_secret = "@keyring"');
  const { terminal, piped, json, notices, exit } = await answers(list, lab.app, {});
  expect(terminal).toBe(
    ["gmail  ready           ada@example.com", "notes  not_configured  -", "slack  needs_secret    -"].join("\n"),
  );
  expect(piped).toBe(
    ["gmail\tready\tada@example.com", "notes\tnot_configured\t-", "slack\tneeds_secret\t-"].join("\n"),
  );
  expect(json).toEqual({
    plugins: [
      {
        name: "gmail",
        display_name: "GMAIL",
        enabled: true,
        status: "ready",
        account: "ada@example.com",
        version: "1.0.0",
        origin: "bundled",
        stale: false,
        detail: null,
        fix: null,
      },
      {
        name: "notes",
        display_name: "NOTES",
        enabled: false,
        status: "not_configured",
        account: null,
        version: "1.0.0",
        origin: "installed",
        stale: false,
        detail: null,
        fix: "`fermix plugins enable notes`",
      },
      {
        name: "slack",
        display_name: "SLACK",
        enabled: true,
        status: "needs_secret",
        account: null,
        version: "1.0.0",
        origin: "installed",
        stale: false,
        detail: null,
        fix: "`fermix plugins auth set slack` (it asks for the value), or `--stdin` to pipe it in",
      },
    ],
  });
  expect(notices).toEqual([]);
  expect(exit).toBe("ok");
});

test("no plugin at all is an empty answer", async () => {
  using lab = new PluginLab();
  expect(await answers(list, lab.app, {})).toEqual({
    terminal: "",
    piped: "",
    json: { plugins: [] },
    notices: [],
    exit: "ok",
  });
});

test("one plugin, five hundred plugins: a row each, in name order", async () => {
  using lab = new PluginLab();
  lab.installed(noteManifest("p"));
  expect((await answers(list, lab.app, {})).piped).toBe("p\tnot_configured\t-");
  for (let at = 0; at < 499; at += 1) lab.installed(noteManifest(`p${at}`));
  const rows = (await answers(list, lab.app, {})).piped.split("\n");
  expect(rows).toHaveLength(500);
  expect(rows).toEqual(rows.toSorted());
});

test("a plugin left out is a row with its status, and its reason and fix are on stderr", async () => {
  using lab = new PluginLab({ bundled: TRIO });
  lab.installed(noteManifest("later", { plugin_api: 9 }));
  lab.enable(["later", "gone"]);
  const { piped, notices, json } = await answers(list, lab.app, {});
  expect(piped.split("\n")).toEqual([
    "gmail\tnot_configured\t-",
    "gone\tnot_installed\t-",
    "google_calendar\tnot_configured\t-",
    "google_drive\tnot_configured\t-",
    "later\tincompatible\t-",
  ]);
  expect(notices).toHaveLength(1);
  expect(notices[0]).toStartWith("later does not fit this Fermix: ");
  expect(notices[0]).toEndWith(" Fix: `fermix plugins upgrade later`, or upgrade Fermix");
  expect(json).toMatchObject({
    plugins: [{}, { name: "gone", origin: null, version: null }, {}, {}, { name: "later", origin: "installed" }],
  });
});

test("what an author's folder skips is said on stderr", async () => {
  using lab = new PluginLab();
  lab.authored(noteManifest("notes"));
  write(`${lab.author}/docs/index.md`, "");
  lab.devLocal();
  const { piped, notices } = await answers(list, lab.app, {});
  expect(piped).toBe("notes\tnot_configured\t-");
  expect(notices).toEqual([`dev_local: skipped "${lab.author}/docs": it has no plugin.json`]);
});

test("a reason of several lines keeps its fix apart from the last of them", async () => {
  using lab = new PluginLab();
  lab.installed(noteManifest("bad", { surprise: 1 }));
  const { notices } = await answers(list, lab.app, {});
  const [lines] = notices.map((notice) => notice.split("\n"));
  expect(lines?.length).toBeGreaterThan(2);
  expect(lines?.at(-1)).toStartWith("Fix: ");
});

test("STA-1/list: a plugin whose sign-in has slept for more than an hour says so, with the command that connects it anew", async () => {
  using lab = new PluginLab();
  lab.installed(oauthManifest("github"));
  lab.keychain.item("fermix", "GITHUB_OAUTH_CLIENT_SECRET", "secret");
  lab.enable(["github"], "[fermix_core.oauth.github]", 'client_id = "id"', 'client_secret = "@keyring"');
  const expiring = async (ms: number) => {
    const expires_at = new Date(lab.app.ports.clock.now() - ms).toISOString();
    const entry = { tokens: { access_token: "at", refresh_token: "rt" }, expires_at };
    write(lab.home.authFile, JSON.stringify({ version: 2, providers: { "github:primary": entry } }));
    return await answers(list, lab.app, {});
  };
  const fix = "`fermix plugins auth reauthorize github`";
  const stale = await expiring(3_600_001);
  expect(stale.piped).toBe("github\tready\t-");
  expect(stale.json).toMatchObject({ plugins: [{ status: "ready", stale: true, detail: "Reconnect needed", fix }] });
  expect(stale.notices).toEqual([`Reconnect needed: github. Fix: ${fix}`]);
  const awake = await expiring(3_600_000);
  expect(awake.json).toMatchObject({ plugins: [{ status: "ready", stale: false, detail: null, fix: null }] });
  expect(awake.notices).toEqual([]);
});

test("what the status error stands for is told beside the list, with what to do", async () => {
  using lab = new PluginLab();
  lab.installed(keyManifest("slack"));
  lab.config("[fermix_core.plugins]", 'enabled = ["slack"]', "[fermix_core.plugin_secrets]", 'slack = "@keyring"');
  lab.keychain.trouble = { state: "unavailable", reason: "no bus" };
  const { piped, notices } = await answers(list, lab.app, {});
  expect(piped).toBe("slack\terror\t-");
  expect(notices).toEqual([expect.stringMatching(/^slack: The keychain .*"no bus"\. Fix: run it in a session/)]);
});
