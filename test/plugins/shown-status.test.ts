/** Tests of plugins/shown-status.ts: every status, shown alike in list, info, both doctors and the agent's prompt, and gone when mended. */
import { describe, expect, test } from "bun:test";
import { promptSection } from "../../src/agent/prompt-section.ts";
import { doctor } from "../../src/cli/doctor.ts";
import { doctor as pluginsDoctor } from "../../src/cli/plugins/doctor.ts";
import { info } from "../../src/cli/plugins/info.ts";
import { list } from "../../src/cli/plugins/list.ts";
import { openHost } from "../../src/host/host.ts";
import type { App } from "../../src/plugins/app.ts";
import { answers } from "../cli/plugins/answers.ts";
import { FakeKeychain } from "../fakes/keychain.ts";
import { FakeSession } from "../fakes/rail-session.ts";
import { InstallLab } from "./install-lab.ts";
import {
  catalogEntry,
  hostedManifest,
  keyManifest,
  localManifest,
  noteManifest,
  oauthManifest,
  PluginLab,
  write,
} from "./lab.ts";

interface Shown {
  readonly status: string;
  readonly fix: string | null;
}

/** What each surface says of a plugin; every one of them must be the same. */
async function everywhere(app: App, name: string): Promise<Shown> {
  const row = await listed(app, name);
  const { plugin } = (await answers(info, app, { name })).json as { plugin: Shown };
  expect({ status: plugin.status, fix: plugin.fix }).toEqual(row);
  const one = (await answers(pluginsDoctor, app, { name, full: false })).json as { plugins: readonly Shown[] };
  expect(one.plugins.map(({ status, fix }) => ({ status, fix }))).toEqual([row]);
  const { checks } = (await answers(doctor, app, { full: false, env: false })).json as {
    checks: readonly { name: string; detail: string; fix?: string }[];
  };
  const plugins = checks.find((check) => check.name === "plugins");
  expect(plugins?.detail).toStartWith(`${name}: `);
  if (row.status !== "error") expect(plugins?.detail).toStartWith(`${name}: ${row.status}`);
  expect(plugins?.fix).toBe(row.fix === null ? undefined : `${name}: ${row.fix}`);
  expect(await prompted(app, name)).toEqual(row);
  return row;
}

async function listed(app: App, name: string): Promise<Shown> {
  const { plugins } = (await answers(list, app, {})).json as { plugins: readonly (Shown & { name: string })[] };
  const row = plugins.find((plugin) => plugin.name === name);
  return { status: row?.status ?? "absent", fix: row?.fix ?? null };
}

/** What the agent reads; a plugin without a status is ready. */
async function prompted(app: App, name: string): Promise<Shown> {
  const host = await openHost(app, { open: async (_app, plugin) => new FakeSession(plugin.name) });
  const section = promptSection(host);
  await host.close();
  const found = new RegExp(`<plugin name="${name}"(?: status="([^"]*)")?[^>]*>(.*)</plugin>`).exec(section);
  if (found === null) throw new Error(`the section has no ${name}: ${section}`);
  const [, status = "ready", text = ""] = found;
  if (status === "ready") return { status, fix: null };
  const plain = text
    .replaceAll("&apos;", "'")
    .replaceAll("&quot;", '"')
    .replaceAll("&lt;", "<")
    .replaceAll("&amp;", "&");
  // A reason stands before the fix where the status alone would not tell it.
  return { status, fix: plain.replace(/^.* Fix: /, "") };
}

/** A ready plugin without an account, on every surface. */
const READY = { status: "ready", fix: null };

function oauthLab(...lines: readonly string[]): PluginLab {
  const lab = new PluginLab();
  lab.keychain.item("fermix", "FERMIX_DOCTOR").item("fermix", "GITHUB_OAUTH_CLIENT_SECRET", "secret");
  lab.installed(oauthManifest("github"));
  lab.enable(["github"], ...lines);
  return lab;
}

const CLIENT = ["[fermix_core.oauth.github]", 'client_id = "id"', 'client_secret = "@keyring"'];

function signIn(lab: PluginLab, more: Readonly<Record<string, unknown>> = {}): void {
  const entry = { auth_mode: "oauth2", tokens: { access_token: "at" }, ...more };
  write(lab.home.authFile, JSON.stringify({ version: 2, providers: { "github:primary": entry } }));
}

function plainLab(options: ConstructorParameters<typeof PluginLab>[0] = {}): PluginLab {
  const lab = new PluginLab(options);
  lab.keychain.item("fermix", "FERMIX_DOCTOR");
  return lab;
}

