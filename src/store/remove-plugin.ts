/** Takes a plugin, or one kept version of it, out of the store. */
import { join } from "node:path";
import type { Home } from "../files/home.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";
import { discard, removeFromStore } from "./discard.ts";
import { editInstalled } from "./installed.ts";
import { receiptPath } from "./version-receipt.ts";

/**
 * Removes all versions, the evidence and the record of a plugin (spec 2.10). Hold its lock. Its folder goes in one
 * step, and what a crash leaves after that is swept. Throws outside_store, store_busy, installed_record_corrupt.
 */
export async function removePlugin(
  ports: Pick<Ports, "random" | "clock">,
  home: Home,
  name: PluginName,
): Promise<void> {
  await discard(ports, home, name, home.pluginDir(name));
  await discard(ports, home, name, join(home.plugins.evidence, name));
  await editInstalled(ports, home, (record) => record.delete(name));
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
