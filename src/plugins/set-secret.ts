/** Stores a plugin's API key: in the keychain first, and only then config.toml says that it is there (spec 8.4, KCH-6). */
import { keyProblem } from "../auth/judge-key.ts";
import { keychainItem } from "../auth/keychain-item.ts";
import { keyItemNames } from "../auth/plugin-key.ts";
import { withSecretLock } from "../auth/secret-lock.ts";
import { storeSecret } from "../auth/store-secret.ts";
import type { Config } from "../config/config.ts";
import { setPluginSecret } from "../config/edit-secrets.ts";
import { isSentinel } from "../config/sentinel.ts";
import { pluginKeyVariable } from "../config/variables.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { PluginName } from "../kernel/names.ts";
import type { App } from "./app.ts";
import { type FoundKeyed, findKeyedPlugin } from "./keyed-plugin.ts";

/** Asks for the key in the plugin's own words; called once, when it is certain that the key could be taken. */
export type ReadKey = (plugin: PluginName, prompt: string) => Promise<string>;

export interface SetOptions {
  /** Tries the key before it is stored; throws when the service does not take it (`plugins/check-key.ts`). */
  readonly check?: (app: App, found: FoundKeyed, key: string) => Promise<KeySet["checked"]>;
  /** Somebody is there to unlock the keychain. */
  readonly unlock?: boolean;
}

export interface KeySet {
  readonly plugin: PluginName;
  /** `stored`; `unchanged` when the keychain had it already; `left_in_clear` when config.toml has it and no keychain takes it. */
  readonly outcome: "stored" | "unchanged" | "left_in_clear";
  /** What came of `check`: the service took the key, or there is nothing to ask it; undefined when it was not wanted. */
  readonly checked: "taken" | "not_asked" | undefined;
  /** The variable that is set and goes before what was stored. */
  readonly overriddenBy: string | undefined;
}

/** What is asked where a manifest has no words of its own (spec 7.1). */
const PROMPT = "API key";

/**
 * Stores the key and clears `needs_secret`. Throws, with nothing changed, what findKeyedPlugin and `read` throw, key_refused
 * (DECISIONS 27 and the manifest's `auth.validation`), what `check` and the keychain throw (KCH-2); then what an edit of
 * config.toml throws, the key being in the keychain by then.
 */
export async function setPluginKey(app: App, typed: string, read: ReadKey, options: SetOptions = {}): Promise<KeySet> {
  const { ports, home, env } = app;
  const found = await findKeyedPlugin(app, typed, "set");
  const { name, auth } = found.plugin;
  const key = await read(name, auth.prompt ?? PROMPT);
  const reason = keyProblem(key, auth.validation);
  if (reason !== undefined) throw new FermixError("key_refused", { plugin: name, reason });
  const checked = await options.check?.(app, found, key);
  const variable = pluginKeyVariable(name);
  const overriddenBy = [variable, `${variable}_FILE`].find((one) => (env.get(one) ?? "").trim() !== "");
  const item = keychainItem(found.config.profile, keyItemNames(found.plugin)[0]);
  const unlock = options.unlock === true ? { unlock: true } : {};
  try {
    const changed = await withSecretLock(ports, home, async () => {
      const written = await storeSecret(ports.keychain, item, key, { instead: variable, ...unlock });
      await setPluginSecret(ports, home, name);
      return written;
    });
    return { plugin: name, outcome: changed ? "stored" : "unchanged", checked, overriddenBy };
  } catch (error) {
    // A secret that lies in clear already and did not change is left there (KCH-2).
    if (!isFermixError(error, "keychain_unavailable") || plainKeyIn(found.config, name) !== key) throw error;
    return { plugin: name, outcome: "left_in_clear", checked, overriddenBy };
  }
}

function plainKeyIn({ pluginSecrets }: Config, name: PluginName): string | undefined {
  const configured = pluginSecrets.get(name);
  return isSentinel(configured) ? undefined : configured;
}
