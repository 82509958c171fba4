/** Tests of plugins/doctor/keychain.ts: a keychain that answers or not, and what a changed profile leaves behind. */
import { describe, expect, test } from "bun:test";
import { askedOnce } from "../../../src/auth/keychain-item.ts";
import { checkKeychain } from "../../../src/plugins/doctor/keychain.ts";
import { loadPlugins } from "../../../src/plugins/load.ts";
import { snapshotTree } from "../../expect.ts";
import { keyManifest, PluginLab } from "../lab.ts";

async function rows(lab: PluginLab) {
  const { config, plugins } = await loadPlugins(lab.app);
  const manifests = plugins.map(({ manifest }) => manifest);
  return await checkKeychain(lab.keychain, config, manifests);
}

describe("the keychain", () => {
  test("locked, away or silent is a warning that says what to use instead", async () => {
    using lab = new PluginLab();
    const instead =
      "; or give the key in FERMIX_PLUGIN_KEY_<NAME> or the name of its file in FERMIX_PLUGIN_KEY_<NAME>_FILE";
    const heard = async (trouble: typeof lab.keychain.trouble) => {
      lab.keychain.trouble = trouble;
      const [row, ...more] = await rows(lab);
      expect(more).toEqual([]);
      expect({ level: row?.level, instead: row?.fix.endsWith(instead) }).toEqual({ level: "warn", instead: true });
      return row?.detail;
    };
    expect(await heard({ state: "locked" })).toBe("it is locked");
    expect(await heard({ state: "timed_out", afterMs: 3000 })).toBe("it gave no answer in 3000 ms");
    expect(await heard({ state: "unavailable", reason: "no\nbus" })).toBe('it could not be asked: "no\\nbus"');
    expect(lab.keychain.asked.length).toBe(3);
  });
});

describe("KCH-8/doctor-warns: what config.toml refers to and the profile does not have", () => {
  const SECRETS = [
    "[fermix_core.plugin_secrets]",
    'slack = "@keyring"',
    'gone = "@keyring"',
    "[fermix_core.oauth.google]",
    'client_id = "id"',
    'client_secret = " @keyring "',
    "[fermix_channels.telegram]",
    'bot_token = "@keyring"',
  ];

  function labWith(profile: string): PluginLab {
    const lab = new PluginLab();
    lab.installed(keyManifest("slack"));
    for (const service of ["fermix", "fermix:dev"]) {
      lab.keychain.item(service, "FERMIX_DOCTOR").item(service, "PLUGIN_SLACK_SLACK_KEY").item(service, "SLACK_KEY");
      lab.keychain.item(service, "GOOGLE_OAUTH_CLIENT_SECRET").item(service, "TELEGRAM_BOT_TOKEN");
    }
    for (const name of ["PLUGIN_SLACK_SLACK_KEY", "GOOGLE_OAUTH_CLIENT_SECRET", "TELEGRAM_BOT_TOKEN"]) {
      lab.keychain.item("fermix", name, "secret");
    }
    lab.config("[fermix_core]", `profile = ${JSON.stringify(profile)}`, ...SECRETS);
    return lab;
  }

  test("everything is there under the profile it was stored in", async () => {
    using lab = labWith("general");
    expect(await rows(lab)).toEqual([
      { name: "keychain", level: "ok", detail: "it answers; config.toml refers to 3 secrets in it", fix: "" },
      { name: "keychain profile", level: "ok", detail: '3 secrets under the profile "general"', fix: "" },
    ]);
  });

  test("however many they are, the keychain is asked for all of them at once", async () => {
    using lab = labWith("dev");
    const { config, plugins } = await loadPlugins(lab.app);
    const manifests = plugins.map(({ manifest }) => manifest);
    const keychain = askedOnce(lab.keychain);
    expect((await checkKeychain(keychain, config, manifests)).map(({ level }) => level)).toEqual(["ok", "warn"]);
    // Whether it answers, under its own profile, and under the one without a name.
    expect(lab.keychain.batches).toEqual([1, 3, 3]);
  });

  test("another profile has none of it: each is named with the command that enters it again, and nothing moves", async () => {
    using lab = labWith("dev");
    const before = snapshotTree(lab.folder);
    const [, profile] = await rows(lab);
    expect(profile?.level).toBe("warn");
    expect(profile?.detail).toBe(
      'not in the keychain under the profile "dev": fermix_core.plugin_secrets.slack, ' +
        "fermix_core.oauth.google.client_secret, fermix_channels.telegram.bot_token " +
        '(3 of them under the profile "general"); a change of the profile moves no secret, so they must be entered again',
    );
    expect(profile?.fix.split("; ")).toEqual([
      "`fermix plugins auth set slack`",
      "`fermix auth client google --id ID`",
      "`fermix setup --secret fermix_channels.telegram.bot_token`",
    ]);
    expect(snapshotTree(lab.folder)).toEqual(before);
    expect(lab.keychain.changes).toEqual([]);
  });

  test("back in the profile that has no name, what is missing is told without a guess where it went", async () => {
    using lab = labWith("");
    lab.keychain.item("fermix", "TELEGRAM_BOT_TOKEN", undefined);
    const [, profile] = await rows(lab);
    expect(profile).toMatchObject({
      level: "warn",
      detail:
        'not in the keychain under the profile "general": fermix_channels.telegram.bot_token; ' +
        "a change of the profile moves no secret, so they must be entered again",
    });
  });

  test("a keychain that is locked meanwhile is a named failure", async () => {
    using lab = labWith("general");
    lab.keychain.onFind = () => {
      if (lab.keychain.asked.length > 1) lab.keychain.trouble = { state: "locked" };
    };
    expect((await rows(lab))[1]).toMatchObject({ name: "keychain profile", level: "fail" });
  });

  test("a key under its bare name of the ecosystem's homes is there", async () => {
    using lab = labWith("dev");
    lab.keychain.item("fermix:dev", "SLACK_KEY", "secret");
    const [, profile] = await rows(lab);
    expect(profile?.detail).not.toContain("plugin_secrets.slack");
    expect(profile?.detail).toContain('(2 of them under the profile "general")');
  });
});
