/** Tests of plugins/clear-secret.ts: what goes, in which order, and what stays because something else needs it. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { clearPluginKey } from "../../src/plugins/clear-secret.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { keyManifest, PluginLab } from "./lab.ts";

const OWN = "PLUGIN_SLACK_SLACK_BOT_TOKEN";
const BARE = "SLACK_BOT_TOKEN";
const SENTINEL = '[fermix_core.plugin_secrets]\nslack = "@keyring"';

let lab: PluginLab;
beforeEach(() => {
  lab = new PluginLab();
  lab.installed(slack());
  lab.keychain.item("fermix", OWN, "the key").item("fermix", BARE, "an older one");
});
afterEach(() => lab[Symbol.dispose]());

function slack(name = "slack") {
  return { ...keyManifest(name), auth: { type: "api_key", key_name: BARE, header: "authorization", prompt: "Token" } };
}

const config = () => readFileSync(lab.home.configFile, "utf8");

test("AUTH-4/keychain-then-config the item goes, in either name, and then the reference", async () => {
  lab.config(SENTINEL);
  const atChange: string[] = [];
  const { keychain } = lab;
  const remove = keychain.remove.bind(keychain);
  keychain.remove = async (...args) => {
    atChange.push(config());
    return await remove(...args);
  };
  const done = await clearPluginKey(lab.app, "slack");
  expect(done as unknown).toEqual({
    plugin: "slack",
    cleared: true,
    kept: undefined,
    stillGivenBy: undefined,
    helpUrl: undefined,
  });
  expect(atChange).toEqual([`${SENTINEL}\n`]);
  expect(keychain.stored()).toEqual({});
  expect(config()).toBe("[fermix_core.plugin_secrets]\n");
});

test("AUTH-4/keychain-first while the keychain keeps the key, config.toml keeps its reference", async () => {
  lab.config(SENTINEL);
  const before = snapshotTree(lab.home.root);
  for (const [trouble, code] of [
    [{ state: "locked" }, "keychain_locked"],
    [{ state: "timed_out", afterMs: 3000 }, "keychain_timed_out"],
    [{ state: "unavailable", reason: "no bus" }, "keychain_unavailable"],
  ] as const) {
    lab.keychain.trouble = trouble;
    await expectRefusal(() => clearPluginKey(lab.app, "slack"), code);
  }
  expect(snapshotTree(lab.home.root)).toEqual(before);
});

test("one in clear goes also where there is no keychain", async () => {
  lab.config("[fermix_core.plugin_secrets]", 'slack = "in clear"');
  lab.keychain.trouble = { state: "unavailable", reason: "no bus" };
  expect((await clearPluginKey(lab.app, "slack")).cleared).toBe(true);
  expect(config()).not.toContain("in clear");
});

describe("the bare item stays", () => {
  test("while a channel refers to it", async () => {
    lab.config(SENTINEL, "[fermix_channels.slack]", 'bot_token = "@keyring"');
    expect((await clearPluginKey(lab.app, "slack")).kept).toEqual({
      item: BARE,
      by: "fermix_channels.slack.bot_token",
    });
    expect(lab.keychain.stored()).toEqual({ [`fermix/${BARE}`]: "an older one" });
  });

  test("while another plugin has its key there", async () => {
    lab.installed(slack("slack_too"));
    lab.config(SENTINEL, 'slack_too = "@keyring"');
    expect((await clearPluginKey(lab.app, "slack")).kept).toEqual({
      item: BARE,
      by: "fermix_core.plugin_secrets.slack_too",
    });
    expect(lab.keychain.stored()).toEqual({ [`fermix/${BARE}`]: "an older one" });
  });

  test("and goes when the channel has a token of its own in clear", async () => {
    lab.config(SENTINEL, "[fermix_channels.slack]", 'bot_token = "xoxb-clear"');
    expect((await clearPluginKey(lab.app, "slack")).kept).toBeUndefined();
    expect(lab.keychain.stored()).toEqual({});
  });
});

test("nothing to clear is told, and a variable that still gives a key too", async () => {
  lab.keychain.item("fermix", OWN).item("fermix", BARE);
  lab.variables.set("FERMIX_PLUGIN_KEY_SLACK", "k");
  expect(await clearPluginKey(lab.app, "slack")).toMatchObject({
    cleared: false,
    stillGivenBy: "FERMIX_PLUGIN_KEY_SLACK",
  });
});
