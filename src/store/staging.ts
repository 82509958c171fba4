/** Work folders under `.staging/`: one of its own for every run, named after the plugin and the process that owns it. */
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { namedFailure } from "../files/fs-failure.ts";
import type { Home } from "../files/home.ts";
import type { PluginName, Version } from "../kernel/names.ts";
import type { Ports } from "../kernel/ports.ts";

const RANDOM_BYTES = 6;
const STAGING_NAME = /^([a-z][a-z0-9_]{0,63})-.*-([1-9]\d*)-[0-9a-f]{12}$/;

/** Whose a staging folder is; undefined for a name that Fermix does not give. */
export function stagingOwner(entry: string): { plugin: string; pid: number } | undefined {
  const [, plugin, pid] = STAGING_NAME.exec(entry) ?? [];
  return plugin === undefined ? undefined : { plugin, pid: Number(pid) };
}

/** A path in `.staging/` that nothing has used; nothing is created but `.staging/` itself. */
export function stagingPath(
  ports: Pick<Ports, "random">,
  home: Home,
  name: PluginName,
  purpose: Version | "trash",
): string {
  makeFolder(home.plugins.staging);
  return join(home.plugins.staging, `${name}-${purpose}-${process.pid}-${ports.random.hex(RANDOM_BYTES)}`);
}

/** Runs `work` with a fresh folder of its own, which is gone when it ends, whatever the end. Hold the plugin's lock. Throws disk_full, home_unusable. */
export async function withStaging<T>(
  ports: Pick<Ports, "random">,
  home: Home,
  name: PluginName,
  version: Version,
  work: (dir: string) => Promise<T>,
): Promise<T> {
  const dir = stagingPath(ports, home, name, version);
  makeFolder(dir);
  try {
    return await work(dir);
  } catch (cause) {
    throw namedFailure(dir, cause);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { recursive: true, mode: 0o700 });
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}
