/** Whether the keychain answers, and whether it has what config.toml says it has (KCH-5, KCH-8). */
import { keychainItem, readKeychain } from "../../auth/keychain-item.ts";
import { clientSecretItem } from "../../auth/oauth-client.ts";
import { keyItemNames } from "../../auth/plugin-key.ts";
import type { Config } from "../../config/config.ts";
import { configKey, secretPlaces } from "../../config/secret-places.ts";
import { isSentinel } from "../../config/sentinel.ts";
import { quote } from "../../kernel/codes/row.ts";
import { type FermixError, isFermixError } from "../../kernel/error.ts";
import type { Keychain } from "../../kernel/ports.ts";
import type { Manifest } from "../../manifest/manifest.ts";
import { attempt, type Check, failure, ok, warn } from "./check.ts";

/** Asked for to see whether the keychain answers at all; nobody stores it. */
const PROBE = "FERMIX_DOCTOR";
/** What gives a plugin's key where there is no keychain (DECISIONS 26). */
const INSTEAD = "FERMIX_PLUGIN_KEY_<NAME>";
const KEYCHAIN = "keychain";
const PROFILE = "keychain profile";

/** A secret that config.toml says is in the keychain. */
interface Referred {
  /** The key of config.toml. */
  readonly key: string;
  /** The items that may hold it, the first by Fermix's own name. */
  readonly items: readonly [string, ...string[]];
  /** The command that stores it again. */
  readonly again: string;
}

/**
 * Two rows: the keychain itself, asked within the port's deadline, and what config.toml refers to in it. A keychain that
 * cannot be asked is a warning: what needs it fails in a row of its own, and a headless machine may not need it at all.
 */
export async function checkKeychain(
  keychain: Keychain,
  config: Config,
  plugins: readonly Manifest[],
): Promise<readonly Check[]> {
  const probed = await attempt(() => readKeychain(keychain, [keychainItem(config.profile, PROBE)], INSTEAD));
  if (isFermixError(probed)) return [warn(KEYCHAIN, troubleOf(probed), probed.fix)];
  const referred = referredIn(config, plugins);
  const answers = ok(KEYCHAIN, `it answers; config.toml refers to ${counted(referred.length)} in it`);
  if (referred.length === 0) return [answers];
  return [answers, await checkProfile(keychain, config, referred)];
}

function troubleOf(error: FermixError): string {
  if (isFermixError(error, "keychain_unavailable")) return `it could not be asked: ${quote(error.details.reason)}`;
  if (isFermixError(error, "keychain_timed_out")) return `it gave no answer in ${error.details.afterMs} ms`;
  return "it is locked";
}

/** Items are kept apart by profile and never moved, so a changed profile leaves its secrets behind (KCH-8). */
async function checkProfile(keychain: Keychain, config: Config, referred: readonly Referred[]): Promise<Check> {
  const { profile } = config;
  // At once, so that their questions to the keychain are one.
  const look = async (under: string | undefined, secrets: readonly Referred[]) =>
    await Promise.all(secrets.map((secret) => attempt(() => find(keychain, under, secret))));
  const here = await look(profile, referred);
  const trouble = here.find((found) => isFermixError(found));
  if (trouble !== undefined) return failure(PROFILE, trouble);
  const missing = referred.filter((_, at) => here[at] === false);
  const isGeneral = keychainItem(profile, "").service === keychainItem(undefined, "").service;
  const elsewhere = isGeneral ? 0 : (await look(undefined, missing)).filter((found) => found === true).length;
  const name = quote(profile || "general");
  if (missing.length === 0) return ok(PROFILE, `${counted(referred.length)} under the profile ${name}`);
  const found = elsewhere === 0 ? "" : ` (${elsewhere} of them under the profile "general")`;
  return warn(
    PROFILE,
    `not in the keychain under the profile ${name}: ${missing.map(({ key }) => key).join(", ")}${found}; a change of the profile moves no secret, so they must be entered again`,
    [...new Set(missing.map(({ again }) => again))].join("; "),
  );
}

async function find(keychain: Keychain, profile: string | undefined, { items }: Referred): Promise<boolean> {
  const [own, ...others] = items;
  const item = (name: string) => keychainItem(profile, name);
  return (await readKeychain(keychain, [item(own), ...others.map(item)])) !== undefined;
}

function referredIn(config: Config, plugins: readonly Manifest[]): readonly Referred[] {
  const places = secretPlaces.flatMap(({ path, item }): readonly Referred[] => {
    const key = configKey(path);
    if (!isSentinel(config.secrets.get(key))) return [];
    return [{ key, items: [item], again: `\`fermix setup --secret ${key}\`` }];
  });
  const clients = [...config.oauth].flatMap(([provider, { clientSecret }]): readonly Referred[] => {
    if (!isSentinel(clientSecret)) return [];
    const key = `fermix_core.oauth.${provider}.client_secret`;
    return [{ key, items: [clientSecretItem(provider)], again: `\`fermix auth client ${provider} --id ID\`` }];
  });
  const keys = plugins.flatMap(({ name, auth }): readonly Referred[] => {
    if (auth.type !== "api_key" || !isSentinel(config.pluginSecrets.get(name))) return [];
    const key = `fermix_core.plugin_secrets.${name}`;
    return [{ key, items: keyItemNames({ name, auth }), again: `\`fermix plugins auth set ${name}\`` }];
  });
  return [...keys, ...clients, ...places];
}

function counted(secrets: number): string {
  return secrets === 1 ? "1 secret" : `${secrets} secrets`;
}
