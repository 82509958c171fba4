/** Moves the secrets that lie in config.toml as plain text into the keychain; the file keeps its comments and order (KCH-3). */
import { keychainItem, readKeychain } from "../auth/keychain-item.ts";
import { clientSecretItem } from "../auth/oauth-client.ts";
import { type KeyedPlugin, keyItemNames } from "../auth/plugin-key.ts";
import { withSecretLock } from "../auth/secret-lock.ts";
import { storeSecret } from "../auth/store-secret.ts";
import type { Config } from "../config/config.ts";
import { replaceBySentinel } from "../config/edit-secrets.ts";
import { type PlainSecret, plainSecrets } from "../config/plain-secrets.ts";
import { configKey } from "../config/secret-places.ts";
import { isSentinel } from "../config/sentinel.ts";
import { isFermixError } from "../kernel/error.ts";
import type { App } from "./app.ts";
import { findKeyedPlugin } from "./keyed-plugin.ts";
import { type LoadReport, loadPlugins } from "./load.ts";

export interface Migrated {
  /** Keys of config.toml whose secrets are in the keychain now. */
  readonly moved: readonly string[];
  /** Keys that stay in clear, and why, as the end of a sentence. */
  readonly left: readonly { readonly key: string; readonly reason: string }[];
}

interface Move {
  readonly secret: PlainSecret;
  readonly item: string;
}

/**
 * Stores every plain secret in the keychain and then, in one write, puts the sentinel in their places. Throws, with
 * config.toml as it was, what loading and the keychain throw and secrets_busy; then what an edit of config.toml throws.
 * What the keychain took before it failed is there twice, and a second run goes on from there.
 */
export async function migrateSecrets(app: App, options: { readonly unlock?: boolean } = {}): Promise<Migrated> {
  const { ports, home } = app;
  return await withSecretLock(ports, home, async () => {
    const report = await loadPlugins(app);
    const moves: Move[] = [];
    const left: { key: string; reason: string }[] = [];
    for (const secret of plainSecrets(report.config)) {
      const item = await itemOf(app, secret);
      if (item !== undefined) moves.push({ secret, item });
      else
        left.push({ key: configKey(secret.path), reason: "no plugin of this name is known, so its item has no name" });
    }
    for (const move of moves) await store(app, report, move, options);
    if (moves.length === 0) return { moved: [], left };
    const changed = await replaceBySentinel(
      ports,
      home,
      moves.map(({ secret }) => secret),
    );
    const moved = moves.filter(({ secret }) => !changed.includes(secret));
    return {
      moved: moved.map(({ secret }) => configKey(secret.path)),
      left: [
        ...left,
        ...changed.map(({ path }) => ({ key: configKey(path), reason: "somebody changed it meanwhile" })),
      ],
    };
  });
}

async function itemOf(app: App, { of }: PlainSecret): Promise<string | undefined> {
  if (of.kind === "place") return of.item;
  if (of.kind === "oauth") return clientSecretItem(of.provider);
  try {
    return keyItemNames((await findKeyedPlugin(app, of.plugin, "set")).plugin)[0];
  } catch (error) {
    if (!isFermixError(error)) throw error;
    return undefined;
  }
}

async function store(
  app: App,
  report: LoadReport,
  { secret, item }: Move,
  options: { unlock?: boolean },
): Promise<void> {
  const { keychain } = app.ports;
  const { config } = report;
  for (const plugin of readersOf(report, item)) await giveOwnItem(app, config, plugin, options);
  await storeSecret(keychain, keychainItem(config.profile, item), secret.value, options);
}

/** The plugins whose key may be in this item, by the bare name of the ecosystem's homes (DECISIONS 25). */
function readersOf({ plugins, config }: LoadReport, item: string): readonly KeyedPlugin[] {
  return plugins.flatMap(({ name, manifest: { auth } }) =>
    auth.type === "api_key" && auth.keyName === item && isSentinel(config.pluginSecrets.get(name))
      ? [{ name, auth }]
      : [],
  );
}

/** What is stored over would be the plugin's key: it gets an item of its own first. */
async function giveOwnItem(
  { ports }: App,
  { profile }: Config,
  plugin: KeyedPlugin,
  options: { unlock?: boolean },
): Promise<void> {
  const [own, ...bare] = keyItemNames(plugin).map((name) => keychainItem(profile, name));
  const [shared] = bare;
  if (own === undefined || shared === undefined) return;
  if ((await readKeychain(ports.keychain, [own])) !== undefined) return;
  const key = await readKeychain(ports.keychain, [shared]);
  if (key !== undefined) await storeSecret(ports.keychain, own, key, options);
}
