/** Tests of `fermix plugins info`: what a plugin is, from its manifest or from the catalog inside the binary. */
import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { info } from "../../../src/cli/plugins/info.ts";
import { embeddedFiles } from "../../../src/system/embedded.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { file, tarball } from "../../forge/tar.ts";
import {
  catalogEntry,
  hostedManifest,
  type Json,
  keyManifest,
  localManifest,
  noteManifest,
  oauthManifest,
  PluginLab,
  write,
} from "../../plugins/lab.ts";
import { answers } from "./answers.ts";

/** A lab whose catalog offers these manifests as archives inside the binary. */
function offering(manifests: readonly Json[], wrongDigest = false): PluginLab {
  const files: Record<string, Uint8Array> = {};
  const catalog = manifests.map((manifest) => {
    const name = String(manifest["name"]);
    const archive = tarball(file("./skills/x.md", "x"), file("./plugin.json", JSON.stringify(manifest)));
    files[`artifacts/${name}-1.0.0.tar.gz`] = archive;
    const sha256 = wrongDigest ? "0".repeat(64) : createHash("sha256").update(archive).digest("hex");
    return catalogEntry(name, { rails: ["mcp"], runtime_kind: "remote_mcp", auth_type: "api_key" }, { sha256 });
  });
  return new PluginLab({ catalog, files });
}

