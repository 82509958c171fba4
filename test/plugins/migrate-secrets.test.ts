/** Tests of plugins/migrate-secrets.ts: every secret in clear moves, nothing else in the file does, and no key is lost. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { migrateSecrets } from "../../src/plugins/migrate-secrets.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { keyManifest, PluginLab } from "./lab.ts";

const BARE = "SLACK_BOT_TOKEN";
const OWN = "PLUGIN_SLACK_SLACK_BOT_TOKEN";

let lab: PluginLab;
beforeEach(() => {
  lab = new PluginLab();
  lab.installed({
    ...keyManifest("slack"),
    auth: { type: "api_key", key_name: BARE, header: "authorization", prompt: "Token" },
  });
});
afterEach(() => lab[Symbol.dispose]());

const config = () => readFileSync(lab.home.configFile, "utf8");

const BEFORE = `# my Fermix
[fermix_core] # core
  profile = 'work'

[fermix_channels.telegram]
bot_token = '123:in clear' # of @my_bot
chat = 7

[fermix_core.providers]
openai = { api_key = "sk-openai", model = 'm' } # mine
mistral.api_key = """sk-mistral"""

[fermix_core.plugin_secrets]
slack = "xoxb-slack"
discord = "@keyring"

# the client
[fermix_core.oauth.x]
client_secret = "x's secret" # keep
client_id = "an id"

[fermix_core.transcription]
deepgram_api_key = "dg"
openai_api_key = "\${OPENAI}"
`;

const AFTER = BEFORE.replace("'123:in clear'", '"@keyring"')
  .replace('"sk-openai"', '"@keyring"')
  .replace('"""sk-mistral"""', '"@keyring"')
  .replace('"xoxb-slack"', '"@keyring"')
  .replace(`"x's secret"`, '"@keyring"')
  .replace('"dg"', '"@keyring"');

const ITEMS = {
  TELEGRAM_BOT_TOKEN: "123:in clear",
  OPENAI_API_KEY: "sk-openai",
  MISTRAL_API_KEY: "sk-mistral",
  [OWN]: "xoxb-slack",
  X_OAUTH_CLIENT_SECRET: "x's secret",
  DEEPGRAM_API_KEY: "dg",
};

function allow(service: string, ...names: readonly string[]): void {
  for (const name of names) lab.keychain.item(service, name);
}

describe("secrets in clear", () => {
  test("KCH-3/moved KCH-3/comments every one moves, and every other byte stays", async () => {
    lab.config(BEFORE.trimEnd());
    allow("fermix:work", ...Object.keys(ITEMS), "DISCORD_BOT_TOKEN");
    const done = await migrateSecrets(lab.app);
    expect(done.left).toEqual([]);
    expect([...done.moved].sort()).toEqual([
      "fermix_channels.telegram.bot_token",
      "fermix_core.oauth.x.client_secret",
      "fermix_core.plugin_secrets.slack",
      "fermix_core.providers.mistral.api_key",
      "fermix_core.providers.openai.api_key",
      "fermix_core.transcription.deepgram_api_key",
    ]);
    expect(config()).toBe(AFTER);
    const stored = Object.entries(ITEMS).map(([name, value]) => [`fermix:work/${name}`, value]);
    expect(lab.keychain.stored()).toEqual(Object.fromEntries(stored));
    expect(await migrateSecrets(lab.app)).toEqual({ moved: [], left: [] });
    expect(config()).toBe(AFTER);
  });

  test("KCH-3/all-or-none when the keychain fails in between, config.toml is as it was, and a second run goes on", async () => {
    lab.config("[fermix_core.providers]", 'openai.api_key = "sk-1"', 'xai.api_key = "sk-2"');
    allow("fermix", "OPENAI_API_KEY", "XAI_API_KEY");
    const before = snapshotTree(lab.home.root);
    const { keychain } = lab;
    const set = keychain.set.bind(keychain);
    keychain.set = async (item, value) => (item.name === "XAI_API_KEY" ? { state: "locked" } : await set(item, value));
    await expectRefusal(() => migrateSecrets(lab.app), "keychain_locked", { item: "XAI_API_KEY", to: "stored" });
    expect(snapshotTree(lab.home.root)).toEqual(before);
    keychain.set = set;
    expect((await migrateSecrets(lab.app)).moved).toHaveLength(2);
    expect(config()).not.toContain("sk-");
  });

  test("KCH-2/migrate-refused without a keychain nothing moves, in the document's words", async () => {
    lab.config("[fermix_core.providers]", 'openai.api_key = "sk-1"');
    lab.keychain.item("fermix", "OPENAI_API_KEY").trouble = { state: "unavailable", reason: "no bus" };
    const before = snapshotTree(lab.home.root);
    await expectRefusal(() => migrateSecrets(lab.app), "keychain_unavailable");
    expect(snapshotTree(lab.home.root)).toEqual(before);
  });

  test("KCH-2/migrate-refused a keychain that is locked or never answers moves nothing, and is named", async () => {
    lab.config("[fermix_core.providers]", 'openai.api_key = "sk-1"');
    const before = snapshotTree(lab.home.root);
    for (const [trouble, code] of [
      [{ state: "locked" }, "keychain_locked"],
      [{ state: "timed_out", afterMs: 3_000 }, "keychain_timed_out"],
    ] as const) {
      lab.keychain.item("fermix", "OPENAI_API_KEY").trouble = trouble;
      await expectRefusal(() => migrateSecrets(lab.app), code);
      expect(snapshotTree(lab.home.root)).toEqual(before);
    }
  });

  test("one whose plugin nobody knows stays, and is told", async () => {
    lab.config("[fermix_core.plugin_secrets]", 'gone = "a key"', 'slack = "xoxb"');
    allow("fermix", OWN);
    const { moved, left } = await migrateSecrets(lab.app);
    expect(moved).toEqual(["fermix_core.plugin_secrets.slack"]);
    expect(left).toEqual([
      {
        key: "fermix_core.plugin_secrets.gone",
        reason: "no plugin of this name is known, so its item has no name",
      },
    ]);
    expect(config()).toContain('gone = "a key"\nslack = "@keyring"');
  });

  test("one that somebody changes meanwhile stays as it was changed", async () => {
    lab.config("[fermix_core.providers]", 'openai.api_key = "sk-1"', 'xai.api_key = "sk-2"');
    allow("fermix", "OPENAI_API_KEY", "XAI_API_KEY");
    const { keychain } = lab;
    const set = keychain.set.bind(keychain);
    keychain.set = async (item, value) => {
      lab.config("[fermix_core.providers]", 'openai.api_key = "sk-new"', 'xai.api_key = "sk-2"');
      return await set(item, value);
    };
    const { moved, left } = await migrateSecrets(lab.app);
    expect(moved).toEqual(["fermix_core.providers.xai.api_key"]);
    expect(left.map(({ key }) => key)).toEqual(["fermix_core.providers.openai.api_key"]);
    expect(config()).toBe('[fermix_core.providers]\nopenai.api_key = "sk-new"\nxai.api_key = "@keyring"\n');
  });
});

test("a channel's token does not overwrite a plugin's key that an ecosystem's home keeps in the same item", async () => {
  lab.config(
    "[fermix_channels.slack]",
    'bot_token = "xoxb-channel"',
    "[fermix_core.plugin_secrets]",
    'slack = "@keyring"',
  );
  lab.keychain.item("fermix", BARE, "xoxb-plugin").item("fermix", OWN);
  expect((await migrateSecrets(lab.app)).moved).toEqual(["fermix_channels.slack.bot_token"]);
  expect(lab.keychain.stored()).toEqual({ [`fermix/${BARE}`]: "xoxb-channel", [`fermix/${OWN}`]: "xoxb-plugin" });
});
