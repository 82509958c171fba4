/** Tests of plugins/doctor/config.ts: which secrets are in clear, by their keys and never by their values. */
import { expect, test } from "bun:test";
import { readConfig } from "../../../src/config/read.ts";
import { checkPlaintextSecrets } from "../../../src/plugins/doctor/config.ts";
import { PluginLab } from "../lab.ts";

test("DOC-1/plaintext: every kind of secret in clear is named; sentinels, blanks and placeholders are none", async () => {
  using lab = new PluginLab();
  lab.config(
    ...["[fermix_core.providers.openai]", 'api_key = "canary"', "[fermix_core.providers.xai]", 'api_key = "@keyring"'],
    ...["[fermix_core.oauth.google]", 'client_id = "id"', 'client_secret = "canary"'],
    ...["[fermix_core.oauth.x]", 'client_id = "id"'],
    ...[
      "[fermix_core.plugin_secrets]",
      'slack = "canary"',
      'discord = "@keyring"',
      'notes = " "',
      'odd = "$' + '{KEY}"',
    ],
    ...["[fermix_core.transcription]", 'deepgram_api_key = "canary"', 'xai_api_key = "@file"'],
    ...["[fermix_channels.telegram]", 'bot_token = "canary"'],
    ...["[fermix_channels.signal]", 'account = "+100"'],
  );
  const row = checkPlaintextSecrets(await readConfig(lab.home));
  expect(JSON.stringify(row)).not.toContain("canary");
  expect(row.level).toBe("warn");
  expect(row.detail.replace("in clear in config.toml: ", "").split(", ").sort()).toEqual([
    "fermix_channels.telegram.bot_token",
    "fermix_core.oauth.google.client_secret",
    "fermix_core.plugin_secrets.slack",
    "fermix_core.providers.openai.api_key",
    "fermix_core.transcription.deepgram_api_key",
  ]);
  expect(row.fix).toBe("`fermix setup --migrate-secrets` moves them into the keychain");
});