describe("CLI-8/info: what a plugin is", () => {
  test("an installed one: status, endpoint, publisher, consent, and each tool with read or write and its scopes", async () => {
    using lab = new PluginLab({ catalog: [catalogEntry("github")] });
    lab.installed(oauthManifest("github"));
    lab.enable(["github"]);
    const { piped, json } = await answers(info, lab.app, { name: "github" });
    expect(piped.split("\n")).toEqual([
      "GITHUB (github) 1.0.0, installed",
      "What github does.",
      "",
      "status     needs_client_config: Configure the OAuth client on the setup page, or with `fermix auth client github --id ID`",
      "rail       http",
      "auth       oauth2 (github)",
      "scopes     look",
      "endpoints  api.example.com",
      "publisher  https://example.com/release, issued by https://example.com",
      "consent    Runs no code of its own: Fermix sends your agent's requests, with your credential, over HTTPS to api.example.com.",
      "",
      "github_look  read   Looks with github_look. [look]",
    ]);
    expect(json).toEqual({
      plugin: {
        name: "github",
        display_name: "GITHUB",
        description: "What github does.",
        category: "knowledge",
        version: "1.0.0",
        source: "installed",
        status: "needs_client_config",
        account: null,
        stale: false,
        detail: "github",
        fix: "Configure the OAuth client on the setup page, or with `fermix auth client github --id ID`",
        rail: "http",
        auth: "oauth2",
        provider: "github",
        scopes: ["look"],
        tools: [{ name: "github_look", access: "read", description: "Looks with github_look.", scopes: ["look"] }],
        skills: [],
        config: [],
        endpoints: ["api.example.com"],
        publisher: { kind: "keyless", identity: "https://example.com/release", issuer: "https://example.com" },
        consent: expect.any(String),
      },
    });
  });

  test("a credential is spoken of only where the plugin has one", async () => {
    using lab = new PluginLab();
    lab.installed(keyManifest("keyed"));
    lab.installed({ ...keyManifest("open"), auth: { type: "none" } });
    const open = await answers(info, lab.app, { name: "open" });
    expect(open.piped).toContain("Fermix sends your agent's requests over HTTPS to api.example.com.");
    const keyed = await answers(info, lab.app, { name: "keyed" });
    expect(keyed.piped).toContain("requests, with your credential, over HTTPS to api.example.com.");
  });

  test("STA-1/info: one whose sign-in has slept says so, whose it is, and the command that connects it anew", async () => {
    using lab = new PluginLab();
    lab.installed(oauthManifest("github"));
    lab.enable(["github"], "[fermix_core.oauth.github]", 'client_id = "id"', 'client_secret = "in clear"');
    const expires_at = new Date(lab.app.ports.clock.now() - 3_600_001).toISOString();
    const entry = { tokens: { access_token: "at" }, expires_at, account: { email: "ada@example.com" } };
    write(lab.home.authFile, JSON.stringify({ version: 2, providers: { "github:primary": entry } }));
    const { piped, json } = await answers(info, lab.app, { name: "github" });
    const fix = "`fermix plugins auth reauthorize github`";
    expect(piped.split("\n").slice(3, 5)).toEqual([
      `status     ready (Reconnect needed): ${fix}`,
      "account    ada@example.com",
    ]);
    expect(json).toMatchObject({ plugin: { status: "ready", stale: true, account: "ada@example.com", fix } });
  });

  test("a local one says which program it starts", async () => {
    using lab = new PluginLab();
    lab.installed(localManifest("files"));
    const { piped } = await answers(info, lab.app, { name: "files" });
    expect(piped).toContain(
      "Starts a process on this machine, `node src/index.js` (this machine's node), with your user's rights.",
    );
  });

  test("a hosted one that is not installed: its tools from the archive, vendor, endpoint and what leaves the machine", async () => {
    using lab = offering([hostedManifest("cloud")]);
    const before = snapshotTree(lab.folder);
    const { json } = await answers(info, lab.app, { name: "cloud" });
    expect(json).toMatchObject({
      plugin: {
        source: "catalog",
        status: "not_installed",
        rail: "hosted-mcp",
        endpoints: ["mcp.example.com"],
        tools: [{ name: "cloud_list_spaces" }, { name: "cloud_find" }],
        consent:
          "Runs on CLOUD's servers (https://mcp.example.com/mcp): queries and the content chosen for them leave this machine, " +
          "and results reach your model provider, this machine's history and, with content tracing on, local traces.",
      },
    });
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("an archive that is not the one the signed index names tells nothing", async () => {
    using lab = offering([hostedManifest("cloud")], true);
    const { json, piped } = await answers(info, lab.app, { name: "cloud" });
    expect(json).toMatchObject({ plugin: { tools: null, rail: "hosted-mcp", auth: "api_key", endpoints: [] } });
    expect(piped).toEndWith("tools: run `fermix plugins install cloud` to see them");
    expect(piped).toContain("leave this machine");
  });

  test("a manifest that this Fermix cannot use is not shown as fact", async () => {
    using lab = offering([noteManifest("cloud", { plugin_api: 9 })]);
    expect(await answers(info, lab.app, { name: "cloud" })).toMatchObject({ json: { plugin: { tools: null } } });
  });

  test("an installed one that is left out says why, and what the catalog offers instead", async () => {
    using lab = new PluginLab({ catalog: [catalogEntry("notes", { latest: "1.0.0" })] });
    lab.installed(noteManifest("notes", { version: "0.5.0", plugin_api: 1 }));
    expect((await answers(info, lab.app, { name: "notes" })).json).toMatchObject({
      plugin: { status: "not_configured" },
    });
    lab.enable(["notes"]);
    const { json } = await answers(info, lab.app, { name: "notes" });
    expect(json).toMatchObject({
      plugin: {
        source: "installed",
        status: "incompatible",
        detail: expect.stringContaining("does not fit this Fermix"),
        fix: "`fermix plugins upgrade notes`, or upgrade Fermix",
      },
    });
  });

  test("a setup card has no tools and says who manages it", async () => {
    const card = { name: "card", display_name: "Card", auth_type: "none", rails: [], versions: [] };
    using lab = new PluginLab({ catalog: [card] });
    const { piped } = await answers(info, lab.app, { name: "card" });
    expect(piped.split("\n")).toEqual([
      "Card (card) no version, catalog",
      "",
      "status     not_installed: Enable its card on the setup Plugins page",
      "rail       none",
      "auth       none",
      "consent    A setup card, not a set of tools; `fermix plugins` does not manage it.",
      "",
      "no tools",
    ]);
  });

  test("an unknown name, and one that only the store has and cannot load", async () => {
    using lab = new PluginLab();
    lab.installed(noteManifest("later", { plugin_api: 9 }));
    await expectRefusal(() => info.run(lab.app, { name: "nope" }), "plugin_unknown", { plugin: "nope" });
    await expectRefusal(() => info.run(lab.app, { name: "later" }), "incompatible");
  });
});

test("every entry of the shipped catalog can be explained before it is installed", async () => {
  using lab = new PluginLab();
  const app = { ...lab.app, ports: { ...lab.app.ports, embedded: embeddedFiles } };
  const names = ["agentmail", "discord", "eden", "github", "gmail", "notion", "obsidian", "slack", "x"];
  for (const name of names) {
    const { json } = await answers(info, app, { name });
    const { plugin } = json as {
      plugin: { tools: readonly { name: string }[] | null; consent: string; publisher: object | null };
    };
    const byKey = { kind: "key", key_id: expect.stringMatching(/^[0-9a-f]{32}$/) };
    expect(plugin.publisher).toEqual(name === "gmail" ? null : byKey);
    expect(plugin.tools?.every((tool) => tool.name.startsWith(`${name}_`))).toBe(true);
    expect(plugin.consent).not.toBe("");
  }
});
