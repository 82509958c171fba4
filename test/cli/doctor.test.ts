/** Tests of `fermix doctor`: its rows, how they look, and when it fails. */
import { describe, expect, test } from "bun:test";
import { rmSync } from "node:fs";
import { doctor } from "../../src/cli/doctor.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { catalogEntry, keyManifest, oauthManifest, PluginLab, TRIO, write } from "../plugins/lab.ts";
import { answers } from "./plugins/answers.ts";

const HERE = { full: false, env: false };

/** A lab whose keychain answers. */
function labWith(options: ConstructorParameters<typeof PluginLab>[0] = {}): PluginLab {
  const lab = new PluginLab(options);
  lab.keychain.item("fermix", "FERMIX_DOCTOR");
  return lab;
}

interface Row {
  readonly name: string;
  readonly level: string;
  readonly detail: string;
  readonly fix?: string;
  readonly source?: string;
}

async function rowsOf(lab: PluginLab): Promise<Readonly<Record<string, Row>>> {
  const { json } = await answers(doctor, lab.app, HERE);
  return Object.fromEntries((json as { checks: readonly Row[] }).checks.map((row) => [row.name, row]));
}

describe("DOC-1/rows: one row for each check", () => {
  test("a new home: nothing fails, nothing is written, and every row of the product is there", async () => {
    using lab = labWith({ bundled: TRIO, catalog: [catalogEntry("notes")] });
    rmSync(lab.home.root, { recursive: true });
    const before = snapshotTree(lab.folder);
    const answer = await answers(doctor, lab.app, HERE);
    const rows = await rowsOf(lab);
    expect(snapshotTree(lab.folder)).toEqual(before);
    expect(answer.exit).toBe("ok");
    expect(Object.keys(rows)).toEqual([
      ...["home", "config", "auth file mode", "auth tokens", "network policy", "plaintext secrets", "keychain"],
      ...["transcription", "realtime", "cosign", "catalog", "plugins", "daemon"],
    ]);
    const { cosign: _cosign, home, config, ...rest } = rows;
    expect(home?.detail).toBe(`${lab.home.root}, not created yet`);
    expect(config?.detail).toBe(`${lab.home.configFile}, not written yet`);
    expect(Object.values(rest).map(({ name, level, detail }) => [level, name, detail])).toEqual([
      ["ok", "auth file mode", `no sign-ins yet, ${lab.home.authFile}`],
      ["ok", "auth tokens", "no stale OAuth tokens"],
      ["ok", "network policy", "direct; every address is judged before it is dialled"],
      ["ok", "plaintext secrets", "no secret is in clear in config.toml"],
      ["ok", "keychain", "it answers; config.toml refers to 0 secrets in it"],
      ["ok", "transcription", "off; [fermix_core.transcription] names no backend"],
      ["ok", "realtime", "off"],
      ["ok", "catalog", "signed, of 2026-11-30T00:00:00Z, 1 entries"],
      ["ok", "plugins", "none is enabled, 3 can be"],
      ["ok", "daemon", "not running; live state, pacing and budgets belong to each `fermix mcp serve`"],
    ]);
  });

  test("the text: header, 60 dashes, a label, the name padded to 18, the fix below, and the sum", async () => {
    using lab = labWith();
    lab.installed(keyManifest("slack"));
    lab.installed(keyManifest("tell"));
    lab.enable(["slack", "tell"]);
    const { piped, terminal, exit } = await answers(doctor, lab.app, HERE);
    const lines = piped.split("\n");
    expect(terminal).toBe(piped);
    expect(lines.slice(0, 3)).toEqual([
      "fermix doctor",
      "-".repeat(60),
      `[ OK ] home                ${lab.home.root}, mode 0700`,
    ]);
    const at = lines.findIndex((line) => line.startsWith("[FAIL]"));
    const set = (name: string) =>
      `\`fermix plugins auth set ${name}\` (it asks for the value), or \`--stdin\` to pipe it in`;
    expect(lines.slice(at, at + 3)).toEqual([
      "[FAIL] plugins             slack: needs_secret; tell: needs_secret; 0 not enabled",
      `${" ".repeat(27)}fix: slack: ${set("slack")}`,
      `${" ".repeat(27)}     tell: ${set("tell")}`,
    ]);
    expect(lines.at(-2)).toBe("");
    expect(lines.at(-1)).toMatch(/^\d+ ok, \d warning\(s\), 1 failure\(s\)$/);
    expect(exit).toBe("failed");
  });

  test("DOC-1/fix, DOC-1/exit: a failed row carries its fix and the exit is 1; a warning alone exits 0", async () => {
    using lab = labWith();
    lab.config("[fermix_core.plugin_secrets]", 'slack = "in clear"');
    const warned = await answers(doctor, lab.app, HERE);
    expect(warned).toMatchObject({ exit: "ok", json: { failures: 0 } });
    lab.config("[fermix_core");
    const failed = await answers(doctor, lab.app, HERE);
    expect(failed).toMatchObject({ exit: "failed", json: { failures: 1 } });
    const config = (await rowsOf(lab))["config"];
    expect(config).toMatchObject({ level: "fail", fix: `correct ${lab.home.configFile}, then run the command again` });
  });

  test("a broken config hides no row that can do without it", async () => {
    using lab = labWith();
    lab.config("[fermix_core");
    expect(Object.keys(await rowsOf(lab))).toEqual([
      ...["home", "config", "auth file mode", "auth tokens", "cosign", "catalog", "daemon"],
    ]);
  });

  test("no plugin loads: that is a row of its own, with the path", async () => {
    using lab = labWith();
    lab.devLocal("/no/such/folder");
    const { plugins } = await rowsOf(lab);
    expect(plugins?.level).toBe("fail");
    expect(plugins?.detail).toContain("/no/such/folder");
  });
});

