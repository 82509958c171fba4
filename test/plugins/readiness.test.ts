/** Tests of plugins/readiness.ts: every status is reached, carries its fix, and leaves when it is mended. */
import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { listPlugins } from "../../src/plugins/list.ts";
import { loadPlugins } from "../../src/plugins/load.ts";
import { fixFor, type Readiness, readinessOf, readinessOfName } from "../../src/plugins/readiness.ts";
import {
  hostedManifest,
  type Json,
  keyManifest,
  localManifest,
  noteManifest,
  oauthManifest,
  PluginLab,
  write,
} from "./lab.ts";

async function standing(lab: PluginLab, name: string): Promise<Readiness> {
  return await readinessOfName(lab.app, await loadPlugins(lab.app), name);
}

function signedIn(lab: PluginLab, profile: string, more: Json = {}): void {
  const entry = { auth_mode: "oauth2", tokens: { access_token: "at" }, ...more };
  writeAuthFile(lab, JSON.stringify({ version: 2, providers: { [profile]: entry } }));
}

function writeAuthFile(lab: PluginLab, text: string): void {
  write(lab.home.authFile, text);
  chmodSync(lab.home.authFile, 0o600);
}

/** Its keychain holds the secret of the client below. */
function labWithClient(): PluginLab {
  const lab = new PluginLab();
  lab.keychain.item("fermix", "GITHUB_OAUTH_CLIENT_SECRET", "secret");
  return lab;
}

const CLIENT = ["[fermix_core.oauth.github]", 'client_id = "id"', 'client_secret = "@keyring"'];

describe("a plugin without credentials", () => {
  test("RDY-3/none-ready: ready once it is enabled and its required config is set", async () => {
    using lab = new PluginLab();
    const config = [
      { key: "FOLDER", prompt: "Folder", required: true },
      { key: "HINT", prompt: "Hint" },
    ];
    lab.installed(noteManifest("notes", { config }));
    expect(await standing(lab, "notes")).toEqual({ status: "not_configured" });
    lab.enable(["notes"]);
    expect(await standing(lab, "notes")).toEqual({ status: "needs_config", key: "FOLDER" });
    lab.enable(["notes"], "[fermix_core.plugins.notes]", 'FOLDER = "/notes"');
    expect(await standing(lab, "notes")).toEqual({ status: "ready" });
  });

  test("`enabled = false` in its own table switches it off although it is listed", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("notes"));
    lab.enable(["notes"], "[fermix_core.plugins.notes]", "enabled = false");
    expect(await standing(lab, "notes")).toEqual({ status: "not_configured" });
  });

  test("CASE-13: a value that is blank, or still holds a placeholder, is as good as unset", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("notes", { config: [{ key: "FOLDER", prompt: "Folder", required: true }] }));
    for (const value of ["", "  ", "$" + "{user_config.folder}", "/x/$" + "{HOME}"]) {
      lab.enable(["notes"], "[fermix_core.plugins.notes]", `FOLDER = ${JSON.stringify(value)}`);
      expect(await standing(lab, "notes")).toEqual({ status: "needs_config", key: "FOLDER" });
    }
  });
});

describe("a plugin with a local process", () => {
  const manifest = localManifest("files", { min_version: "20" });

  test("missing_host_runtime comes before missing config, with what was wanted and where it was looked for", async () => {
    using lab = new PluginLab();
    lab.installed({ ...manifest, config: [{ key: "FOLDER", prompt: "Folder", required: true }] });
    lab.enable(["files"]);
    expect(await standing(lab, "files")).toEqual({
      status: "missing_host_runtime",
      wanted: "node >=20",
      lookedIn: [`${lab.folder}/bin`],
    });
    lab.program("node", "v20.1.0\n");
    expect(await standing(lab, "files")).toEqual({ status: "needs_config", key: "FOLDER" });
  });

  test("a runtime that is too old is named with its version", async () => {
    using lab = new PluginLab();
    lab.installed(manifest);
    lab.enable(["files"]);
    lab.program("node", "v18.20.4\n");
    expect(await standing(lab, "files")).toEqual({
      status: "missing_host_runtime",
      wanted: "node >=20",
      lookedIn: [`${lab.folder}/bin`],
      found: `${lab.folder}/bin/node 18.20.4`,
    });
  });

  test("CASE-14: one missing runtime leaves the other plugins as they were, and none is probed while it is off", async () => {
    using lab = new PluginLab();
    lab.installed(manifest);
    lab.installed(localManifest("off", { command: "python3", kind: "python" }));
    lab.installed(noteManifest("notes"));
    lab.enable(["files", "notes"]);
    const report = await loadPlugins(lab.app);
    const statuses: string[] = [];
    for (const plugin of report.plugins) statuses.push((await readinessOf(lab.app, report.config, plugin)).status);
    expect(statuses).toEqual(["missing_host_runtime", "ready", "not_configured"]);
    expect(lab.ran).toEqual([]);
  });

  test("a process behind a switch needs its runtime only while the switch is on", async () => {
    using lab = new PluginLab();
    lab.installed({
      ...localManifest("files", { requires_setting: "ALLOW" }),
      config: [{ key: "ALLOW", prompt: "Allow", kind: "boolean" }],
    });
    lab.enable(["files"]);
    expect(await standing(lab, "files")).toEqual({ status: "ready" });
    lab.enable(["files"], "[fermix_core.plugins.files]", "ALLOW = true");
    expect((await standing(lab, "files")).status).toBe("missing_host_runtime");
  });
});

