/** Moves the secrets that lie in config.toml as plain text into the keychain; the file keeps its comments and order (KCH-3). */
import { keychainItem } from "../auth/keychain-item.ts";
import { clientSecretItem } from "../auth/oauth-client.ts";
import { keyItemNames } from "../auth/plugin-key.ts";
import { withSecretLock } from "../auth/secret-lock.ts";
import { storeSecret } from "../auth/store-secret.ts";
import { replaceBySentinel } from "../config/edit-secrets.ts";
import { type PlainSecret, plainSecrets } from "../config/plain-secrets.ts";
import { configKey } from "../config/secret-places.ts";
import { isFermixError } from "../kernel/error.ts";
import type { App } from "./app.ts";
import { findKeyedPlugin } from "./keyed-plugin.ts";
import { type LoadReport, loadPlugins } from "./load.ts";
import { freeSharedItem } from "./shared-item.ts";

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
  await freeSharedItem(app, report, item, options);
  await storeSecret(keychain, keychainItem(config.profile, item), secret.value, options);
}
