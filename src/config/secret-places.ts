/** Every place of config.toml that holds a secret of a model provider, of voice or of a channel, and its keychain item. */
import { type ConfigPath, knownVariables } from "./variables.ts";

export interface SecretPlace {
  /** The key of config.toml. */
  readonly path: ConfigPath;
  /** The item of the keychain that holds it, in the ecosystem's homes too (DECISIONS 25). */
  readonly item: string;
  /** The variable that goes before config.toml; undefined where config.toml alone decides. */
  readonly variable: string | undefined;
  /** Whether it is sent as part of a header or an address, which no line break may be in (DECISIONS 27). */
  readonly oneLine: boolean;
}

/** Values that others compare or sign with; everything else is sent as it is. */
const KEPT_WHOLE: ReadonlySet<string> = new Set(["verify_token", "app_secret", "signing_secret"]);

function place(path: ConfigPath, item: string, variable?: string): SecretPlace {
  return { path, item, variable, oneLine: !KEPT_WHOLE.has(path.at(-1) ?? "") };
}

/** The document's own order: providers and channels that a variable may give, then what config.toml alone gives. */
export const secretPlaces: readonly SecretPlace[] = [
  ...knownVariables.flatMap(({ name, secret, gives }) =>
    secret && gives !== undefined ? [place(gives, name, name)] : [],
  ),
  place(["fermix_channels", "telegram", "bot_token"], "TELEGRAM_BOT_TOKEN"),
  place(["fermix_core", "transcription", "openai_api_key"], "TRANSCRIPTION_OPENAI_API_KEY"),
  place(["fermix_core", "transcription", "xai_api_key"], "TRANSCRIPTION_XAI_API_KEY"),
  place(["fermix_core", "transcription", "deepgram_api_key"], "DEEPGRAM_API_KEY"),
  place(["fermix_core", "realtime", "openai_api_key"], "REALTIME_OPENAI_API_KEY"),
];

/** The table's secrets, and Telegram's token under the name that people export it by. */
const SECRET_VARIABLES: ReadonlySet<string> = new Set([
  ...knownVariables.flatMap(({ name, secret }) => (secret ? [name] : [])),
  ...secretPlaces.flatMap(({ path: [block], item }) => (block === "fermix_channels" ? [item] : [])),
]);

/** Whether a variable of this name holds a secret of Fermix's own, which no child may be given; case does not matter. */
export function isSecretVariable(name: string): boolean {
  return SECRET_VARIABLES.has(name.toUpperCase());
}

/** A channel's own id: no secret, so it is never moved into the keychain. */
export interface IdPlace {
  readonly path: ConfigPath;
  readonly variable: string;
}

export const idPlaces: readonly IdPlace[] = knownVariables.flatMap(({ name, secret, gives }) =>
  !secret && gives !== undefined ? [{ path: gives, variable: name }] : [],
);

/** The place at these keys; undefined where no secret of this table is. */
export function secretPlaceAt(...path: readonly string[]): SecretPlace | undefined {
  const key = configKey(path);
  return secretPlaces.find((candidate) => configKey(candidate.path) === key);
}

/** The key as messages and doctor's rows name it, such as `fermix_channels.slack.bot_token`. */
export function configKey(path: readonly string[]): string {
  return path.join(".");
}
