/** `fermix doctor` on the compiled binary: services asked over the network, and a real keychain that has, lost or hides its secrets. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { snapshotTree } from "../expect.ts";
import { placeSignIn } from "../lab/auth-file.ts";
import { FlowHome } from "../lab/binary.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { Keyring, keyringMissing, SilentBus } from "../lab/keyring.ts";
import { labMissing } from "../lab/network.ts";

setDefaultTimeout(60_000);

interface Row {
  readonly name: string;
  readonly level: string;
  readonly detail: string;
  readonly fix?: string;
  readonly source?: string;
}

function rowsIn(stdout: string): Readonly<Record<string, Row>> {
  const { checks } = JSON.parse(stdout) as { checks: readonly Row[] };
  return Object.fromEntries(checks.map((row) => [row.name, row]));
}

const noLab = labMissing();
if (noLab !== undefined) console.warn(`not run: ${noLab} is missing`);

describe.if(noLab === undefined)("DOC-1/full: the services of ready plugins", () => {
  let lab: HttpLab;
  let home: HttpHome;
  const signIn = (provider: string, accessToken: string) => ({
    provider,
    accessToken,
    refreshToken: null,
    endsInSeconds: null,
  });

  beforeAll(async () => {
    lab = await openHttpLab(["github", "notion"]);
    const [github, notion] = [signIn("github", "lab-github-token"), signIn("notion", "lab-notion-token")];
    const signIns = { "github:primary": github, "notion:primary": notion };
    home = await lab.home({ plugins: ["github", "notion"], signIns });
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  test("each is asked what its manifest says, with the headers that its tools send; without --full nobody is", async () => {
    const quiet = await home.inLab("doctor --json");
    expect(quiet.code).toBe(0);
    expect(await lab.calls()).toEqual([]);
    const { code, stdout } = await home.inLab("doctor --full --json");
    const rows = rowsIn(stdout);
    expect({ code, github: rows["health github"], notion: rows["health notion"] }).toEqual({
      code: 0,
      github: { name: "health github", level: "ok", detail: "its service takes the request" },
      notion: { name: "health notion", level: "ok", detail: "its service takes the request" },
    });
    const asked = (await lab.calls()).map(({ method, host, path, headers }) => {
      const { authorization, "notion-version": version } = headers;
      return [method, host, path, authorization, version];
    });
    expect(asked.toSorted()).toEqual([
      ["GET", "api.github.com", "/user", "Bearer lab-github-token", undefined],
      ["GET", "api.notion.com", "/v1/users/me", "Bearer lab-notion-token", "2026-03-11"],
    ]);
  });

  test("a token that the provider no longer takes fails its row alone, with the command that mends it", async () => {
    placeSignIn(home.root, "github:primary", signIn("github", "revoked-token-of-nobody"));
    const { code, stdout } = await home.inLab("plugins doctor --full --json");
    const { plugins } = JSON.parse(stdout) as { plugins: readonly { name: string; doctor: string; fix: string }[] };
    expect(code).toBe(1);
    expect(plugins.filter(({ doctor }) => doctor === "error")).toMatchObject([
      { name: "github", fix: "`fermix plugins auth reauthorize github`" },
    ]);
    await lab.calls();
  });
});

const noKeyring = keyringMissing();
if (noKeyring !== undefined) console.warn(`not run: ${noKeyring} is missing`);

const CONFIG = `# mine
[fermix_core]
profile = "PROFILE"
[fermix_core.plugin_secrets]
slack = "@keyring"
[fermix_channels.telegram]
bot_token = "@keyring" # the family's bot
`;

describe.if(noKeyring === undefined)("a real keychain", () => {
  let keyring: Keyring;
  let home: FlowHome;

  beforeAll(async () => {
    keyring = await Keyring.open();
    home = new FlowHome();
    mkdirSync(home.root, { mode: 0o700 });
    config("general");
    await home.fermix("plugins install slack");
    keyring.put("fermix", "TELEGRAM_BOT_TOKEN", "123:canary");
    keyring.put("fermix", "PLUGIN_SLACK_SLACK_BOT_TOKEN", "xoxb-canary");
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    keyring?.[Symbol.dispose]();
  });

  function config(profile: string): void {
    writeFileSync(join(home.root, "config.toml"), CONFIG.replace("PROFILE", profile));
  }

  async function doctor(env: Readonly<Record<string, string>>) {
    const before = snapshotTree(home.root);
    const { code, stdout, stderr } = await home.fermix("doctor --json", { env });
    expect(stdout + stderr).not.toContain("canary");
    expect(snapshotTree(home.root)).toEqual(before);
    return { code, rows: rowsIn(stdout) };
  }

  test("tells where each secret comes from and never what it is", async () => {
    config("general");
    const { code, rows } = await doctor(keyring.env);
    expect(code).toBe(0);
    expect(rows["keychain"]?.detail).toBe("it answers; config.toml refers to 2 secrets in it");
    expect(rows["keychain profile"]).toMatchObject({ level: "ok", detail: '2 secrets under the profile "general"' });
    expect(rows["telegram bot_token"]).toMatchObject({ level: "ok", source: "keychain" });
  });

  test("KCH-8/orphaned, KCH-8/nothing-migrates: another profile has none of it, and doctor says to enter it again", async () => {
    config("dev");
    const text = readFileSync(join(home.root, "config.toml"), "utf8");
    const { rows } = await doctor(keyring.env);
    expect(rows["keychain profile"]?.level).toBe("warn");
    expect(rows["keychain profile"]?.detail).toStartWith(
      'not in the keychain under the profile "dev": fermix_core.plugin_secrets.slack, fermix_channels.telegram.bot_token ' +
        '(2 of them under the profile "general")',
    );
    expect(rows["keychain profile"]?.fix).toStartWith("`fermix plugins auth set slack`; ");
    expect(readFileSync(join(home.root, "config.toml"), "utf8")).toBe(text);
    expect(keyring.seenByOthers("fermix:dev", "TELEGRAM_BOT_TOKEN")).toBe("");
    expect(keyring.seenByOthers("fermix", "TELEGRAM_BOT_TOKEN")).toBe("123:canary");
  });

  test("KCH-5/doctor: one that never answers is given up, and the other rows are there", async () => {
    config("general");
    using bus = new SilentBus();
    const { rows } = await doctor(bus.env);
    expect(rows["keychain"]).toMatchObject({ level: "warn", detail: "it gave no answer in 3000 ms" });
    expect(rows["telegram bot_token"]?.level).toBe("fail");
    expect(rows["catalog"]?.level).toBe("ok");
  });

  test("CASE-58: with no session at all it says what to use instead; a locked one is told as locked", async () => {
    const { rows } = await doctor({});
    expect(rows["keychain"]?.level).toBe("warn");
    expect(rows["keychain"]?.fix).toEndWith(
      "FERMIX_PLUGIN_KEY_<NAME> or the name of its file in FERMIX_PLUGIN_KEY_<NAME>_FILE",
    );
    keyring.lock();
    expect((await doctor(keyring.env)).rows["keychain"]?.detail).toBe("it is locked");
  });
});

test("ENV-1/listed, STA-1/doctor: on the binary, without a keychain and without a word of any value", async () => {
  using home = new FlowHome();
  mkdirSync(home.root, { mode: 0o700 });
  placeSignIn(home.root, "xai_oauth", { endsInSeconds: -3700, accessToken: "canary-token" });
  const listed = await home.fermix("doctor --env", { env: { DISCORD_BOT_TOKEN: "canary" } });
  expect(listed).toMatchObject({ code: 0, stderr: "" });
  expect(listed.stdout).toContain("DISCORD_BOT_TOKEN\tset\t");
  expect(listed.stdout).toContain("SLACK_SIGNING_SECRET\tunset\t");
  expect(listed.stdout).not.toContain("canary");
  const { stdout } = await home.fermix("doctor");
  const at = stdout.split("\n").findIndex((line) => line.includes("auth tokens"));
  expect(stdout.split("\n").slice(at, at + 2)).toEqual([
    "[WARN] auth tokens         stale, re-auth may be needed: xai",
    `${" ".repeat(27)}fix: \`fermix auth login --provider xai\``,
  ]);
});
