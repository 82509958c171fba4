/** Where each secret of a model provider, of voice and of a channel comes from; a row each, never a value (KEY-1..3, CHN-1, CHN-2). */
import { readSignIns } from "../../auth/entry-status.ts";
import {
  KEYED_PROVIDERS,
  type KeyedProvider,
  resolveProviderKey,
  resolveRealtime,
  resolveTranscription,
  type SharedKey,
  TRANSCRIPTION_BACKENDS,
} from "../../auth/model-keys.ts";
import {
  type ResolvedSecret,
  resolveId,
  resolveSecret,
  type SecretDeps,
  type SecretSource,
} from "../../auth/resolve-secret.ts";
import { reconnections } from "../../auth/stale.ts";
import type { Config } from "../../config/config.ts";
import {
  configKey,
  type IdPlace,
  idPlaces,
  type SecretPlace,
  secretPlaceAt,
  secretPlaces,
} from "../../config/secret-places.ts";
import type { Home } from "../../files/home.ts";
import { quote } from "../../kernel/codes/row.ts";
import { never } from "../../kernel/error.ts";
import { type Check, fail, type Level, ok } from "./check.ts";

const CHANNELS = "fermix_channels";
const NOT_SET = "not set";
/** The profile of a provider's own sign-in, for those whose `auth_mode` may be `oauth` (spec 8.1). */
const SIGN_IN_PROFILES: Readonly<Partial<Record<KeyedProvider, string>>> = {
  anthropic: "anthropic_oauth",
  xai: "xai_oauth",
};

/** The provider that has a sign-in and no key. */
const CODEX = "openai_codex";

/** A row for each provider that config.toml has a block of, or that something gives a key to. */
export async function checkProviders(deps: SecretDeps, home: Home, config: Config): Promise<readonly Check[]> {
  const rows = await Promise.all(KEYED_PROVIDERS.map((provider) => providerRow(deps, home, config, provider)));
  const checks = rows.filter((row) => row !== undefined);
  return config.providers.has(CODEX) ? [...checks, signInRow(`provider ${CODEX}`, home, CODEX)] : checks;
}

async function providerRow(
  deps: SecretDeps,
  home: Home,
  config: Config,
  provider: KeyedProvider,
): Promise<Check | undefined> {
  const name = `provider ${provider}`;
  const profile = SIGN_IN_PROFILES[provider];
  if (config.providers.get(provider)?.authMode === "oauth" && profile !== undefined)
    return signInRow(name, home, profile);
  const secret = await resolveProviderKey(deps, config, provider);
  if (secret.state === "missing" && !config.providers.has(provider)) return undefined;
  return secretRow(name, secret, known("fermix_core", "providers", provider, "api_key"), "warn");
}

function signInRow(name: string, home: Home, profile: string): Check {
  const signIn = readSignIns(home).of(profile);
  if (signIn.state === "connected") return ok(name, "signed in");
  const fix = reconnections(profile, [])
    .map(({ command }) => command)
    .join("; ");
  if (signIn.state === "unreadable") return fail(name, signIn.error.message, signIn.error.fix);
  const reason =
    signIn.state === "absent" ? "it uses a sign-in, and nobody is signed in" : "its sign-in has to be made anew";
  return fail(name, reason, fix);
}

/** Rows for each secret and id of each channel that is not switched off, or that something gives a value to (CHN-2). */
export async function checkChannels(deps: SecretDeps, config: Config): Promise<readonly Check[]> {
  const places = [...secretPlaces, ...idPlaces].filter(({ path: [root] }) => root === CHANNELS);
  const channels = [...new Set(places.map(({ path }) => path[1] ?? ""))];
  const wanted = channels.flatMap((channel) => {
    const missing = wantedLevel(config, channel);
    const own = places.filter(({ path }) => path[1] === channel);
    return missing === undefined
      ? []
      : own.map((place) => ({ name: `${channel} ${place.path.at(-1)}`, place, missing }));
  });
  const rows = await Promise.all(
    wanted.map(async ({ name, place, missing }) =>
      "item" in place
        ? await channelSecretRow(deps, config, { name, place, missing })
        : idRow(deps, config, { name, place, missing }),
    ),
  );
  return rows.filter((row) => row !== undefined);
}

/** One place of a channel, as its row is named, and how bad it is when nothing is there. */
interface Wanted<Place> {
  readonly name: string;
  readonly place: Place;
  readonly missing: Level;
}

