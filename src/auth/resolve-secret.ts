/** Finds one secret of a provider or a channel: its variable, then config.toml, where the sentinel means the keychain (KEY-1). */
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/env.ts";
import { configKey, type IdPlace, type SecretPlace } from "../config/secret-places.ts";
import { isSentinel } from "../config/sentinel.ts";
import { type FermixError, isFermixError } from "../kernel/error.ts";
import type { Keychain } from "../kernel/ports.ts";
import { Credential, unsendable } from "./credential.ts";
import { keychainItem, readKeychain } from "./keychain-item.ts";
import { standIn } from "./stand-in.ts";

export interface SecretDeps {
  /** Asked only where config.toml holds the sentinel and no variable gives the value. */
  readonly keychain: Keychain;
  readonly env: Pick<Environment, "get">;
}

/** Where a secret came from. */
export type SecretSource =
  | { readonly kind: "environment"; readonly variable: string }
  /** In clear, in the file. */
  | { readonly kind: "config"; readonly key: string }
  | { readonly kind: "keychain"; readonly item: string };

export type ResolvedSecret =
  | { readonly state: "found"; readonly credential: Credential; readonly source: SecretSource }
  /** Nobody gives one. */
  | { readonly state: "missing" }
  /** config.toml says that it is in the keychain, and it is not. */
  | { readonly state: "dangling"; readonly item: string }
  /** There is a value that cannot be one; `reason` ends a sentence. */
  | { readonly state: "unusable"; readonly source: SecretSource; readonly reason: string }
  /** The keychain could not be asked. */
  | { readonly state: "unreadable"; readonly error: FermixError };

/** What other homes write for a value that lies in a file of its own; Fermix has no such store (DECISIONS 26). */
const FILE_SENTINEL = "@file";
const KEYCHAIN_TROUBLE = ["keychain_locked", "keychain_unavailable", "keychain_timed_out"] as const;

/**
 * The secret of a place. What is wrong with it or with the keychain is an answer, so that one look can tell of many
 * places; the value is nowhere but in the Credential.
 */
export async function resolveSecret(
  { keychain, env }: SecretDeps,
  config: Config,
  place: SecretPlace,
): Promise<ResolvedSecret> {
  const { variable, item } = place;
  const given = variable === undefined ? undefined : env.get(variable);
  if (variable !== undefined && given !== undefined && !isBlank(given)) {
    return judge(place, given, { kind: "environment", variable });
  }
  const key = configKey(place.path);
  const configured = config.secrets.get(key);
  if (configured === undefined || isBlank(configured)) return { state: "missing" };
  if (!isSentinel(configured)) return judge(place, configured, { kind: "config", key });
  try {
    const stored = await readKeychain(keychain, [keychainItem(config.profile, item)]);
    if (stored === undefined || isBlank(stored)) return { state: "dangling", item };
    return judge(place, stored, { kind: "keychain", item });
  } catch (error) {
    if (isFermixError(error) && KEYCHAIN_TROUBLE.some((code) => isFermixError(error, code))) {
      return { state: "unreadable", error };
    }
    throw error;
  }
}

/** A channel's own id and where it came from: its variable, then config.toml; undefined when neither has one. */
export function resolveId(
  env: Pick<Environment, "get">,
  config: Config,
  { path, variable }: IdPlace,
): { readonly value: string; readonly source: SecretSource } | undefined {
  const given = env.get(variable)?.trim();
  if (given) return { value: given, source: { kind: "environment", variable } };
  const key = configKey(path);
  const configured = config.ids.get(key)?.trim();
  return configured ? { value: configured, source: { kind: "config", key } } : undefined;
}

/** The value without the one line end that files and pipes add (DECISIONS 27), unless it cannot be a secret. */
function judge({ oneLine }: SecretPlace, text: string, source: SecretSource): ResolvedSecret {
  const value = text.replace(/\r?\n$/, "");
  const reason = placeholderIn(value, source) ?? (oneLine ? unsendable(value) : undefined);
  if (reason !== undefined) return { state: "unusable", source, reason };
  return { state: "found", credential: new Credential(value), source };
}

/** What stands for a value and is none (CASE-13). */
function placeholderIn(value: string, { kind }: SecretSource): string | undefined {
  if (kind === "config" && value.trim() === FILE_SENTINEL) return "it names a file store, which Fermix does not have";
  return standIn(value);
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