describe("a plugin with an API key", () => {
  const OWN = "PLUGIN_SLACK_SLACK_KEY";
  const SENTINEL = ["[fermix_core.plugin_secrets]", 'slack = "@keyring"'];

  test("needs_secret until there is a value: in the keychain behind the sentinel, in config.toml, or in a variable", async () => {
    using lab = new PluginLab();
    lab.installed(keyManifest("slack"));
    lab.enable(["slack"]);
    expect(await standing(lab, "slack")).toEqual({ status: "needs_secret" });
    lab.enable(["slack"], "[fermix_core.plugin_secrets]", 'slack = "a value of the ecosystem\'s older homes"');
    expect(await standing(lab, "slack")).toEqual({ status: "ready" });
    expect(lab.keychain.asked).toEqual([]);
    lab.enable(["slack"], ...SENTINEL);
    lab.keychain.item("fermix", OWN).item("fermix", "SLACK_KEY");
    expect(await standing(lab, "slack")).toEqual({ status: "needs_secret" });
    lab.keychain.item("fermix", "SLACK_KEY", "xoxb");
    expect(await standing(lab, "slack")).toEqual({ status: "ready" });
    lab.enable(["slack"]);
    lab.variables.set("FERMIX_PLUGIN_KEY_SLACK", "xoxb");
    expect(await standing(lab, "slack")).toEqual({ status: "ready" });
    lab.variables.set("FERMIX_PLUGIN_KEY_SLACK", "xo\nxb");
    expect((await standing(lab, "slack")).status).toBe("error");
  });

  test("a keychain that cannot be read is an error with the named failure, never a missing key", async () => {
    using lab = new PluginLab();
    lab.installed(keyManifest("slack"));
    lab.enable(["slack"], ...SENTINEL);
    lab.keychain.trouble = { state: "locked" };
    const readiness = await standing(lab, "slack");
    if (readiness.status !== "error") throw new Error(readiness.status);
    expect(readiness.reason).toBe(`The keychain is locked, so ${OWN} could not be read.`);
    expect(readiness.error?.code).toBe("keychain_locked");
    expect(fixFor("slack", readiness)).toBe(readiness.error?.fix ?? "");
  });

  test("the keychain is asked for enabled plugins whose config holds the sentinel, once for each in a listing", async () => {
    using lab = new PluginLab();
    for (const name of ["slack", "off", "plain"]) lab.installed(keyManifest(name));
    lab.installed(noteManifest("notes"));
    lab.enable(["slack", "plain", "notes"], ...SENTINEL, 'off = "@keyring"', 'plain = "value"', 'notes = "@keyring"');
    lab.keychain.item("fermix", OWN, "xoxb");
    const report = await loadPlugins(lab.app);
    for (const name of ["slack", "off", "plain", "notes", "slack"]) await readinessOfName(lab.app, report, name);
    expect(lab.keychain.asked).toEqual([[`fermix/${OWN}`, "fermix/SLACK_KEY"]]);
  });

  test("a keychain that hangs is waited for once, not once for each plugin", async () => {
    using lab = new PluginLab();
    for (const name of ["slack", "discord"]) lab.installed(keyManifest(name));
    lab.enable(["slack", "discord"], ...SENTINEL, 'discord = "@keyring"');
    lab.keychain.trouble = { state: "timed_out", afterMs: 3000 };
    const { rows } = await listPlugins(lab.app);
    const codes = rows.map(({ readiness }) =>
      readiness.status === "error" ? readiness.error?.code : readiness.status,
    );
    expect(codes).toEqual(["keychain_timed_out", "keychain_timed_out"]);
    expect(lab.keychain.asked.length).toBe(1);
  });
});

