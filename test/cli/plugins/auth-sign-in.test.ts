/** Tests of `fermix plugins auth status`, `logout`, `refresh` and of what `login` refuses: what they say on every surface. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, readFileSync, rmSync } from "node:fs";
import { login } from "../../../src/cli/plugins/auth/login.ts";
import { logout } from "../../../src/cli/plugins/auth/logout.ts";
import { refresh } from "../../../src/cli/plugins/auth/refresh.ts";
import { status } from "../../../src/cli/plugins/auth/status.ts";
import { FermixError } from "../../../src/kernel/error.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { FakeTerminal } from "../../fakes/terminal.ts";
import { placeSignIn, type SignInGiven } from "../../lab/auth-file.ts";
import { keyManifest, noteManifest, oauthManifest, PluginLab, write } from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";
const HOUR_S = 3600;

let lab: PluginLab;
beforeEach(() => {
  lab = new PluginLab();
});
afterEach(() => lab[Symbol.dispose]());

const place = (profile: string, given: SignInGiven = {}): void =>
  placeSignIn(lab.home.root, profile, given, lab.app.ports.clock.now());
const statusOf = async (name?: string) => await answers(status, lab.app, { name });
const rows = async (name?: string) => ((await statusOf(name)).json as { plugins: readonly unknown[] }).plugins;

const ROW = { account: null, auth: "oauth2", source: null, expires_at: null, stale: false, fix: null, installed: true };

describe("status of a sign-in", () => {
  beforeEach(() => lab.installed(oauthManifest("github")));

  test("is missing before there is one, with the command that makes it", async () => {
    expect(await statusOf()).toEqual({
      terminal: "github  missing  -",
      piped: "github\tmissing\t-",
      json: {
        plugins: [
          {
            ...ROW,
            plugin: "github",
            auth_profile: "github:primary",
            status: "missing",
            fix: "`fermix plugins auth login github` (or connect it on the setup page)",
          },
        ],
      },
      notices: ["github is not connected. Fix: `fermix plugins auth login github` (or connect it on the setup page)"],
      exit: "ok",
    });
  });

  test("is ready, with its account, its end and no token in any of it", async () => {
    place("github:primary", { provider: "github", account: { email: "ada@example.org" } });
    const said = await statusOf("github");
    const ends = new Date(lab.app.ports.clock.now() + HOUR_S * 1000).toISOString();
    expect(said).toEqual({
      terminal: "github  ready  ada@example.org",
      piped: "github\tready\tada@example.org",
      json: {
        plugins: [
          {
            ...ROW,
            plugin: "github",
            auth_profile: "github:primary",
            status: "ready",
            account: "ada@example.org",
            expires_at: ends,
          },
        ],
      },
      notices: [],
      exit: "ok",
    });
    expect(JSON.stringify(said)).not.toContain("token-1");
  });

  test("STA-1: one that nobody has used for more than an hour after its end is marked, at an hour it is not", async () => {
    place("github:primary", { endsInSeconds: -HOUR_S });
    expect((await statusOf()).notices).toEqual([]);
    place("github:primary", { endsInSeconds: -HOUR_S - 1 });
    const said = await statusOf();
    expect(said.piped).toBe("github\tready\t-");
    expect(said.json).toMatchObject({ plugins: [{ status: "ready", stale: true }] });
    expect(said.notices).toEqual(["Reconnect needed: github. Fix: `fermix plugins auth reauthorize github`"]);
  });

  const standings: readonly (readonly [SignInGiven, string, string | undefined])[] = [
    [{ status: "reauthorization_required" }, "reauthorization_required", undefined],
    [{ status: "invalidated" }, "reauthorization_required", undefined],
    [{ status: "wrong_region" }, "error", "the account belongs to another region"],
    [{ more: { tokens: {} } }, "error", "its entry in auth.json has no access token"],
    [{ provider: "google" }, "error", 'it is a sign-in with "google", not with "github"'],
    [
      { more: { auth_mode: "chatgpt" } },
      "error",
      'it is a sign-in of the kind "chatgpt", which is not one of a plugin',
    ],
  ];
  test.each([...standings])("%j is %s", async (given, is, reason) => {
    place("github:primary", given);
    // As list and the agent say it (RDY-2): beside other rows, a reason alone has nothing that it is the reason of.
    const unusable = `plugin auth unavailable: the sign-in "github:primary" can't be used: ${reason}.`;
    const error = reason === undefined ? undefined : unusable;
    const [row] = await rows();
    expect(row).toMatchObject({
      status: is,
      fix: "`fermix plugins auth reauthorize github`",
      ...(error ? { error } : {}),
    });
    if (error !== undefined) expect(row).not.toHaveProperty("account");
  });

  test("AUTH-8/refused-client of a client that the provider refused is told apart, with the verb that corrects it", async () => {
    place("github:primary", { status: "client_rejected" });
    expect(await rows()).toMatchObject([
      {
        status: "client_rejected",
        error: expect.stringContaining("github refused Fermix's OAuth client"),
        fix: expect.stringContaining("`fermix auth client github --id ID`"),
      },
    ]);
  });

  test("of a file that cannot be used is an error of the file, with its own fix", async () => {
    place("github:primary");
    chmodSync(lab.home.authFile, 0o644);
    expect(await rows()).toMatchObject([
      { status: "error", error: expect.stringContaining("mode 0o644"), fix: expect.stringContaining("chmod 600") },
    ]);
  });

  test("follows the profile that the settings name", async () => {
    lab.enable(["github"], "[fermix_core.plugins.github]", 'auth_profile = "work"');
    place("work");
    expect(await rows()).toMatchObject([{ auth_profile: "work", status: "ready" }]);
  });
});

describe("status of a key", () => {
  beforeEach(() => {
    lab.installed(keyManifest("slack"));
    lab.keychain.item("fermix", "PLUGIN_SLACK_SLACK_KEY").item("fermix", "SLACK_KEY");
  });
  const KEY_ROW = {
    auth: "api_key",
    auth_profile: null,
    plugin: "slack",
    account: null,
    expires_at: null,
    stale: false,
    installed: true,
  };

  test("is missing with the command that sets it, and says where it comes from once it is there", async () => {
    expect(await rows()).toEqual([
      {
        ...KEY_ROW,
        status: "missing",
        source: null,
        fix: "`fermix plugins auth set slack` (it asks for the value), or `--stdin` to pipe it in",
      },
    ]);
    lab.config("[fermix_core.plugin_secrets]", 'slack = "in-clear-key"');
    expect(await rows()).toEqual([{ ...KEY_ROW, status: "ready", source: "config", fix: null }]);
    lab.config("[fermix_core.plugin_secrets]", 'slack = "@keyring"');
    expect(await rows()).toMatchObject([{ status: "missing", source: "keychain" }]);
    lab.keychain.item("fermix", "PLUGIN_SLACK_SLACK_KEY", "stored-key");
    expect((await statusOf()).piped).toBe("slack\tready\tkeychain");
    write(`${lab.home.root}/key`, "filed-key\n");
    lab.variables.set("FERMIX_PLUGIN_KEY_SLACK_FILE", `${lab.home.root}/key`);
    expect((await statusOf()).piped).toBe("slack\tready\tfile");
    lab.variables.set("FERMIX_PLUGIN_KEY_SLACK", "given-key");
    const said = await statusOf();
    expect(said.piped).toBe("slack\tready\tenvironment");
    expect(JSON.stringify(said)).not.toMatch(/(given|filed|stored|in-clear)-key/);
  });

  test("that the keychain does not give is an error with what helps", async () => {
    lab.config("[fermix_core.plugin_secrets]", 'slack = "@keyring"');
    lab.keychain.trouble = { state: "locked" };
    expect(await rows()).toMatchObject([
      { status: "error", source: "keychain", error: expect.stringContaining("locked") },
    ]);
  });
});

describe("status of a plugin that is not installed", () => {
  const SLACK = "fermix/PLUGIN_SLACK_SLACK_BOT_TOKEN";
  const INSTALL = "slack is in the catalog but not installed. Fix: `fermix plugins install slack`";
  const say = async (name?: string) => {
    const { embeddedFiles } = await import("../../../src/system/embedded.ts");
    return await answers(status, { ...lab.app, ports: { ...lab.app.ports, embedded: embeddedFiles } }, { name });
  };

  test("tells of a key that was set before the install, by its name and in the list, and what is to be done next", async () => {
    lab.config("[fermix_core.plugin_secrets]", 'slack = "@keyring"');
    lab.keychain.item("fermix", SLACK.slice("fermix/".length), "stored-key");
    const said = await say("slack");
    expect(said).toMatchObject({ piped: "slack\tready\tkeychain", notices: [INSTALL], exit: "ok" });
    expect(said.json).toMatchObject({ plugins: [{ plugin: "slack", status: "ready", installed: false, fix: null }] });
    expect((await say()).piped.split("\n")).toContain("slack\tready\tkeychain");
    expect(JSON.stringify(said)).not.toContain("stored-key");
  });

  test("tells of a sign-in that an uninstall left, and lists nothing of plugins that have no credential here", async () => {
    place("github:primary", { provider: "github", account: { email: "ada@example.org" } });
    expect((await say()).piped.split("\n").filter((row) => !/^(gmail|google_)/.test(row))).toEqual([
      "github\tready\tada@example.org",
    ]);
    expect((await say("slack")).notices).toEqual([
      "slack is not connected. Fix: `fermix plugins auth set slack` (it asks for the value), or `--stdin` to pipe it in",
      INSTALL,
    ]);
    await expectRefusal(() => say("nobodys"), "plugin_unknown");
  });
});

describe("status", () => {
  test("names every plugin that needs a credential, and one without only when it is asked for", async () => {
    lab.installed(oauthManifest("github"));
    lab.installed(noteManifest("notes"));
    expect(await rows()).toMatchObject([{ plugin: "github" }]);
    expect(await rows("notes")).toEqual([
      { ...ROW, auth: "none", auth_profile: null, plugin: "notes", status: "none" },
    ]);
    await expectRefusal(statusOf("nots"), "plugin_unknown", { plugin: "nots", suggestion: "notes" });
  });
});

describe("logout", () => {
  const out = async (name: string) => await answers(logout, lab.app, { name });

  test("has nothing to do in a home that is not there, and does not make it", async () => {
    using lab = new PluginLab({ bundled: [oauthManifest("mail")] });
    rmSync(lab.home.root, { recursive: true });
    const before = snapshotTree(lab.folder);
    expect(await answers(logout, lab.app, { name: "mail" })).toMatchObject({
      piped: "mail was not signed in",
      json: { changed: false },
      exit: "ok",
    });
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("says what it did, what it did not, and who else is concerned", async () => {
    lab.installed(oauthManifest("github"));
    lab.installed(oauthManifest("gists", "github"));
    lab.enable(["github"], "[fermix_core.plugins.gists]", 'auth_profile = "github:primary"');
    place("github:primary");
    expect(await out("github")).toEqual({
      terminal: "logged out github",
      piped: "logged out github",
      json: { plugin: "github", logged_out: true, changed: true, revoked: false },
      notices: [
        "this removed the sign-in from this machine and revoked nothing: take the access back at https://github.com/settings/applications",
        "github is as enabled as before; `fermix plugins disable github` switches it off",
        "gists used the same sign-in and lost it too",
        PICKED_UP,
      ],
      exit: "ok",
    });
    expect(JSON.parse(readFileSync(lab.home.authFile, "utf8")).providers).toEqual({});
    expect(await out("github")).toMatchObject({ piped: "github was not signed in", notices: [PICKED_UP] });
  });

  test("takes out what an uninstalled plugin left, and touches nothing for a name that was never one", async () => {
    place("gone:primary");
    place("github:primary");
    expect(await out("gone")).toMatchObject({ piped: "logged out gone" });
    const before = snapshotTree(lab.home.root);
    await expectRefusal(out("gone"), "plugin_unknown");
    await expectRefusal(out("../github"), "plugin_unknown");
    expect(snapshotTree(lab.home.root)).toEqual(before);
  });

  test("of a plugin with a key points at the verb that clears it", async () => {
    lab.installed(keyManifest("slack"));
    await expectRefusal(out("slack"), "auth_not_required", { plugin: "slack", type: "api_key" });
  });
});

describe("refresh", () => {
  const again = async (name: string) => await answers(refresh, lab.app, { name });

  test("of a sign-in without a refresh token says that there is nothing to refresh, and keeps it", async () => {
    lab.installed(oauthManifest("github"));
    place("github:primary", { refreshToken: null, endsInSeconds: null });
    const before = snapshotTree(lab.home.root);
    await expectRefusal(again("github"), "no_refresh_token", { plugin: "github" });
    expect(snapshotTree(lab.home.root)).toEqual(before);
  });

  test("without a sign-in, or with one that has ended, names what to do", async () => {
    lab.installed(oauthManifest("github"));
    const off = await expectRefusal(again("github"), "not_connected", { plugin: "github", enabled: false });
    const { message } = new FermixError("not_connected", off);
    expect(message).toBe("github is not connected. Run `fermix plugins auth login github`.");
    lab.enable(["github"]);
    await expectRefusal(again("github"), "not_connected", { plugin: "github" });
    place("github:primary", { status: "invalidated" });
    await expectRefusal(again("github"), "reauthorization_required", { plugin: "github" });
  });
});

describe("login", () => {
  const inTo = async (name: string, more: { port?: string; timeout?: string } = {}) =>
    await answers(
      login,
      { ...lab.app, ports: { ...lab.app.ports, terminal: new FakeTerminal() } },
      {
        name,
        account: undefined,
        "no-browser": true,
        port: undefined,
        timeout: undefined,
        ...more,
      },
    );

  test("refuses a port and a time that are none, at the limit and one past it, before anything else", async () => {
    lab.installed(oauthManifest("github"));
    for (const port of ["0", "65536", "-1", "1e3", "0x10", "", "80 80"])
      await expectRefusal(inTo("github", { port }), "usage");
    for (const timeout of ["0", "3601", "soon", "1.5"]) await expectRefusal(inTo("github", { timeout }), "usage");
    const details = { provider: "GitHub", id: "github" };
    for (const fine of [{ port: "1" }, { port: "65535" }, { timeout: "1" }, { timeout: "3600" }]) {
      await expectRefusal(inTo("github", fine), "login_client_missing", details);
    }
  });

  test("with a provider that Fermix does not know is refused by its name", async () => {
    lab.installed(oauthManifest("notes", "elsewhere"));
    await expectRefusal(inTo("notes"), "login_provider_unknown", { plugin: "notes", provider: "elsewhere" });
  });

  test("when auth.json could not take it, nobody is sent to a browser", async () => {
    lab.installed(oauthManifest("github"));
    lab.keychain.item("fermix", "GITHUB_OAUTH_CLIENT_SECRET", "secret");
    lab.config("[fermix_core.oauth.github]", 'client_id = "id"', 'client_secret = "@keyring"');
    place("github:primary");
    chmodSync(lab.home.authFile, 0o640);
    await expectRefusal(inTo("github"), "auth_file_exposed");
  });
});
