/** Tests of auth/secret-report.ts: one row a secret with its source and its fix, and no value anywhere. */
import { describe, expect, test } from "bun:test";
import { secretReport } from "../../src/auth/secret-report.ts";
import { configOf, secretsLab } from "./secrets-lab.ts";

const MIGRATE = "`fermix setup --migrate-secrets`";

async function report(variables: Readonly<Record<string, string>>, ...lines: readonly string[]) {
  const { deps, keychain } = secretsLab(variables);
  keychain.item("fermix", "TELEGRAM_BOT_TOKEN", "1:canary").item("fermix", "DEEPGRAM_API_KEY");
  const rows = await secretReport(deps, await configOf(...lines));
  const row = (key: string) => rows.find((candidate) => candidate.key === key);
  return { rows, row };
}

describe("the report", () => {
  test("has a row for every secret and every id of a channel, set or not", async () => {
    const { rows } = await report({});
    expect(rows.length).toBe(19);
    expect(rows.every(({ state, wanted, source }) => state === "missing" && !wanted && source === undefined)).toBe(
      true,
    );
    expect(rows.filter(({ secret }) => !secret).map(({ key }) => key)).toEqual([
      "fermix_channels.whatsapp.phone_number_id",
      "fermix_channels.discord.bot_user_id",
      "fermix_channels.signal.account",
    ]);
  });

  test("CHN-1/source-told, CHN-2/source-told: each tells where its secret comes from", async () => {
    const { row, rows } = await report(
      { SLACK_BOT_TOKEN: "xoxb-canary", TELEGRAM_BOT_TOKEN: "1:stray-canary", SIGNAL_ACCOUNT: "+1555" },
      "[fermix_channels]",
      'telegram.bot_token = "@keyring"',
      'slack.signing_secret = "canary"',
      "[fermix_core.transcription]",
      'deepgram_api_key = "@keyring"',
    );
    expect(row("fermix_channels.telegram.bot_token")).toMatchObject({
      detail: "from the keychain (TELEGRAM_BOT_TOKEN)",
      fix: "",
    });
    expect(row("fermix_channels.slack.bot_token")).toMatchObject({
      source: { kind: "environment", variable: "SLACK_BOT_TOKEN" },
      detail: "from the variable SLACK_BOT_TOKEN",
    });
    expect(row("fermix_channels.slack.signing_secret")).toMatchObject({
      detail: "from config.toml, in clear",
      fix: MIGRATE,
    });
    expect(row("fermix_channels.signal.account")).toMatchObject({
      detail: "from the variable SIGNAL_ACCOUNT",
      fix: "",
    });
    expect(row("fermix_core.transcription.deepgram_api_key")).toMatchObject({
      state: "dangling",
      detail: "config.toml says @keyring, and the keychain has no DEEPGRAM_API_KEY",
      fix: `write deepgram_api_key under [fermix_core.transcription] in config.toml, then ${MIGRATE}`,
    });
    expect(JSON.stringify(rows)).not.toContain("canary");
  });

  test("what is missing names the variable, where there is one, and the key", async () => {
    const { row } = await report({});
    expect(row("fermix_core.providers.mistral.api_key")?.fix).toBe(
      `set MISTRAL_API_KEY; or write api_key under [fermix_core.providers.mistral] in config.toml, then ${MIGRATE}`,
    );
    expect(row("fermix_channels.telegram.bot_token")?.fix).toBe(
      `write bot_token under [fermix_channels.telegram] in config.toml, then ${MIGRATE}`,
    );
    expect(row("fermix_channels.discord.bot_user_id")?.fix).toBe(
      "set DISCORD_BOT_USER_ID, or bot_user_id under [fermix_channels.discord] in config.toml",
    );
  });

  test("what a channel in use needs is wanted; one that is off, or has a stray variable alone, wants nothing", async () => {
    const lines = ["[fermix_channels.discord]", "[fermix_channels.whatsapp]", "enabled = false"];
    const { rows } = await report({ SLACK_BOT_TOKEN: "xoxb" }, ...lines);
    expect(rows.filter(({ wanted }) => wanted).map(({ key }) => key)).toEqual([
      "fermix_channels.discord.bot_token",
      "fermix_channels.discord.bot_user_id",
    ]);
  });

  test("a keychain in trouble and a value that is none are told with what to do", async () => {
    const { deps, keychain } = secretsLab({ OPENAI_API_KEY: "sk\n1" });
    keychain.trouble = { state: "locked" };
    const rows = await secretReport(deps, await configOf("[fermix_channels]", 'telegram.bot_token = "@keyring"'));
    expect(rows.find(({ key }) => key === "fermix_channels.telegram.bot_token")).toMatchObject({
      state: "unreadable",
      detail: "The keychain is locked, so TELEGRAM_BOT_TOKEN could not be read",
      fix: "unlock the keychain, then try again",
    });
    expect(rows.find(({ key }) => key === "fermix_core.providers.openai.api_key")).toMatchObject({
      state: "unusable",
      detail: "from the variable OPENAI_API_KEY, but it holds a line break",
    });
  });
});