describe("a plugin with OAuth", () => {
  test("needs_client_config, then needs_auth, then ready, then reauthorization_required", async () => {
    using lab = labWithClient();
    lab.installed(oauthManifest("github"));
    lab.enable(["github"], "[fermix_core.oauth.github]", 'client_id = "id"', 'client_secret = " "');
    expect(await standing(lab, "github")).toEqual({ status: "needs_client_config", provider: "github" });
    lab.enable(["github"], "[fermix_core.oauth.github]", 'client_id = " "', 'client_secret = "@keyring"');
    expect(await standing(lab, "github")).toEqual({ status: "needs_client_config", provider: "github" });
    lab.enable(["github"], ...CLIENT);
    expect(await standing(lab, "github")).toEqual({ status: "needs_auth" });
    signedIn(lab, "github:primary");
    expect(await standing(lab, "github")).toEqual({ status: "ready" });
    for (const status of ["reauthorization_required", "invalidated"]) {
      signedIn(lab, "github:primary", { status });
      expect(await standing(lab, "github")).toEqual({ status: "reauthorization_required" });
    }
  });

  test("a client's secret that the keychain does not hold is none; a keychain that is locked or away is asked at a refresh", async () => {
    using lab = new PluginLab();
    lab.installed(oauthManifest("github"));
    lab.enable(["github"], ...CLIENT);
    signedIn(lab, "github:primary");
    lab.keychain.item("fermix", "GITHUB_OAUTH_CLIENT_SECRET");
    expect(await standing(lab, "github")).toEqual({ status: "needs_client_config", provider: "github" });
    lab.keychain.trouble = { state: "locked" };
    expect(await standing(lab, "github")).toEqual({ status: "ready" });
  });

  test("another sign-in can be chosen with auth_profile, and the manifest's profile_key names its own", async () => {
    using lab = labWithClient();
    const manifest = oauthManifest("github");
    lab.installed({ ...manifest, auth: { ...(manifest["auth"] as Json), profile_key: "work" } });
    signedIn(lab, "work:primary");
    lab.enable(["github"], ...CLIENT);
    expect(await standing(lab, "github")).toEqual({ status: "ready" });
    lab.enable(["github"], "[fermix_core.plugins.github]", 'auth_profile = "other:primary"', ...CLIENT);
    expect(await standing(lab, "github")).toEqual({ status: "needs_auth" });
  });

  test("a sign-in that cannot be used is an error with its reason", async () => {
    using lab = labWithClient();
    lab.installed(oauthManifest("github"));
    lab.enable(["github"], ...CLIENT);
    const failure = async () => {
      const readiness = await standing(lab, "github");
      if (readiness.status !== "error" || readiness.error === undefined) throw new Error(readiness.status);
      expect(fixFor("github", readiness)).toBe(readiness.error.fix);
      return readiness.error.code;
    };
    writeAuthFile(lab, "{");
    expect(await failure()).toBe("auth_file_malformed");
    signedIn(lab, "github:primary", { status: "wrong_region" });
    expect(await failure()).toBe("sign_in_unusable");
    signedIn(lab, "github:primary", { provider: "notion" });
    expect(await failure()).toBe("sign_in_unusable");
    signedIn(lab, "github:primary", { status: "client_rejected" });
    expect(await failure()).toBe("oauth_client_rejected");
  });
});

describe("a name without a usable manifest", () => {
  test("not_configured while it is off, then not_installed, incompatible or error", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("later", { plugin_api: 9 }));
    lab.installed(noteManifest("bad", { version: "1.0.0", surprise: 1 }));
    expect(await standing(lab, "gone")).toEqual({ status: "not_configured" });
    expect(await standing(lab, "later")).toEqual({ status: "not_configured" });
    lab.enable(["gone", "later", "bad"]);
    expect(await standing(lab, "gone")).toEqual({ status: "not_installed" });
    expect((await standing(lab, "later")).status).toBe("incompatible");
    expect((await standing(lab, "bad")).status).toBe("error");
  });
});

