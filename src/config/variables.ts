/** Every environment variable that Fermix knows by name, in one table (product document, "Environment variable reference"; ENV-1). */
import type { Environment } from "./env.ts";

/** A key of config.toml, from its root. */
export type ConfigPath = readonly [string, ...string[]];

export interface KnownVariable {
  readonly name: string;
  /** When it is needed, or what it does. */
  readonly about: string;
  /** Whether its value is one: no child of Fermix is given it, whoever asks for it. */
  readonly secret: boolean;
  /** The key of config.toml in whose place it stands, where there is one. */
  readonly gives?: ConfigPath;
}

const apiKey = (name: string, provider: string, about: string): KnownVariable => ({
  name,
  about,
  secret: true,
  gives: ["fermix_core", "providers", provider, "api_key"],
});

const channel = (name: string, [id, key]: readonly [id: string, key: string], secret: boolean): KnownVariable => ({
  name,
  about: `the ${id} channel is enabled`,
  secret,
  gives: ["fermix_channels", id, key],
});

/** The document's table, in its order. Telegram is not in it: its token belongs to config.toml alone (CHN-2). */
const DOCUMENTED: readonly KnownVariable[] = [
  apiKey("OPENAI_API_KEY", "openai", "the provider is openai, or realtime voice is enabled"),
  apiKey("ANTHROPIC_API_KEY", "anthropic", 'the provider is anthropic with auth_mode = "api_key"'),
  apiKey("XAI_API_KEY", "xai", 'the provider is xai with auth_mode = "api_key"'),
  {
    name: "CLAUDE_CODE_OAUTH_TOKEN",
    about: "`fermix auth login --provider anthropic` takes it when no other way is named",
    secret: true,
  },
  apiKey("OPENROUTER_API_KEY", "openrouter", "the provider is openrouter"),
  apiKey("MISTRAL_API_KEY", "mistral", "the provider is mistral"),
  channel("WHATSAPP_ACCESS_TOKEN", ["whatsapp", "access_token"], true),
  channel("WHATSAPP_PHONE_NUMBER_ID", ["whatsapp", "phone_number_id"], false),
  channel("WHATSAPP_VERIFY_TOKEN", ["whatsapp", "verify_token"], true),
  channel("WHATSAPP_APP_SECRET", ["whatsapp", "app_secret"], true),
  channel("DISCORD_BOT_TOKEN", ["discord", "bot_token"], true),
  channel("DISCORD_BOT_USER_ID", ["discord", "bot_user_id"], false),
  channel("SLACK_BOT_TOKEN", ["slack", "bot_token"], true),
  channel("SLACK_SIGNING_SECRET", ["slack", "signing_secret"], true),
  channel("SIGNAL_ACCOUNT", ["signal", "account"], false),
];

/** What Fermix itself reads besides, and what the engine under it does (DECISIONS 14). */
const OWN: readonly KnownVariable[] = [
  { name: "FERMIX_HOME", about: "the home is another folder than ~/.fermix", secret: false },
  { name: "CLAUDE_CONFIG_DIR", about: "`--import-claude-code` looks there instead of in ~/.claude", secret: false },
  { name: "NO_COLOR", about: "the output is never colored", secret: false },
  { name: "NODE_EXTRA_CA_CERTS", about: "certificates of these authorities are trusted too", secret: false },
  { name: "SSL_CERT_FILE", about: "certificates of these authorities are trusted", secret: false },
];

/** All but those of plugins' keys, which are made of the plugins' names. */
export const knownVariables: readonly KnownVariable[] = [...DOCUMENTED, ...OWN];

/** The token of `claude setup-token`, as its own program reads it. */
export const CLAUDE_TOKEN_VARIABLE = "CLAUDE_CODE_OAUTH_TOKEN";
/** The folder of Claude Code's own files. */
export const CLAUDE_FOLDER_VARIABLE = "CLAUDE_CONFIG_DIR";

/** The variable that gives a plugin's key; with `_FILE` behind it, the one that names the key's file (DECISIONS 26). */
export function pluginKeyVariable(plugin: string): string {
  return `FERMIX_PLUGIN_KEY_${plugin.toUpperCase()}`;
}

/** One line of `doctor --env`: whether it is set, never to what. */
export interface VariableRow {
  readonly name: string;
  readonly about: string;
  readonly set: boolean;
}

/** The whole table, with two rows for each of these plugins; a blank variable counts as not set, as everywhere. */
export function variableRows(env: Pick<Environment, "get">, keyedPlugins: readonly string[]): readonly VariableRow[] {
  const keys = keyedPlugins.flatMap((plugin) => [
    { name: pluginKeyVariable(plugin), about: `the API key of the plugin ${plugin}` },
    { name: `${pluginKeyVariable(plugin)}_FILE`, about: `the file that holds the API key of the plugin ${plugin}` },
  ]);
  return [...knownVariables, ...keys].map(({ name, about }) => ({
    name,
    about,
    set: (env.get(name) ?? "").trim() !== "",
  }));
}
