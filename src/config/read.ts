/** Reads config.toml into what Fermix needs of it, or names the file, line and key that are wrong. */
import * as v from "valibot";
import { DIRECT, type NetworkPolicy } from "../egress/network-policy.ts";
import type { Home } from "../files/home.ts";
import { FermixError } from "../kernel/error.ts";
import { asPluginName, type PluginName } from "../kernel/names.ts";
import type { Config, OauthClient, PluginSettings } from "./config.ts";
import { CHANNELS, configSchema, isTable, PROVIDERS, plumbingSchema, settingSchema } from "./schema.ts";
import { configKey, idPlaces, secretPlaces } from "./secret-places.ts";
import { parseToml, readConfigText } from "./toml-text.ts";

/** A home without config.toml has this one. */
const EMPTY: Config = {
  plugins: { enabled: [], settings: new Map() },
  network: DIRECT,
  oauth: new Map(),
  pluginSecrets: new Map(),
  providers: new Map(),
  transcription: {},
  realtime: { enabled: false },
  channels: new Map(),
  secrets: new Map(),
  ids: new Map(),
};

/** The home's configuration; an absent file is an empty one. Throws config_invalid or home_unusable. */
export async function readConfig(home: Home): Promise<Config> {
  const text = readConfigText(home.configFile);
  return text === undefined ? EMPTY : parseConfig(text, home.configFile);
}

/** Checks a document's text; `path` is only for the message. Throws config_invalid. */
export async function parseConfig(text: string, path: string): Promise<Config> {
  const document = parseToml(text, path);
  const refuse = async (issue: Problem, under: readonly string[]): Promise<never> => {
    const { lineOfKey } = await import("./locate.ts");
    const keys = [...under, ...(issue.path ?? []).map(({ key }) => String(key))];
    const line = lineOfKey(text, keys);
    const key = keys.join(".");
    throw new FermixError("config_invalid", {
      path,
      ...(line === undefined ? {} : { line }),
      key,
      reason: issue.message,
    });
  };
  const read = v.safeParse(configSchema, document);
  if (!read.success) return await refuse(read.issues[0], []);
  const { fermix_core: core, fermix_channels: channels } = read.output;
  const settings = new Map<PluginName, PluginSettings>();
  for (const [key, value] of Object.entries(core.plugins ?? {})) {
    const name = asPluginName(key);
    if (name === undefined || !isTable(value)) continue;
    const checked = settingsIn(value);
    if (!(checked instanceof Map)) return await refuse(checked, ["fermix_core", "plugins", name]);
    settings.set(name, checked);
  }
  const { profile } = core;
  const { dev_local: devLocal, artifact_mirror: artifactMirror } = core.plugins ?? {};
  return {
    ...(profile === undefined ? {} : { profile }),
    plugins: {
      enabled: [...new Set(core.plugins?.enabled ?? [])],
      ...(devLocal === undefined ? {} : { devLocal }),
      ...(artifactMirror === undefined ? {} : { artifactMirror }),
      settings,
    },
    network: networkOf(core.http),
    oauth: new Map(Object.entries(core.oauth).map(([provider, client]) => [provider, oauthClient(client)])),
    pluginSecrets: secretsIn(core.plugin_secrets),
    providers: byName(PROVIDERS, core.providers, ({ auth_mode: authMode }: { auth_mode?: string | undefined }) =>
      authMode === undefined ? {} : { authMode },
    ),
    transcription: core.transcription.backend === undefined ? {} : { backend: core.transcription.backend },
    realtime: { enabled: core.realtime.enabled ?? false },
    channels: byName(CHANNELS, channels, ({ enabled }: { enabled?: boolean | undefined }) =>
      enabled === undefined ? {} : { enabled },
    ),
    secrets: placedIn(document, secretPlaces),
    ids: placedIn(document, idPlaces),
  };
}

function byName<Name extends string, Table, Settings>(
  names: readonly Name[],
  tables: { readonly [Key in Name]?: Table | undefined },
  settings: (table: Table) => Settings,
): ReadonlyMap<string, Settings> {
  const found = new Map<string, Settings>();
  for (const name of names) {
    const table = tables[name];
    if (table !== undefined) found.set(name, settings(table));
  }
  return found;
}

/** What the document has at these places; the schema has made sure of its type. */
function placedIn(
  document: Record<string, unknown>,
  places: readonly { readonly path: readonly string[] }[],
): ReadonlyMap<string, string> {
  const placed = new Map<string, string>();
  for (const { path } of places) {
    const inside = (at: unknown, key: string): unknown => (isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined);
    const value = path.reduce(inside, document);
    if (value !== undefined) placed.set(configKey(path), String(value));
  }
  return placed;
}

interface Problem {
  readonly message: string;
  readonly path?: readonly { readonly key: unknown }[] | undefined;
}

const SETTING_KEY = /^[A-Z][A-Z0-9_]*$/;

/** A plugin's values. Lower-case keys we do not know may hold anything; what is not a plain value is passed over. */
function settingsIn(table: Record<string, unknown>): Map<string, string | boolean | number> | Problem {
  const plumbing = v.safeParse(plumbingSchema, table);
  if (!plumbing.success) return plumbing.issues[0];
  const settings = new Map<string, string | boolean | number>();
  for (const [key, value] of Object.entries(table)) {
    const setting = v.safeParse(settingSchema, value);
    if (setting.success) settings.set(key, setting.output);
    else if (SETTING_KEY.test(key)) return { message: setting.issues[0].message, path: [{ key }] };
  }
  return settings;
}

function networkOf(http: { proxy?: string | undefined; timeout_seconds?: number | undefined } = {}): NetworkPolicy {
  const { proxy, timeout_seconds: seconds } = http;
  return { proxy, totalMs: seconds === undefined ? undefined : seconds * 1000 };
}

function oauthClient(client: {
  client_id?: string | undefined;
  client_secret?: string | undefined;
  redirect_host?: string | undefined;
  redirect_port?: number | undefined;
}): OauthClient {
  return {
    ...(client.client_id === undefined ? {} : { clientId: client.client_id }),
    ...(client.client_secret === undefined ? {} : { clientSecret: client.client_secret }),
    ...(client.redirect_host === undefined ? {} : { redirectHost: client.redirect_host }),
    ...(client.redirect_port === undefined ? {} : { redirectPort: client.redirect_port }),
  };
}

function secretsIn(table: Record<string, string>): ReadonlyMap<PluginName, string> {
  const secrets = new Map<PluginName, string>();
  for (const [key, value] of Object.entries(table)) {
    const name = asPluginName(key);
    if (name !== undefined) secrets.set(name, value);
  }
  return secrets;
}
