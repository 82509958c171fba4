/** Stores a secret of a provider, of voice or of a channel: in the keychain first, then config.toml says so (CHN-1, KEY-2). */
import { unsendable } from "../auth/credential.ts";
import { keychainItem } from "../auth/keychain-item.ts";
import { TRANSCRIPTION_BACKENDS } from "../auth/model-keys.ts";
import { withSecretLock } from "../auth/secret-lock.ts";
import { storeSecret } from "../auth/store-secret.ts";
import type { Config } from "../config/config.ts";
import { setPlaceSentinel } from "../config/edit-secrets.ts";
import { configKey, type SecretPlace, secretPlaceAt, secretPlaces } from "../config/secret-places.ts";
import { isSentinel } from "../config/sentinel.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { App } from "./app.ts";
import { loadPlugins } from "./load.ts";
import { freeSharedItem } from "./shared-item.ts";

export interface PlaceSet {
  /** Its key in config.toml, such as `fermix_channels.slack.bot_token`. */
  readonly key: string;
  /** As of a plugin's key (KCH-2). */
  readonly outcome: "stored" | "unchanged" | "left_in_clear";
  /** The variable that is set and goes before what was stored. */
  readonly overriddenBy: string | undefined;
}

export interface PlaceGiven {
  /** A key of config.toml; undefined means the key of the transcription backend that config.toml names. */
  readonly key: string | undefined;
  /** Asks for the secret; called once, when it is certain that it could be taken. */
  readonly read: (key: string) => Promise<string>;
  /** Somebody is there to unlock the keychain. */
  readonly unlock?: boolean;
}

/**
 * Stores the secret. Throws, with nothing changed, secret_key_unknown, transcription_backend_missing, what `read` throws,
 * secret_refused (DECISIONS 27), what the keychain has wrong (KCH-2) and secrets_busy; then what an edit throws.
 */
export async function setPlaceSecret(app: App, given: PlaceGiven): Promise<PlaceSet> {
  const { ports, home, env } = app;
  const report = await loadPlugins(app);
  const { config } = report;
  const place = given.key === undefined ? transcriptionPlace(config) : placeAt(given.key);
  const key = configKey(place.path);
  const secret = await given.read(key);
  const reason = place.oneLine ? unsendable(secret) : undefined;
  if (reason !== undefined) throw new FermixError("secret_refused", { key, reason });
  const { variable } = place;
  const overriddenBy = variable !== undefined && (env.get(variable) ?? "").trim() !== "" ? variable : undefined;
  const unlock = given.unlock === true ? { unlock: true } : {};
  try {
    const changed = await withSecretLock(ports, home, async () => {
      await freeSharedItem(app, report, place.item, unlock);
      const written = await storeSecret(ports.keychain, keychainItem(config.profile, place.item), secret, unlock);
      await setPlaceSentinel(ports, home, place);
      return written;
    });
    return { key, outcome: changed ? "stored" : "unchanged", overriddenBy };
  } catch (error) {
    // A secret that lies in clear already and did not change is left there (KCH-2).
    const configured = config.secrets.get(key);
    const inClear = !isSentinel(configured) && configured === secret;
    if (!inClear || !isFermixError(error, "keychain_unavailable")) throw error;
    return { key, outcome: "left_in_clear", overriddenBy };
  }
}

function placeAt(key: string): SecretPlace {
  const place = secretPlaces.find(({ path }) => configKey(path) === key);
  if (place === undefined)
    throw new FermixError("secret_key_unknown", { known: secretPlaces.map(({ path }) => configKey(path)) });
  return place;
}

function transcriptionPlace({ transcription }: Config): SecretPlace {
  const backend = TRANSCRIPTION_BACKENDS.find((known) => known === transcription.backend?.trim());
  const place = backend && secretPlaceAt("fermix_core", "transcription", `${backend}_api_key`);
  if (place === undefined) throw new FermixError("transcription_backend_missing", { known: TRANSCRIPTION_BACKENDS });
  return place;
}
