/** The parts of config.toml that Fermix reads, with their types (spec 8.5); everything else in the file is free. */
import * as v from "valibot";
import { asPluginName } from "../kernel/names.ts";

const isTable = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value) && !(value instanceof Date);

const TABLE = "must be a table";
const text = v.string("must be text");
const onOff = v.boolean("must be true or false");

/** Several keys of a table are known; its other keys are free. */
function table<Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(v.custom<Record<string, unknown>>(isTable, TABLE), v.looseObject(entries));
}

/** Every value of a table has one type, whatever its key. */
function tableOf<Value extends v.GenericSchema>(value: Value) {
  return v.pipe(v.custom<Record<string, unknown>>(isTable, TABLE), v.record(v.string(), value));
}

/** The tables of these names have one shape; whatever else the table holds is free. */
function tablesNamed<Name extends string, Value extends v.GenericSchema>(names: readonly Name[], value: Value) {
  const entries = Object.fromEntries(names.map((name) => [name, v.optional(value)]));
  return table(entries as Record<Name, v.OptionalSchema<Value, undefined>>);
}

const pluginName = v.pipe(
  text,
  v.rawTransform(({ dataset, addIssue, NEVER }) => {
    const name = asPluginName(dataset.value);
    if (name !== undefined) return name;
    addIssue({ message: `${JSON.stringify(dataset.value)} is not a plugin name` });
    return NEVER;
  }),
);

/** Names of files are put behind it, so nothing may follow the folder. Whether it may be reached, egress decides. */
const mirror = v.pipe(
  text,
  v.check(isMirror, "must be a folder written https://HOST/FOLDER or file:///FOLDER, without ? or #"),
);

function isMirror(url: string): boolean {
  const parsed = /^(https:\/\/[^/]|file:\/\/\/)/.test(url) && !/[?#]/.test(url) ? URL.parse(url) : null;
  return parsed !== null && (parsed.protocol === "https:" || parsed.host === "");
}

/** A password in it would lie in the file as plain text, and a path would mean nothing. */
const proxy = v.pipe(
  text,
  v.check(isProxy, "must be written http://HOST:PORT or https://HOST:PORT, without a user name, password or path"),
);

function isProxy(url: string): boolean {
  const parsed = /^https?:\/\/[^/?#@\s]+\/?$/.test(url) ? URL.parse(url) : null;
  return parsed !== null && parsed.port !== "0";
}

/** The operator's own patience; an agent's client gives up long before the longest. */
const MAX_TIMEOUT_SECONDS = 3600;
const TIMEOUT = `must be a whole number of seconds from 1 to ${MAX_TIMEOUT_SECONDS}`;
const timeoutSeconds = v.pipe(
  v.number(TIMEOUT),
  v.check((seconds) => Number.isInteger(seconds) && seconds >= 1 && seconds <= MAX_TIMEOUT_SECONDS, TIMEOUT),
);

/** Keys that hold a secret or its sentinel, each of them text. */
const secretKeys = <Key extends string>(...keys: readonly Key[]) =>
  Object.fromEntries(keys.map((key) => [key, v.optional(text)])) as Record<
    Key,
    v.OptionalSchema<typeof text, undefined>
  >;

/** People write an id with and without quotes. */
const id = v.union([v.string(), v.number(), v.bigint()], "must be text or a number");

/** The blocks whose secrets secret-places.ts lists. */
export const PROVIDERS = ["openai", "openai_codex", "anthropic", "xai", "mistral", "openrouter"] as const;
export const CHANNELS = ["telegram", "whatsapp", "discord", "slack", "signal"] as const;
const provider = table({ ...secretKeys("api_key"), auth_mode: v.optional(text) });
const transcription = table({
  backend: v.optional(text),
  ...secretKeys("openai_api_key", "xai_api_key", "deepgram_api_key"),
});
const realtime = table({ enabled: v.optional(onOff), ...secretKeys("openai_api_key") });
const channel = table({
  enabled: v.optional(onOff),
  ...secretKeys("bot_token", "access_token", "verify_token", "app_secret", "signing_secret"),
  phone_number_id: v.optional(id),
  bot_user_id: v.optional(id),
  account: v.optional(id),
});

const PORT = "must be a port from 1 to 65535";
const port = v.pipe(
  v.number(PORT),
  v.check((number) => Number.isInteger(number) && number >= 1 && number <= 65_535, PORT),
);
const oauthClient = table({
  client_id: v.optional(text),
  client_secret: v.optional(text),
  redirect_host: v.optional(text),
  redirect_port: v.optional(port),
});

export const configSchema = table({
  fermix_channels: v.optional(tablesNamed(CHANNELS, channel), {}),
  fermix_core: v.optional(
    table({
      // It is part of the names of keychain items, which take none of these (spec 8.4).
      profile: v.optional(v.pipe(text, v.regex(/^\P{Cc}*$/u, "must have no control characters"))),
      plugins: v.optional(
        table({
          enabled: v.optional(v.array(pluginName, "must be a list of plugin names"), []),
          dev_local: v.optional(text),
          artifact_mirror: v.optional(mirror),
        }),
      ),
      http: v.optional(table({ proxy: v.optional(proxy), timeout_seconds: v.optional(timeoutSeconds) })),
      oauth: v.optional(tableOf(oauthClient), {}),
      plugin_secrets: v.optional(tableOf(text), {}),
      providers: v.optional(tablesNamed(PROVIDERS, provider), {}),
      transcription: v.optional(transcription, {}),
      realtime: v.optional(realtime, {}),
    }),
    {},
  ),
});

/** One value of a plugin's table. An integer too large for a number keeps its digits as text. */
export const settingSchema = v.union(
  [v.string(), v.boolean(), v.number(), v.pipe(v.bigint(), v.transform(String))],
  "must be text, a number, true or false",
);

/** The lower-case keys of a plugin's table that have a meaning. */
export const plumbingSchema = table({
  enabled: v.optional(onOff),
  auth_profile: v.optional(text),
  access_profile: v.optional(text),
  workspace_id: v.optional(settingSchema),
  workspace_label: v.optional(settingSchema),
});

export { isTable };
