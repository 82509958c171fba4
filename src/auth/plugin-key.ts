/** Finds a plugin's API key: environment, file, config.toml or keychain, in this order (DECISIONS 25, 26). */
import { statSync } from "node:fs";
import type { Config } from "../config/config.ts";
import type { Environment } from "../config/env.ts";
import { readConfig } from "../config/read.ts";
import { isSentinel } from "../config/sentinel.ts";
import { pluginKeyVariable } from "../config/variables.ts";
import { reasonFor } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import { readRegularText } from "../files/read-regular.ts";
import { FermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { Keychain, Ports } from "../kernel/ports.ts";
import type { PluginAuth } from "../manifest/manifest.ts";
import { Credential, unsendable } from "./credential.ts";
import type { CredentialSource, Grant } from "./credential-source.ts";
import { keychainItem, readKeychain } from "./keychain-item.ts";
import { standIn } from "./stand-in.ts";

/** A plugin whose credential is a key that its operator entered. */
export interface KeyedPlugin {
  readonly name: PluginName;
  readonly auth: Extract<PluginAuth, { readonly type: "api_key" }>;
}

export interface KeyDeps {
  readonly ports: Pick<Ports, "keychain" | "clock">;
  readonly home: Home;
  readonly env: Pick<Environment, "get">;
}

/** A key that was replaced or cleared by another program than Fermix is used no longer than this. */
const KEPT_MS = 60_000;
/** The operator wrote the file; a key of a few kilobytes is already a long one. */
const MAX_KEY_FILE_BYTES = 64 * 1024;
/** The item's last part where a manifest does not name its key. */
const DEFAULT_KEY_NAME = "API_KEY";

/**
 * The plugin's key, kept for a minute at most. `current` throws key_missing, key_unusable, key_file_unusable, what
 * config.toml has wrong, and keychain_locked, keychain_unavailable or keychain_timed_out.
 */
export function openKeySource({ ports, home, env }: KeyDeps, plugin: KeyedPlugin): CredentialSource {
  let kept: { readonly grant: Promise<Grant>; readonly since: number; readonly mark: string } | undefined;
  const read = async (): Promise<Grant> => {
    const key = await readPluginKey(ports.keychain, env, await readConfig(home), plugin);
    if (key === undefined) {
      throw new FermixError("key_missing", { plugin: plugin.name, variable: pluginKeyVariable(plugin.name) });
    }
    return { credential: new Credential(key), grantedScopes: undefined, region: undefined };
  };
  const current = (): Promise<Grant> => {
    const now = ports.clock.now();
    const mark = markOf(home);
    const age = kept === undefined ? undefined : now - kept.since;
    if (kept?.mark === mark && age !== undefined && age >= 0 && age < KEPT_MS) return kept.grant;
    const grant = read();
    const mine = { grant, since: now, mark };
    kept = mine;
    grant.catch(() => {
      // The next call looks again: what was in the way may be gone by then.
      if (kept === mine) kept = undefined;
    });
    return grant;
  };
  let renewal: Promise<Grant> | undefined;
  const readAnew = (): Promise<Grant> => {
    kept = undefined;
    const mine = current();
    renewal = mine;
    const end = (): void => {
      if (renewal === mine) renewal = undefined;
    };
    mine.then(end, end);
    return mine;
  };
  return {
    current,
    async renew(rejected) {
      // Calls whose key is refused come in crowds, and each look into the keychain is a process.
      const grant = await (renewal ?? readAnew());
      return grant.credential.equals(rejected) ? undefined : grant;
    },
  };
}

/** Another one whenever a key may have been set or cleared here: both move the time of config.toml (RDY-4). */
function markOf({ configFile }: Home): string {
  try {
    const { ino, mtimeNs } = statSync(configFile, { bigint: true });
    return `${ino} ${mtimeNs}`;
  } catch {
    // Whatever is wrong with the file, reading it names that.
    return "";
  }
}

/**
 * Whether the plugin has a key that could be sent. Throws key_unusable and key_file_unusable, and what the keychain has
 * wrong; the keychain is asked only where config.toml holds the sentinel and the environment gives no key.
 */
export async function hasPluginKey(
  keychain: Keychain,
  env: Pick<Environment, "get">,
  config: Config,
  plugin: KeyedPlugin,
): Promise<boolean> {
  return (await readPluginKey(keychain, env, config, plugin)) !== undefined;
}

/** The plugin's own item, and the bare name of the ecosystem's homes (DECISIONS 25). */
export function keyItemNames({ name, auth }: KeyedPlugin): readonly [own: string, ...bare: string[]] {
  const own = `PLUGIN_${name.toUpperCase()}_${auth.keyName ?? DEFAULT_KEY_NAME}`;
  return auth.keyName === undefined ? [own] : [own, auth.keyName];
}

async function readPluginKey(
  keychain: Keychain,
  env: Pick<Environment, "get">,
  config: Config,
  plugin: KeyedPlugin,
): Promise<string | undefined> {
  const variable = pluginKeyVariable(plugin.name);
  const given = env.get(variable);
  if (given !== undefined && !isBlank(given)) return sendable(plugin, given, variable);
  const path = env.get(`${variable}_FILE`);
  if (path !== undefined && path !== "")
    return sendable(plugin, readKeyFile(plugin, path), `the file of ${variable}_FILE`);
  const configured = config.pluginSecrets.get(plugin.name);
  if (!isSentinel(configured)) {
    // A value that still holds a placeholder is none (CASE-13).
    if (configured === undefined || isBlank(configured) || configured.includes("${")) return undefined;
    return sendable(plugin, configured, "config.toml");
  }
  const [own, ...bare] = keyItemNames(plugin);
  const item = (name: string) => keychainItem(config.profile, name);
  const found = await readKeychain(keychain, [item(own), ...bare.map(item)], variable);
  return found === undefined || isBlank(found) || isSentinel(found)
    ? undefined
    : sendable(plugin, found, "the keychain");
}

/** Whoever set the variable may have put the key itself there, so its value is told nowhere. Throws key_file_unusable. */
function readKeyFile({ name }: KeyedPlugin, path: string): string {
  const refuse = (reason: string) =>
    new FermixError("key_file_unusable", { plugin: name, variable: `${pluginKeyVariable(name)}_FILE`, reason });
  let text: string;
  try {
    text = readRegularText(path, MAX_KEY_FILE_BYTES);
  } catch (cause) {
    // Not as its cause either, which holds the path.
    throw refuse(reasonFor(cause) ?? "it cannot be read");
  }
  if (isBlank(text)) throw refuse("it is empty");
  return text;
}

/** The key without the one line end that files and pipes add (DECISIONS 27). Throws key_unusable. */
function sendable({ name }: KeyedPlugin, text: string, from: string): string {
  const key = text.replace(/\r?\n$/, "");
  const reason = standIn(key) ?? unsendable(key);
  if (reason !== undefined) throw new FermixError("key_unusable", { plugin: name, from, reason });
  return key;
}

function isBlank(text: string): boolean {
  return text.trim() === "";
}