describe("a hosted plugin", () => {
  async function hosted(lab: PluginLab, ...settings: readonly string[]): Promise<Readiness> {
    lab.enable(["cloud"], ...settings);
    const { config } = await loadPlugins(lab.app);
    const { parseManifest } = await import("../../src/manifest/parse.ts");
    const manifest = parseManifest(JSON.stringify(hostedManifest("cloud")));
    const { name, version } = manifest;
    return await readinessOf(lab.app, config, { name, version, origin: "installed", dir: lab.folder, manifest });
  }
  const SECRET = ["[fermix_core.plugin_secrets]", 'cloud = "token"'];
  const table = (...lines: readonly string[]) => ["[fermix_core.plugins.cloud]", ...lines, ...SECRET];

  test("needs_secret, then invalid_remote_config for its profile, needs_workspace, and ready", async () => {
    using lab = new PluginLab();
    expect(await hosted(lab)).toEqual({ status: "needs_secret" });
    expect(await hosted(lab, ...SECRET)).toEqual({ status: "needs_workspace" });
    expect(await hosted(lab, ...table('access_profile = "other"'))).toEqual({
      status: "invalid_remote_config",
      key: "access_profile",
    });
    expect(await hosted(lab, ...table('access_profile = "retrieval"'))).toEqual({ status: "needs_workspace" });
    expect(await hosted(lab, ...table('workspace_id = "ws 1"'))).toEqual({
      status: "invalid_remote_config",
      key: "workspace_id",
    });
    expect(await hosted(lab, ...table('workspace_id = "ws-1"'))).toEqual({ status: "ready" });
  });

  test("its key may be in the keychain too", async () => {
    using lab = new PluginLab();
    const sentinel = ["[fermix_core.plugin_secrets]", 'cloud = "@keyring"'];
    lab.keychain.item("fermix", "PLUGIN_CLOUD_HOSTED_KEY").item("fermix", "HOSTED_KEY");
    expect(await hosted(lab, ...sentinel)).toEqual({ status: "needs_secret" });
    lab.keychain.item("fermix", "HOSTED_KEY", "token");
    expect(await hosted(lab, ...sentinel)).toEqual({ status: "needs_workspace" });
  });

  test("a workspace id of 256 characters is the longest", async () => {
    using lab = new PluginLab();
    expect(await hosted(lab, ...table(`workspace_id = "${"w".repeat(256)}"`))).toEqual({ status: "ready" });
    expect((await hosted(lab, ...table(`workspace_id = "${"w".repeat(257)}"`))).status).toBe("invalid_remote_config");
  });
});

test("each status has the product document's fix", () => {
  const fixes: readonly (readonly [Readiness, string])[] = [
    [{ status: "ready" }, ""],
    [{ status: "not_configured" }, "`fermix plugins enable p`"],
    [
      { status: "needs_client_config", provider: "google" },
      "Configure the OAuth client on the setup page, or with `fermix auth client google --id ID`",
    ],
    [{ status: "needs_client_config", provider: "elsewhere" }, "Configure the OAuth client on the setup page"],
    [{ status: "needs_auth" }, "`fermix plugins auth login p` (or connect it on the setup page)"],
    [{ status: "reauthorization_required" }, "`fermix plugins auth reauthorize p`"],
    [{ status: "needs_secret" }, "`fermix plugins auth set p` (it asks for the value), or `--stdin` to pipe it in"],
    [{ status: "needs_config", key: "FOLDER" }, "`fermix plugins config set p FOLDER VALUE`"],
    [{ status: "needs_workspace" }, "Choose a workspace on the setup Plugins page"],
    [{ status: "invalid_remote_config", key: "workspace_id" }, "Choose workspace_id again on the setup Plugins page"],
    [
      { status: "missing_host_runtime", wanted: "node", lookedIn: [] },
      "Install or upgrade the runtime, then `fermix plugins doctor p`",
    ],
    [{ status: "not_installed" }, "`fermix plugins install p` (or `enable` auto-installs it)"],
    [{ status: "incompatible", reason: "" }, "`fermix plugins upgrade p`, or upgrade Fermix"],
    [{ status: "error", reason: "" }, "`fermix plugins doctor p`"],
  ];
  for (const [readiness, fix] of fixes) expect(fixFor("p", readiness)).toBe(fix);
});
