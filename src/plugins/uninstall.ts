/** Takes a plugin off this machine, switched off and with all its files; its credentials stay unless asked (DECISIONS 34). */
import { join } from "node:path";
import { disableInConfig } from "../config/edit.ts";
import { readConfig } from "../config/read.ts";
import { lookAt } from "../files/look.ts";
import { isFermixError } from "../kernel/error.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import { discard } from "../store/discard.ts";
import { currentVersion, readInstalled } from "../store/installed.ts";
import { removePlugin } from "../store/remove-plugin.ts";
import { withPluginLock } from "../store/store-lock.ts";
import { sweepStore } from "../store/sweep.ts";
import type { App } from "./app.ts";
import { storedNames } from "./kept-version.ts";
import { namePlugin } from "./name-plugin.ts";
import { offeredManifest } from "./offered-manifest.ts";
import type { Purged } from "./purge-credential.ts";
import { notInstalled } from "./upgrade.ts";
import { readPackageManifest } from "./usable.ts";

export interface Uninstalled {
  readonly name: PluginName;
  readonly version: Version | undefined;
  /** Whether it was enabled until now. */
  readonly disabled: boolean;
  /** What kind of credential it may have left behind; undefined when its manifest asks for none. */
  readonly credential: Purged["kind"] | undefined;
  /** What became of the credential, when it was to go too. */
  readonly purged: Purged | undefined;
}

export interface UninstallOptions {
  /** Its credential goes too. */
  readonly purge?: boolean;
  /** Somebody is there to unlock the keychain. */
  readonly unlock?: boolean;
}

/**
 * Disables and removes an installed plugin with all its versions and evidence (spec 2.10). Throws, with nothing
 * changed: usage (CASE-10), bundled_plugin (BUN-1), plugin_not_installed, plugin_unknown, plugin_busy, store_busy, and
 * what a write throws. A credential that is to go goes first, so that a keychain which refuses leaves everything as it was.
 */
export async function uninstallPlugin(app: App, typed: string, options: UninstallOptions = {}): Promise<Uninstalled> {
  const { ports, home } = app;
  const name = namePlugin(app, typed, "uninstall");
  await sweepStore(ports, home);
  const record = await readInstalled(home);
  if (!storedNames(home, record).includes(name)) throw await notInstalled(app, record, name);
  const { plugins } = await readConfig(home);
  const disabled = plugins.enabled.includes(name);
  const purged = options.purge === true ? await purge(app, name, options) : undefined;
  return await withPluginLock(ports, home, name, async () => {
    const version = await currentVersion(home, name);
    const credential = version === undefined ? undefined : credentialOf(app, name, version);
    await removePlugin(ports, home, name, async () => {
      if (disabled) await disableInConfig(ports, home, name);
    });
    await removeLegacyFolder(app, name);
    return { name, version, disabled, credential, purged };
  });
}

async function purge(app: App, name: PluginName, options: UninstallOptions): Promise<Purged | undefined> {
  const version = await currentVersion(app.home, name);
  const here = version === undefined ? undefined : credentialOf(app, name, version);
  // What the catalog knows of a plugin whose own files are damaged is as good.
  const kind = here ?? (await offeredManifest(app, name))?.auth.type;
  if (kind === undefined || kind === "none") return undefined;
  const { purgeCredential } = await import("./purge-credential.ts");
  return await purgeCredential(app, name, kind, options.unlock === true ? { unlock: true } : {});
}

function credentialOf({ home }: App, name: PluginName, version: Version): Uninstalled["credential"] {
  try {
    const { type } = readPackageManifest(home.versionDir(name, version), name, version).auth;
    return type === "none" ? undefined : type;
  } catch (cause) {
    // A plugin that is damaged or does not fit this Fermix can be uninstalled like any other.
    if (isFermixError(cause)) return undefined;
    throw cause;
  }
}

/** Early versions of the ecosystem kept a plugin's skills in `plugins/<name>/` (spec 2.10). */
async function removeLegacyFolder({ ports, home }: App, name: PluginName): Promise<void> {
  const folder = join(home.plugins.root, name);
  const isLegacy = lookAt(join(folder, "skills"))?.isDirectory() ?? false;
  if (isLegacy) await discard(ports, home, name, folder);
}
