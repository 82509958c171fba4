/** Tests of plugins/set-secret.ts: the keychain first, then config.toml, and nothing of either when the key is no good. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { changeEntry } from "../../src/auth/change-entry.ts";
import { type ReadKey, setPluginKey } from "../../src/plugins/set-secret.ts";
import { systemClock } from "../../src/system/clock.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { keyManifest, noteManifest, oauthManifest, PluginLab } from "./lab.ts";

const ITEM = "fermix/PLUGIN_SLACK_SLACK_KEY";
const KEY = "xoxb-the-key";
const VARIABLE = "FERMIX_PLUGIN_KEY_SLACK";

let lab: PluginLab;
beforeEach(() => {
  lab = new PluginLab();
  lab.installed(keyManifest("slack"));
  lab.keychain.item("fermix", "PLUGIN_SLACK_SLACK_KEY");
});
afterEach(() => lab[Symbol.dispose]());

const gives =
  (key: string): ReadKey =>
  async () =>
    key;
const disk = () => snapshotTree(lab.home.root);
const config = () => readFileSync(lab.home.configFile, "utf8");

describe("a key that is taken", () => {
  test("is in the keychain alone, and config.toml says so", async () => {
    let asked: readonly unknown[] = [];
    const read: ReadKey = async (...question) => {
      asked = question;
      return KEY;
    };
    const done = await setPluginKey(lab.app, "slack", read);
    expect(done as unknown).toEqual({
      plugin: "slack",
      outcome: "stored",
      checked: undefined,
      overriddenBy: undefined,
    });
    expect(asked).toEqual(["slack", "API key"]);
    expect(lab.keychain.stored()).toEqual({ [ITEM]: KEY });
    expect(config()).toBe('[fermix_core.plugin_secrets]\nslack = "@keyring"\n');
  });

  test("the same again is not written again, and one in clear becomes the sentinel", async () => {
    lab.config("[fermix_core.plugin_secrets]", `slack = "${KEY}" # of the team`);
    expect((await setPluginKey(lab.app, "slack", gives(KEY))).outcome).toBe("stored");
    expect(config()).toBe('[fermix_core.plugin_secrets]\nslack = "@keyring" # of the team\n');
    expect((await setPluginKey(lab.app, "slack", gives(KEY))).outcome).toBe("unchanged");
  });

  test("KCH-4/profile is in the profile's own part of the keychain", async () => {
    lab.config("[fermix_core]", 'profile = "work"');
    lab.keychain.item("fermix:work", "PLUGIN_SLACK_SLACK_KEY");
    await setPluginKey(lab.app, "slack", gives(KEY));
    expect(lab.keychain.stored()).toEqual({ "fermix:work/PLUGIN_SLACK_SLACK_KEY": KEY });
  });

  test("a variable that goes before it is told, and so is its file", async () => {
    lab.variables.set(`${VARIABLE}_FILE`, "/key");
    expect((await setPluginKey(lab.app, "slack", gives(KEY))).overriddenBy).toBe(`${VARIABLE}_FILE`);
    lab.variables.set(VARIABLE, "k");
    expect((await setPluginKey(lab.app, "slack", gives(KEY))).overriddenBy).toBe(VARIABLE);
  });

  test("somebody who is there may unlock the keychain", async () => {
    await setPluginKey(lab.app, "slack", gives(KEY), { unlock: true });
    expect(lab.keychain.changes).toEqual([`set ${ITEM} unlock`]);
  });
});

describe("a key that is not taken", () => {
  const never: ReadKey = () => Promise.reject(new Error("unexpected question"));

  test("the plugin is judged before anybody is asked", async () => {
    lab.installed(oauthManifest("mail"));
    lab.installed(noteManifest("notes"));
    await expectRefusal(() => setPluginKey(lab.app, "slakc", never), "plugin_unknown");
    await expectRefusal(() => setPluginKey(lab.app, "mail", never), "takes_no_key", { plugin: "mail", auth: "oauth2" });
    await expectRefusal(() => setPluginKey(lab.app, "notes", never), "takes_no_key", { plugin: "notes", auth: "none" });
    const error = await setPluginKey(lab.app, "xoxb-SECRET", never).catch((caught: unknown) => caught);
    expect(String(error)).not.toContain("SECRET");
  });

  test("what no header may carry is refused without being told", async () => {
    const before = disk();
    const refused = async (key: string, reason: string) => {
      await expectRefusal(() => setPluginKey(lab.app, "slack", gives(key)), "key_refused", { plugin: "slack", reason });
    };
    await refused("xoxb-1\n2", "it holds a line break");
    await refused("xoxb-1\r2", "it holds a line break");
    await refused("xoxb-\u00e9", "it holds a character that no header may carry");
    expect(disk()).toEqual(before);
    expect(lab.keychain.changes).toEqual([]);
  });

  test("the manifest's own rules hold at each limit and one past it", async () => {
    const validation = {
      prefix: "ed_",
      min_bytes: 8,
      max_bytes: 12,
      charset: "visible_ascii",
      forbid_whitespace: true,
    };
    const auth = { type: "api_key", key_name: "EDEN_KEY", header: "authorization", prompt: "Token", validation };
    lab.installed(noteManifest("eden", { auth, plugin_api: 3 }));
    lab.keychain.item("fermix", "PLUGIN_EDEN_EDEN_KEY");
    const set = (key: string) => setPluginKey(lab.app, "eden", gives(key));
    const refused = async (key: string, reason: string) =>
      await expectRefusal(() => set(key), "key_refused", { plugin: "eden", reason });
    await refused("xx_45678", "it does not begin with ed_");
    await refused("ed_4567", "it has 7 bytes, and such a key has 8 to 12");
    await refused("ed_4567890123", "it has 13 bytes, and such a key has 8 to 12");
    await refused("ed_45 78", "it holds a space");
    expect(lab.keychain.changes).toEqual([]);
    for (const key of ["ed_45678", "ed_456789012"]) expect((await set(key)).outcome).toBe("stored");
  });

  test("KCH-5/named-change KCH-2/nothing-in-clear a keychain that fails leaves the disk as it was", async () => {
    const before = disk();
    const wanted = { item: "PLUGIN_SLACK_SLACK_KEY", instead: VARIABLE, to: "stored" } as const;
    const set = () => setPluginKey(lab.app, "slack", gives(KEY));
    lab.keychain.trouble = { state: "locked" };
    await expectRefusal(set, "keychain_locked", wanted);
    lab.keychain.trouble = { state: "timed_out", afterMs: 3000 };
    await expectRefusal(set, "keychain_timed_out", { ...wanted, afterMs: 3000 });
    lab.keychain.trouble = undefined;
    lab.keychain.refusal = { state: "refused", reason: "full" };
    await expectRefusal(set, "keychain_refused", { ...wanted, reason: "full" });
    lab.keychain.refusal = { state: "unavailable", reason: "no bus" };
    await expectRefusal(set, "keychain_unavailable", { ...wanted, reason: "no bus" });
    expect(disk()).toEqual(before);
  });

  test("KCH-9/words without a helper it is said in the document's words", async () => {
    lab.keychain.trouble = { state: "unavailable", reason: "no bus" };
    const error = await setPluginKey(lab.app, "slack", gives(KEY)).catch((caught: unknown) => caught);
    expect(String(error)).toContain(
      "could not be stored in the OS keyring: no supported OS secret helper is available",
    );
  });

  test("KCH-2/left-in-clear an unchanged key in config.toml stays there without a keychain; a new one is refused", async () => {
    lab.config("[fermix_core.plugin_secrets]", `slack = "${KEY}"`);
    lab.keychain.trouble = { state: "unavailable", reason: "no bus" };
    const before = disk();
    expect((await setPluginKey(lab.app, "slack", gives(KEY))).outcome).toBe("left_in_clear");
    await expectRefusal(() => setPluginKey(lab.app, "slack", gives(`${KEY}2`)), "keychain_unavailable");
    expect(disk()).toEqual(before);
    lab.keychain.trouble = { state: "locked" };
    await expectRefusal(() => setPluginKey(lab.app, "slack", gives(KEY)), "keychain_locked");
  });

  test("what a check refuses is not stored", async () => {
    const before = disk();
    const check = () => Promise.reject(new Error("the service says no"));
    await expect(setPluginKey(lab.app, "slack", gives(KEY), { check })).rejects.toThrow("the service says no");
    expect(lab.keychain.changes).toEqual([]);
    expect(disk()).toEqual(before);
  });

  test("a config.toml that cannot be edited is told, and is as it was", async () => {
    const text = "fermix_core = { plugin_secrets = { slack = 1 } }\n";
    lab.config(text);
    await expectRefusal(() => setPluginKey(lab.app, "slack", gives(KEY)), "config_invalid");
    expect(lab.keychain.changes).toEqual([]);
  });
});

test("a plugin that only the catalog has takes its key before it is installed", async () => {
  const { openCatalog } = await import("../../src/catalog/open.ts");
  const { embeddedFiles } = await import("../../src/system/embedded.ts");
  expect(openCatalog(embeddedFiles).entries.some(({ name }) => name === "slack")).toBe(true);
  using bare = new PluginLab();
  bare.keychain.item("fermix", "PLUGIN_SLACK_SLACK_BOT_TOKEN");
  const app = { ...bare.app, ports: { ...bare.app.ports, embedded: embeddedFiles } };
  expect((await setPluginKey(app, "slack", gives(KEY))).outcome).toBe("stored");
  expect(bare.keychain.stored()).toEqual({ "fermix/PLUGIN_SLACK_SLACK_BOT_TOKEN": KEY });
  expect(readFileSync(join(bare.home.root, "config.toml"), "utf8")).toContain('slack = "@keyring"');
});

test("CASE-55: fifty keys set at once, while sign-ins are written, are all there, and so are the sign-ins", async () => {
  const many = Array.from({ length: 50 }, (_, at) => `plugin_${at}`);
  for (const name of many) {
    lab.installed(keyManifest(name));
    lab.keychain.item("fermix", `PLUGIN_${name.toUpperCase()}_${name.toUpperCase()}_KEY`);
  }
  lab.config("# kept");
  const app = { ...lab.app, ports: { ...lab.app.ports, clock: systemClock() } };
  // One after another: who writes auth.json gives up after eight seconds, and fifty that take turns may need as long.
  const signIns = async (): Promise<void> => {
    for (const [at, name] of many.entries()) {
      const entry = { auth_mode: "oauth2", tokens: { access_token: name } };
      await changeEntry(app.ports, app.home, `sign_in_${at}`, () => entry);
    }
  };
  await Promise.all([signIns(), ...many.map((name) => setPluginKey(app, name, gives(`key-of-${name}`)))]);
  expect(Object.keys(lab.keychain.stored())).toHaveLength(50);
  expect(config()).toStartWith("# kept\n");
  expect(many.filter((name) => !config().includes(`${name} = "@keyring"\n`))).toEqual([]);
  const { providers } = JSON.parse(readFileSync(lab.home.authFile, "utf8"));
  expect(Object.keys(providers)).toHaveLength(50);
}, 60_000);
