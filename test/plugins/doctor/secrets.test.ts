/** Tests of plugins/doctor/secrets.ts: a row for each secret with where it comes from, and never what it is. */
import { describe, expect, test } from "bun:test";
import { readConfig } from "../../../src/config/read.ts";
import type { Check } from "../../../src/plugins/doctor/check.ts";
import {
  checkChannels,
  checkProviders,
  checkRealtime,
  checkTranscription,
} from "../../../src/plugins/doctor/secrets.ts";
import { PluginLab, write } from "../lab.ts";

/** All rows, by name. */
async function rows(lab: PluginLab): Promise<Readonly<Record<string, Check>>> {
  const config = await readConfig(lab.home);
  const deps = { keychain: lab.keychain, env: lab.app.env };
  const checks = [
    ...(await checkProviders(deps, lab.home, config)),
    ...(await checkChannels(deps, config)),
    await checkTranscription(deps, config),
    await checkRealtime(deps, config),
  ];
  expect(JSON.stringify(checks)).not.toContain("canary");
  return Object.fromEntries(checks.map((check) => [check.name, check]));
}

/** What config.toml says of a place, and how its secret is entered. */
const enter = (key: string) => `\`fermix setup --secret ${key}\``;

describe("model providers", () => {
  test("KEY-1/source: environment before config.toml before the keychain, and nothing for a provider that nobody uses", async () => {
    using lab = new PluginLab();
    lab.keychain.item("fermix", "MISTRAL_API_KEY", "canary").item("fermix", "OPENROUTER_API_KEY");
    lab.config(
      ...["[fermix_core.providers.openai]", 'api_key = "canary"', "[fermix_core.providers.anthropic]"],
      ...["[fermix_core.providers.mistral]", 'api_key = "@keyring"', "[fermix_core.providers.openrouter]"],
      'api_key = "@keyring"',
    );
    const found = await rows(lab);
    expect(Object.keys(found)).toEqual([
      ...["provider openai", "provider anthropic", "provider mistral", "provider openrouter"],
      ...["transcription", "realtime"],
    ]);
    const openai = { name: "provider openai", level: "ok", fix: "" };
    expect(found["provider openai"]).toEqual({
      ...openai,
      level: "ok",
      detail: "from config.toml (fermix_core.providers.openai.api_key)",
      source: "config",
    });
    expect(found["provider mistral"]).toMatchObject({
      detail: "from the keychain (MISTRAL_API_KEY)",
      source: "keychain",
    });
    expect(found["provider anthropic"]).toEqual({
      name: "provider anthropic",
      level: "warn",
      detail: "not set",
      fix: `${enter("fermix_core.providers.anthropic.api_key")}; or set ANTHROPIC_API_KEY`,
    });
    expect(found["provider openrouter"]).toMatchObject({
      level: "fail",
      detail: "config.toml says that it is in the keychain, and OPENROUTER_API_KEY is not there",
    });
    lab.variables.set("OPENAI_API_KEY", "canary").set("XAI_API_KEY", "canary");
    const given = await rows(lab);
    expect(given["provider openai"]).toMatchObject({
      detail: "from the environment (OPENAI_API_KEY)",
      source: "environment",
    });
    expect(given["provider xai"]).toMatchObject({ level: "ok", source: "environment" });
  });

  test("one that uses a sign-in has it, has to make it, or cannot read it", async () => {
    using lab = new PluginLab();
    const oauth = (name: string) => [`[fermix_core.providers.${name}]`, 'auth_mode = "oauth"'];
    lab.config(...oauth("xai"), ...oauth("anthropic"), "[fermix_core.providers.openai_codex]");
    const entry = { tokens: { access_token: "canary" }, auth_mode: "oauth_pkce" };
    const providers = { xai_oauth: entry, anthropic_oauth: { ...entry, status: "reauthorization_required" } };
    write(lab.home.authFile, JSON.stringify({ version: 2, providers }));
    const found = await rows(lab);
    expect(found["provider xai"]).toMatchObject({ level: "ok", detail: "signed in" });
    expect(found["provider anthropic"]).toMatchObject({
      level: "fail",
      fix: "`fermix auth login --provider anthropic`",
    });
    expect(found["provider openai_codex"]).toMatchObject({
      level: "fail",
      detail: "it uses a sign-in, and nobody is signed in",
      fix: "`fermix auth login --provider codex`",
    });
    write(lab.home.authFile, "{");
    expect((await rows(lab))["provider xai"]?.detail).toContain("is no valid JSON");
  });
});

