/** The table of environment variables: complete, named nowhere else, and shown without a value. */
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { idPlaces, isSecretVariable, secretPlaceAt, secretPlaces } from "../../src/config/secret-places.ts";
import { knownVariables, pluginKeyVariable, variableRows } from "../../src/config/variables.ts";

/** The product document's "Environment variable reference", in its order. */
const DOCUMENTED = [
  ...["OPENAI_API_KEY", "ANTHROPIC_API_KEY", "XAI_API_KEY", "CLAUDE_CODE_OAUTH_TOKEN", "OPENROUTER_API_KEY"],
  ...["MISTRAL_API_KEY", "WHATSAPP_ACCESS_TOKEN", "WHATSAPP_PHONE_NUMBER_ID", "WHATSAPP_VERIFY_TOKEN"],
  ...["WHATSAPP_APP_SECRET", "DISCORD_BOT_TOKEN", "DISCORD_BOT_USER_ID", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET"],
  "SIGNAL_ACCOUNT",
];

const env = (variables: Readonly<Record<string, string>>) => ({ get: (name: string) => variables[name] });

describe("the table", () => {
  test("ENV-1/every-variable: begins with the document's, none missing, and has no name twice", () => {
    const names = knownVariables.map(({ name }) => name);
    expect(names.slice(0, DOCUMENTED.length)).toEqual(DOCUMENTED);
    expect(names.slice(DOCUMENTED.length)).toEqual([
      ...["FERMIX_HOME", "CLAUDE_CONFIG_DIR", "NO_COLOR", "NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE"],
    ]);
    expect(new Set(names).size).toBe(names.length);
    for (const { about } of knownVariables) expect(about).not.toBe("");
  });

  test("ENV-1/one-place: no other source file names one of the document's variables", () => {
    const src = join(import.meta.dirname, "../../src");
    const sources = [...new Bun.Glob("**/*.ts").scanSync({ cwd: src })].filter(
      (path) => path !== "config/variables.ts",
    );
    expect(sources.length).toBeGreaterThan(100);
    const named = sources.flatMap((path) => {
      const code = readFileSync(join(src, path), "utf8");
      return DOCUMENTED.filter((name) => new RegExp(`["'\`]${name}["'\`]`).test(code)).map((name) => `${path} ${name}`);
    });
    expect(named).toEqual([]);
  });

  test("ENV-1/set-or-unset: a row tells the name, what it is for and whether it is set, and no value", () => {
    const variables = { OPENAI_API_KEY: "sk-canary-1", SLACK_BOT_TOKEN: "", MISTRAL_API_KEY: " \n" };
    const rows = variableRows(env({ ...variables, FERMIX_PLUGIN_KEY_SLACK_FILE: "/run/canary-2" }), ["slack"]);
    expect(rows.filter(({ set }) => set).map(({ name }) => name)).toEqual([
      "OPENAI_API_KEY",
      "FERMIX_PLUGIN_KEY_SLACK_FILE",
    ]);
    expect(rows.slice(-2).map(({ name }) => name)).toEqual(["FERMIX_PLUGIN_KEY_SLACK", "FERMIX_PLUGIN_KEY_SLACK_FILE"]);
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining([...DOCUMENTED, "FERMIX_HOME", "NO_COLOR"]));
    expect(JSON.stringify(rows)).not.toContain("canary");
  });

  test("a plugin's key has a variable of its own", () => {
    expect(pluginKeyVariable("agent_mail")).toBe("FERMIX_PLUGIN_KEY_AGENT_MAIL");
  });

  test("what is a secret is one in any case; ids and folders are none", () => {
    const isNone = ["WHATSAPP_PHONE_NUMBER_ID", "DISCORD_BOT_USER_ID", "SIGNAL_ACCOUNT"];
    expect(DOCUMENTED.filter((name) => !isSecretVariable(name))).toEqual(isNone);
    expect(isSecretVariable("TELEGRAM_BOT_TOKEN")).toBe(true);
    expect([isSecretVariable("openai_api_key"), isSecretVariable("FERMIX_HOME"), isSecretVariable("")]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

describe("the places of secrets", () => {
  test("each has a key of config.toml, an item of its own, and the variable of the same name where there is one", () => {
    const shown = secretPlaces.map(({ path, item, variable }) => `${path.join(".")} ${item} ${variable ?? "-"}`);
    expect(shown).toEqual([
      "fermix_core.providers.openai.api_key OPENAI_API_KEY OPENAI_API_KEY",
      "fermix_core.providers.anthropic.api_key ANTHROPIC_API_KEY ANTHROPIC_API_KEY",
      "fermix_core.providers.xai.api_key XAI_API_KEY XAI_API_KEY",
      "fermix_core.providers.openrouter.api_key OPENROUTER_API_KEY OPENROUTER_API_KEY",
      "fermix_core.providers.mistral.api_key MISTRAL_API_KEY MISTRAL_API_KEY",
      "fermix_channels.whatsapp.access_token WHATSAPP_ACCESS_TOKEN WHATSAPP_ACCESS_TOKEN",
      "fermix_channels.whatsapp.verify_token WHATSAPP_VERIFY_TOKEN WHATSAPP_VERIFY_TOKEN",
      "fermix_channels.whatsapp.app_secret WHATSAPP_APP_SECRET WHATSAPP_APP_SECRET",
      "fermix_channels.discord.bot_token DISCORD_BOT_TOKEN DISCORD_BOT_TOKEN",
      "fermix_channels.slack.bot_token SLACK_BOT_TOKEN SLACK_BOT_TOKEN",
      "fermix_channels.slack.signing_secret SLACK_SIGNING_SECRET SLACK_SIGNING_SECRET",
      "fermix_channels.telegram.bot_token TELEGRAM_BOT_TOKEN -",
      "fermix_core.transcription.openai_api_key TRANSCRIPTION_OPENAI_API_KEY -",
      "fermix_core.transcription.xai_api_key TRANSCRIPTION_XAI_API_KEY -",
      "fermix_core.transcription.deepgram_api_key DEEPGRAM_API_KEY -",
      "fermix_core.realtime.openai_api_key REALTIME_OPENAI_API_KEY -",
    ]);
  });

  test("a channel's ids are no secrets", () => {
    expect(idPlaces.map(({ path, variable }) => `${path.join(".")} ${variable}`)).toEqual([
      "fermix_channels.whatsapp.phone_number_id WHATSAPP_PHONE_NUMBER_ID",
      "fermix_channels.discord.bot_user_id DISCORD_BOT_USER_ID",
      "fermix_channels.signal.account SIGNAL_ACCOUNT",
    ]);
  });

  test("are found by their key", () => {
    expect(secretPlaceAt("fermix_channels", "telegram", "bot_token")).toMatchObject({ item: "TELEGRAM_BOT_TOKEN" });
    expect(secretPlaceAt("fermix_channels", "telegram")).toBeUndefined();
  });
});