describe("RDY-1/reached, RDY-1/fix, RDY-1/leaves, RDY-2/same-everywhere:", () => {
  test("needs_client_config, needs_auth, reauthorization_required and back", async () => {
    using lab = oauthLab();
    expect(await everywhere(lab.app, "github")).toEqual({
      status: "needs_client_config",
      fix: "Configure the OAuth client on the setup page, or with `fermix auth client github --id ID`",
    });
    lab.enable(["github"], ...CLIENT);
    expect(await everywhere(lab.app, "github")).toEqual({
      status: "needs_auth",
      fix: "`fermix plugins auth login github` (or connect it on the setup page)",
    });
    signIn(lab);
    expect(await everywhere(lab.app, "github")).toEqual(READY);
    signIn(lab, { status: "reauthorization_required" });
    expect(await everywhere(lab.app, "github")).toEqual({
      status: "reauthorization_required",
      fix: "`fermix plugins auth reauthorize github`",
    });
    signIn(lab, { status: "ready" });
    expect(await everywhere(lab.app, "github")).toEqual(READY);
  });

  test("AUTH-8: a sign-in whose client was refused, and one that is another's, are errors with their own fix", async () => {
    using lab = oauthLab(...CLIENT);
    signIn(lab, { status: "client_rejected" });
    expect(await everywhere(lab.app, "github")).toEqual({
      status: "error",
      fix: "`fermix auth client github --id ID` (it asks for the secret), then `fermix plugins auth refresh github`",
    });
    signIn(lab, { provider: "notion" });
    expect(await everywhere(lab.app, "github")).toEqual({
      status: "error",
      fix: "`fermix plugins auth reauthorize github`",
    });
    write(lab.home.authFile, "{");
    expect((await everywhere(lab.app, "github")).fix).toStartWith(`repair "${lab.home.authFile}"`);
  });

  test("needs_secret", async () => {
    using lab = plainLab();
    lab.installed(keyManifest("slack"));
    lab.enable(["slack"]);
    expect(await everywhere(lab.app, "slack")).toEqual({
      status: "needs_secret",
      fix: "`fermix plugins auth set slack` (it asks for the value), or `--stdin` to pipe it in",
    });
    lab.variables.set("FERMIX_PLUGIN_KEY_SLACK", "xoxb");
    expect(await everywhere(lab.app, "slack")).toEqual(READY);
  });

  test("needs_config", async () => {
    using lab = plainLab();
    lab.installed(noteManifest("notes", { config: [{ key: "FOLDER", prompt: "Folder", required: true }] }));
    lab.enable(["notes"]);
    expect(await everywhere(lab.app, "notes")).toEqual({
      status: "needs_config",
      fix: "`fermix plugins config set notes FOLDER VALUE`",
    });
    lab.enable(["notes"], "[fermix_core.plugins.notes]", 'FOLDER = "/notes"');
    expect(await everywhere(lab.app, "notes")).toEqual(READY);
  });

  test("missing_host_runtime", async () => {
    using lab = plainLab();
    lab.installed(localManifest("files", { min_version: "20" }));
    lab.enable(["files"]);
    expect(await everywhere(lab.app, "files")).toEqual({
      status: "missing_host_runtime",
      fix: "Install or upgrade the runtime, then `fermix plugins doctor files`",
    });
    lab.program("node", "v20.1.0\n");
    expect(await listed(lab.app, "files")).toEqual(READY);
    expect(await prompted(lab.app, "files")).toEqual(READY);
  });

  test("not_installed", async () => {
    using lab = plainLab({ catalog: [catalogEntry("notes")] });
    lab.enable(["notes"]);
    const fix = "`fermix plugins install notes` (or `enable` auto-installs it)";
    const missing = { status: "not_installed", fix };
    expect(await listed(lab.app, "notes")).toEqual(missing);
    expect(await prompted(lab.app, "notes")).toEqual(missing);
    expect((await answers(info, lab.app, { name: "notes" })).json).toMatchObject({ plugin: missing });
    expect((await answers(pluginsDoctor, lab.app, { name: "notes", full: false })).json).toMatchObject({
      plugins: [missing],
    });
    lab.installed(noteManifest("notes"));
    expect(await everywhere(lab.app, "notes")).toEqual(READY);
  });

  test("incompatible, and a manifest that is not one", async () => {
    using lab = plainLab({ catalog: [catalogEntry("notes")] });
    lab.installed(noteManifest("notes", { plugin_api: 9 }));
    lab.enable(["notes"]);
    const fix = "`fermix plugins upgrade notes`, or upgrade Fermix";
    expect(await listed(lab.app, "notes")).toEqual({ status: "incompatible", fix });
    expect(await prompted(lab.app, "notes")).toEqual({ status: "incompatible", fix });
    expect((await answers(info, lab.app, { name: "notes" })).json).toMatchObject({
      plugin: { status: "incompatible", fix },
    });
    lab.installed(noteManifest("notes", { surprise: 1 }));
    const broken = await listed(lab.app, "notes");
    expect(broken.status).toBe("error");
    expect(await prompted(lab.app, "notes")).toEqual(broken);
    lab.installed(noteManifest("notes"));
    expect(await everywhere(lab.app, "notes")).toEqual(READY);
  });

  test("needs_workspace", async () => {
    using lab = new InstallLab();
    lab.publish("cloud", { whole: hostedManifest("cloud"), listed: { plugin_api: 3 } });
    await lab.install("cloud");
    const keychain = new FakeKeychain().item("fermix", "FERMIX_DOCTOR");
    const made = lab.app();
    const app: App = { ...made, ports: { ...made.ports, keychain } };
    const config = (...lines: readonly string[]) => {
      const secret = ["[fermix_core.plugin_secrets]", 'cloud = "token"'];
      const plugins = ["[fermix_core.plugins]", 'enabled = ["cloud"]'];
      write(lab.home.configFile, [...plugins, ...lines, ...secret, ""].join("\n"));
    };
    config();
    expect(await everywhere(app, "cloud")).toEqual({
      status: "needs_workspace",
      fix: "Choose a workspace on the setup Plugins page",
    });
    config("[fermix_core.plugins.cloud]", 'workspace_id = "w"');
    expect(await everywhere(app, "cloud")).toEqual(READY);
  });
});

test("a plugin that is off and could not be loaded anyway says why instead of asking to switch it on", async () => {
  using lab = plainLab({ catalog: [catalogEntry("notes")] });
  lab.installed(noteManifest("notes", { plugin_api: 9 }));
  const off = { status: "not_configured", fix: "`fermix plugins upgrade notes`, or upgrade Fermix" };
  expect(await listed(lab.app, "notes")).toEqual(off);
  expect((await answers(info, lab.app, { name: "notes" })).json).toMatchObject({ plugin: off });
});