test("a key that was set before its plugin is installed is one of those that the keychain has to have", async () => {
  const { embeddedFiles } = await import("../../src/system/embedded.ts");
  using lab = labWith();
  const app = { ...lab.app, ports: { ...lab.app.ports, embedded: embeddedFiles } };
  lab.config("[fermix_core.plugin_secrets]", 'slack = "@keyring"');
  lab.keychain.item("fermix", "PLUGIN_SLACK_SLACK_BOT_TOKEN").item("fermix", "SLACK_BOT_TOKEN");
  const { piped } = await answers(doctor, app, HERE);
  expect(piped).toContain("it answers; config.toml refers to 1 secret in it\n");
  expect(piped).toContain('not in the keychain under the profile "general": fermix_core.plugin_secrets.slack;');
});

test("a proxy in use is told, because it chooses the addresses, and a patience of one's own", async () => {
  using lab = labWith();
  write(lab.home.configFile, '[fermix_core.http]\nproxy = "http://proxy.example.net:3128"\ntimeout_seconds = 90\n');
  const said =
    "every request goes through http://proxy.example.net:3128, which resolves the names; addresses are not judged here";
  expect((await rowsOf(lab))["network policy"]).toEqual({
    name: "network policy",
    level: "ok",
    detail: `${said}; a request may take 90 s`,
  });
});

describe("ENV-1/listed: --env", () => {
  test("every variable of the table, set or unset, never its value; plugins' own keys too", async () => {
    using lab = new PluginLab({ catalog: [catalogEntry("discord", { auth_type: "api_key" })] });
    lab.installed(keyManifest("slack"));
    lab.installed(oauthManifest("github"));
    lab.variables.set("OPENAI_API_KEY", "sk-canary").set("FERMIX_PLUGIN_KEY_DISCORD", "xoxb-canary");
    lab.variables.set("XAI_API_KEY", " ");
    const { piped, json, exit } = await answers(doctor, lab.app, { full: false, env: true });
    const rows = Object.fromEntries(piped.split("\n").map((line) => line.split("\t").slice(0, 2)));
    expect(rows).toMatchObject({
      OPENAI_API_KEY: "set",
      XAI_API_KEY: "unset",
      SLACK_SIGNING_SECRET: "unset",
      SIGNAL_ACCOUNT: "unset",
      FERMIX_PLUGIN_KEY_DISCORD: "set",
      FERMIX_PLUGIN_KEY_DISCORD_FILE: "unset",
      FERMIX_PLUGIN_KEY_SLACK: "unset",
    });
    expect(Object.keys(rows)).not.toContain("FERMIX_PLUGIN_KEY_GITHUB");
    expect(JSON.stringify([piped, json])).not.toContain("canary");
    const { environment } = json as { environment: readonly unknown[] };
    expect(environment[0]).toEqual({
      name: "OPENAI_API_KEY",
      set: true,
      about: "the provider is openai, or realtime voice is enabled",
    });
    expect(exit).toBe("ok");
  });

  test("a broken home hides none of it", async () => {
    using lab = new PluginLab();
    lab.config("[fermix_core");
    const { exit, piped } = await answers(doctor, lab.app, { full: false, env: true });
    expect(exit).toBe("ok");
    expect(piped).toContain("OPENROUTER_API_KEY\tunset\t");
  });

  test("beside --full it is refused", async () => {
    using lab = new PluginLab();
    await expectRefusal(() => doctor.run(lab.app, { full: true, env: true }), "usage");
  });
});
