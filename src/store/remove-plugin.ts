/** Takes a plugin, or one kept version of it, out of the store. */
import { join } from "node:path";
import type { Home } from "../files/home.ts";
import { isThere } from "../files/look.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { assertInStore, discard, removeFromStore } from "./discard.ts";
import { moveDurably } from "./durable.ts";
import { prepareInstalled } from "./installed.ts";
import { stagingPath } from "./staging.ts";
import { withStoreLock } from "./store-lock.ts";
import { receiptPath } from "./version-receipt.ts";

/**
 * Removes all versions, the evidence and the record of a plugin (spec 2.10). Hold its lock; the store's is taken here.
 * Its folder goes in one step, then `afterwards` runs; when either fails the plugin is back as it was. What a crash
 * leaves after that is swept. Throws outside_store, plugins_dir_spans_filesystems, store_busy,
 * installed_record_corrupt, and what `afterwards` throws.
 */
export async function removePlugin(
  ports: Pick<Ports, "random" | "clock">,
  home: Home,
  name: PluginName,
  afterwards: () => Promise<void> = async () => {},
): Promise<void> {
  await withStoreLock(ports, home, async () => {
    const record = await prepareInstalled(home, (installed) => installed.delete(name));
    const [folder, trash] = [home.pluginDir(name), stagingPath(ports, home, name, "trash")];
    try {
      assertInStore(home, folder);
      const moved = isThere(folder);
      if (moved) await moveDurably(folder, trash);
      try {
        await afterwards();
      } catch (cause) {
        if (moved) await moveDurably(trash, folder);
        throw cause;
      }
    } catch (cause) {
      await record.abandon();
      throw cause;
    }
    await record.commit();
    await removeFromStore(home, trash);
    await discard(ports, home, name, join(home.plugins.evidence, name));
  });
}

/** Removes one version that is not live, with its evidence and receipt. Hold the plugin's lock. */
export async function removeVersion(
  ports: Pick<Ports, "random">,
  home: Home,
  name: PluginName,
  version: Version,
): Promise<void> {
  await discard(ports, home, name, home.versionDir(name, version));
  await discard(ports, home, name, home.evidenceDir(name, version));
  await removeFromStore(home, receiptPath(home, name, version));
}