async function channelSecretRow(
  deps: SecretDeps,
  config: Config,
  { name, place, missing }: Wanted<SecretPlace>,
): Promise<Check | undefined> {
  const secret = await resolveSecret(deps, config, place);
  if (secret.state === "missing" && !isWrittenDown(config, place)) return undefined;
  return secretRow(name, secret, place, missing);
}

function idRow({ env }: SecretDeps, config: Config, { name, place, missing }: Wanted<IdPlace>): Check | undefined {
  const found = resolveId(env, config, place);
  if (found !== undefined) return { ...ok(name, sourceText(found.source)), source: found.source.kind };
  if (!isWrittenDown(config, place)) return undefined;
  return {
    name,
    level: missing,
    detail: NOT_SET,
    fix: `set ${configKey(place.path)} in config.toml, or ${place.variable}`,
  };
}

function isWrittenDown({ channels }: Config, { path }: SecretPlace | IdPlace): boolean {
  return channels.has(path[1] ?? "");
}

/** How bad a missing value is: a channel that is on does not work, one that is only written down may not be meant to. */
function wantedLevel(config: Config, channel: string): Level | undefined {
  const enabled = config.channels.get(channel)?.enabled;
  if (enabled === false) return undefined;
  return enabled === true ? "fail" : "warn";
}

/** Whether the service that voice notes go to has its key (product document, "Transcription backend keys"; KEY-2). */
export async function checkTranscription(deps: SecretDeps, config: Config): Promise<Check> {
  const name = "transcription";
  const found = await resolveTranscription(deps, config);
  switch (found.state) {
    case "off":
      return ok(name, "off; [fermix_core.transcription] names no backend");
    case "unknown_backend": {
      const backends = TRANSCRIPTION_BACKENDS.join(", ");
      const detail = `the backend ${quote(found.backend)} is none of ${backends}`;
      return fail(name, detail, `set fermix_core.transcription.backend in config.toml to one of ${backends}`);
    }
    case "on":
      return sharedRow(name, found.backend, found, known("fermix_core", "transcription", `${found.backend}_api_key`));
    default:
      return never(found);
  }
}

/** Whether realtime voice has an OpenAI API key, whatever the text provider is (KEY-3). */
export async function checkRealtime(deps: SecretDeps, config: Config): Promise<Check> {
  const name = "realtime";
  if (!config.realtime.enabled) return ok(name, "off");
  return sharedRow(
    name,
    "openai",
    await resolveRealtime(deps, config),
    known("fermix_core", "realtime", "openai_api_key"),
  );
}

function sharedRow(name: string, service: string, { secret, reuses }: SharedKey, own: SecretPlace): Check {
  const row = secretRow(name, secret, own, "fail");
  const whose = reuses === undefined || secret.state === "missing" ? "" : `the key of the provider ${reuses}, `;
  return { ...row, detail: `${service}: ${whose}${row.detail}` };
}

function secretRow(name: string, secret: ResolvedSecret, place: SecretPlace, missing: Level): Check {
  const again = `\`fermix setup --secret ${configKey(place.path)}\``;
  const enter = place.variable === undefined ? again : `${again}; or set ${place.variable}`;
  switch (secret.state) {
    case "found":
      return { ...ok(name, sourceText(secret.source)), source: secret.source.kind };
    case "missing":
      return { name, level: missing, detail: NOT_SET, fix: enter };
    case "dangling":
      return fail(name, `config.toml says that it is in the keychain, and ${secret.item} is not there`, enter);
    case "unusable":
      return { ...fail(name, `${sourceText(secret.source)}, and ${secret.reason}`, enter), source: secret.source.kind };
    case "unreadable": {
      const { message, fix } = secret.error;
      return fail(name, message, place.variable === undefined ? fix : `${fix}; or set ${place.variable}`);
    }
    default:
      return never(secret);
  }
}

function sourceText(source: SecretSource): string {
  switch (source.kind) {
    case "environment":
      return `from the environment (${source.variable})`;
    case "config":
      return `from config.toml (${source.key})`;
    case "keychain":
      return `from the keychain (${source.item})`;
    default:
      return never(source);
  }
}

function known(...path: readonly string[]): SecretPlace {
  const place = secretPlaceAt(...path);
  if (place === undefined) throw new Error(`no secret is kept at ${path.join(".")}`);
  return place;
}
