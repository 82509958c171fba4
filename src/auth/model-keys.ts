/** Finds the API keys that model providers, transcription and realtime voice run on (KEY-1, KEY-2, KEY-3). */
import type { Config } from "../config/config.ts";
import { type SecretPlace, secretPlaceAt } from "../config/secret-places.ts";
import { type ResolvedSecret, resolveSecret, type SecretDeps } from "./resolve-secret.ts";

/** Providers whose credential may be an API key (product document, "Provider API keys"). */
export const KEYED_PROVIDERS = ["openai", "anthropic", "xai", "mistral", "openrouter"] as const;
export type KeyedProvider = (typeof KEYED_PROVIDERS)[number];

/** Services that turn voice notes into text. */
export const TRANSCRIPTION_BACKENDS = ["openai", "xai", "deepgram"] as const;
type TranscriptionBackend = (typeof TRANSCRIPTION_BACKENDS)[number];

/** A key that may be another's: whose it is decides who pays. */
export interface SharedKey {
  readonly secret: ResolvedSecret;
  /** The provider whose key is used, because there is none of its own. */
  readonly reuses: KeyedProvider | undefined;
}

export type Transcription =
  | { readonly state: "off" }
  | { readonly state: "unknown_backend"; readonly backend: string }
  | ({ readonly state: "on"; readonly backend: TranscriptionBackend } & SharedKey);

/** The API key of a provider, whatever its auth_mode: environment, config.toml, keychain. */
export async function resolveProviderKey(
  deps: SecretDeps,
  config: Config,
  provider: KeyedProvider,
): Promise<ResolvedSecret> {
  return await resolveSecret(deps, config, known("fermix_core", "providers", provider, "api_key"));
}

/**
 * The key of the service that voice notes go to: its own, else the chat provider's API key. Deepgram has no chat provider.
 * xAI's speech endpoint takes no sign-in, so its token is never looked at (product document, "Transcription backend keys").
 */
export async function resolveTranscription(deps: SecretDeps, config: Config): Promise<Transcription> {
  const named = config.transcription.backend?.trim() ?? "";
  if (named === "") return { state: "off" };
  const backend = TRANSCRIPTION_BACKENDS.find((candidate) => candidate === named);
  if (backend === undefined) return { state: "unknown_backend", backend: named };
  const own = known("fermix_core", "transcription", `${backend}_api_key`);
  const key = backend === "deepgram" ? await ownKey(deps, config, own) : await sharedKey(deps, config, own, backend);
  return { state: "on", backend, ...key };
}

/** The OpenAI API key of realtime voice: its own, else the provider's; never the sign-in of openai_codex (KEY-3). */
export async function resolveRealtime(deps: SecretDeps, config: Config): Promise<SharedKey> {
  return await sharedKey(deps, config, known("fermix_core", "realtime", "openai_api_key"), "openai");
}

async function ownKey(deps: SecretDeps, config: Config, own: SecretPlace): Promise<SharedKey> {
  return { secret: await resolveSecret(deps, config, own), reuses: undefined };
}

/** An own key that is there and cannot be used is told of: another's in its place would be paid by another account. */
async function sharedKey(
  deps: SecretDeps,
  config: Config,
  own: SecretPlace,
  provider: KeyedProvider,
): Promise<SharedKey> {
  const key = await ownKey(deps, config, own);
  if (key.secret.state !== "missing") return key;
  return { secret: await resolveProviderKey(deps, config, provider), reuses: provider };
}

function known(...path: readonly string[]): SecretPlace {
  const place = secretPlaceAt(...path);
  if (place === undefined) throw new Error(`no secret is kept at ${path.join(".")}`);
  return place;
}
