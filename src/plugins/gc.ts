/** Which kept versions go: all but the live one and the newest other, the way back (spec 2.10, INS-8). */

import { isFermixError } from "../kernel/error.ts";
import { compareVersions, type PluginName, type Version } from "../kernel/names.ts";
import { isHeld } from "../store/hold.ts";
import { currentVersion, readInstalled } from "../store/installed.ts";
import { removeVersion } from "../store/remove-plugin.ts";
import { withPluginLock } from "../store/store-lock.ts";
import { sweepStore } from "../store/sweep.ts";
import { evidenceVersions, keptVersions } from "../store/version-receipt.ts";
import type { App } from "./app.ts";
import { storedNames } from "./kept-version.ts";
import { assertLoads } from "./load.ts";

export interface Collected {
  readonly removed: readonly { readonly name: PluginName; readonly version: Version }[];
  /** Left because a live host is running them. */
  readonly held: readonly { readonly name: PluginName; readonly version: Version }[];
  /** Left because another process is changing them. */
  readonly busy: readonly PluginName[];
}

/** Sweeps the store and removes what no rollback needs. Throws installed_record_corrupt, lock_corrupt. */
export async function collectGarbage(app: App): Promise<Collected> {
  const { ports, home } = app;
  await assertLoads(app);
  await sweepStore(ports, home);
  const removed: { name: PluginName; version: Version }[] = [];
  const held: { name: PluginName; version: Version }[] = [];
  const busy: PluginName[] = [];
  for (const name of storedNames(home, await readInstalled(home))) {
    try {
      await withPluginLock(ports, home, name, async () => {
        const stored = new Set([...keptVersions(home, name), ...evidenceVersions(home, name)]);
        const live = await currentVersion(home, name);
        for (const version of surplus(live, [...stored], keptVersions(home, name))) {
          if (isHeld(home, name, version)) held.push({ name, version });
          else {
            await removeVersion(ports, home, name, version);
            removed.push({ name, version });
          }
        }
      });
    } catch (cause) {
      if (!isFermixError(cause, "plugin_busy")) throw cause;
      busy.push(name);
    }
  }
  return { removed, held, busy };
}

/** Without a live version nothing is surplus: which one to go back to is not known. */
function surplus(live: Version | undefined, stored: readonly Version[], kept: readonly Version[]): readonly Version[] {
  if (live === undefined) return [];
  const [rollback] = kept.filter((version) => version !== live).toSorted((a, b) => compareVersions(b, a));
  return stored.filter((version) => version !== live && version !== rollback).toSorted(compareVersions);
}