describe("voice", () => {
  const backend = (name: string, ...more: readonly string[]) => [
    "[fermix_core.transcription]",
    `backend = "${name}"`,
    ...more,
  ];

  test("KEY-2/doctor-offline: its own key, the provider's, or none; a sign-in of xAI is none", async () => {
    using lab = new PluginLab();
    lab.keychain.item("fermix", "TRANSCRIPTION_OPENAI_API_KEY", "canary");
    lab.config(...backend("openai", 'openai_api_key = "@keyring"'));
    expect((await rows(lab))["transcription"]).toEqual({
      name: "transcription",
      level: "ok",
      detail: "openai: from the keychain (TRANSCRIPTION_OPENAI_API_KEY)",
      fix: "",
      source: "keychain",
    });
    lab.variables.set("OPENAI_API_KEY", "canary");
    lab.config(...backend("openai"));
    expect((await rows(lab))["transcription"]).toMatchObject({
      level: "ok",
      detail: "openai: the key of the provider openai, from the environment (OPENAI_API_KEY)",
    });
    lab.config(...backend("xai"), "[fermix_core.providers.xai]", 'auth_mode = "oauth"');
    const entry = { tokens: { access_token: "canary" } };
    write(lab.home.authFile, JSON.stringify({ version: 2, providers: { xai_oauth: entry } }));
    expect((await rows(lab))["transcription"]).toEqual({
      name: "transcription",
      level: "fail",
      detail: "xai: not set",
      fix: enter("fermix_core.transcription.xai_api_key"),
    });
    lab.config(...backend("deepgram"));
    expect((await rows(lab))["transcription"]).toMatchObject({ level: "fail", detail: "deepgram: not set" });
    lab.config(...backend("echo"));
    expect((await rows(lab))["transcription"]).toMatchObject({
      level: "fail",
      detail: 'the backend "echo" is none of openai, xai, deepgram',
    });
  });

  test("KEY-3/doctor: realtime uses an OpenAI API key while the text provider is openai_codex; its own goes first", async () => {
    using lab = new PluginLab();
    const codex = ["[fermix_core.providers.openai_codex]", "[fermix_core.realtime]", "enabled = true"];
    lab.config(...codex);
    expect((await rows(lab))["realtime"]).toMatchObject({ level: "fail", detail: "openai: not set" });
    lab.variables.set("OPENAI_API_KEY", "canary");
    expect((await rows(lab))["realtime"]).toMatchObject({ level: "ok", source: "environment" });
    lab.config(...codex, 'openai_api_key = "canary"');
    expect((await rows(lab))["realtime"]).toMatchObject({
      level: "ok",
      detail: "openai: from config.toml (fermix_core.realtime.openai_api_key)",
    });
  });
});

describe("channels", () => {
  test("CHN-2/doctor: Telegram's token is config's alone; the others may come from their variables, and say so", async () => {
    using lab = new PluginLab();
    lab.keychain.item("fermix", "TELEGRAM_BOT_TOKEN", "canary");
    lab.variables.set("TELEGRAM_BOT_TOKEN", "canary-stray").set("SLACK_BOT_TOKEN", "canary");
    lab.config(
      ...["[fermix_channels.telegram]", "enabled = true", 'bot_token = "@keyring"'],
      ...["[fermix_channels.slack]", "enabled = true", "[fermix_channels.signal]", 'account = "+100"'],
    );
    const found = await rows(lab);
    expect(found["telegram bot_token"]).toMatchObject({
      level: "ok",
      detail: "from the keychain (TELEGRAM_BOT_TOKEN)",
    });
    expect(found["slack bot_token"]).toMatchObject({ level: "ok", source: "environment" });
    expect(found["slack signing_secret"]).toMatchObject({ level: "fail", detail: "not set" });
    expect(found["signal account"]).toMatchObject({ level: "ok", source: "config" });
  });

  test("one that is off is not looked at; one only written down lacks without failing; a stray variable alone is told", async () => {
    using lab = new PluginLab();
    lab.config(
      ...["[fermix_channels.slack]", "enabled = false", 'bot_token = "@keyring"', "[fermix_channels.discord]"],
      ...["[fermix_channels.telegram]", 'bot_token = "a\\nb"'],
    );
    lab.variables.set("SIGNAL_ACCOUNT", "+100");
    const found = await rows(lab);
    const levels = Object.values(found).map(({ name, level }) => [name, level]);
    expect(levels).toEqual([
      ["discord bot_token", "warn"],
      ["discord bot_user_id", "warn"],
      ["telegram bot_token", "fail"],
      ["signal account", "ok"],
      ["transcription", "ok"],
      ["realtime", "ok"],
    ]);
    expect(found["telegram bot_token"]?.detail).toBe(
      "from config.toml (fermix_channels.telegram.bot_token), and it holds a line break",
    );
  });

  test("a keychain in trouble is a named failure of each secret in it, and a variable helps where there is one", async () => {
    using lab = new PluginLab();
    lab.keychain.trouble = { state: "locked" };
    lab.config(
      ...["[fermix_channels.slack]", 'bot_token = "@keyring"', 'signing_secret = "@keyring"'],
      ...["[fermix_channels.telegram]", 'bot_token = "@keyring"'],
    );
    lab.variables.set("SLACK_SIGNING_SECRET", "canary");
    const found = await rows(lab);
    expect(found["slack signing_secret"]?.level).toBe("ok");
    expect(found["slack bot_token"]).toMatchObject({ level: "fail" });
    expect(found["slack bot_token"]?.fix).toEndWith("; or set SLACK_BOT_TOKEN");
    expect(found["telegram bot_token"]?.fix).not.toContain("; or set");
  });
});
