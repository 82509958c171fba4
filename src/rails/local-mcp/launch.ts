/** Decides the exact command line, folder and environment of a plugin's process (spec 4). */
import { existsSync } from "node:fs";
import { isAbsolute, relative, resolve } from "node:path";
import type { PluginSettings } from "../../config/config.ts";
import type { Environment } from "../../config/env.ts";
import { FermixError } from "../../kernel/error.ts";
import type { PluginName } from "../../kernel/names.ts";
import type { ChildSpec } from "../../kernel/ports.ts";
import type { LocalRuntime } from "../../manifest/manifest.ts";
import { assertFilled, childEnv } from "./child-env.ts";
import { locateRuntime } from "./runtime-probe.ts";

/**
 * What to start. Throws setting_off, missing_host_runtime, env_refused, unresolved_value or outside_plugin; none of
 * them is worth a second try before something on disk changes.
 */
export function planLaunch(
  env: Environment,
  plugin: PluginName,
  runtime: LocalRuntime,
  pluginDir: string,
  settings: PluginSettings,
): ChildSpec {
  assertSwitchedOn(plugin, runtime, settings);
  const located = locateRuntime(env, runtime, pluginDir);
  if (!located.ok) {
    const { wanted, lookedIn } = located;
    throw new FermixError("missing_host_runtime", { plugin, wanted, lookedIn });
  }
  const args = runtime.args.map((arg) => {
    assertFilled(plugin, "runtime.args", arg);
    return ownFile(pluginDir, arg) ?? arg;
  });
  return {
    command: located.command,
    args,
    env: childEnv(env, plugin, runtime, settings),
    cwd: folderOf(plugin, runtime, pluginDir),
  };
}

function assertSwitchedOn(plugin: PluginName, { requiresSetting: key }: LocalRuntime, settings: PluginSettings): void {
  if (key !== undefined && String(settings.get(key)) !== "true") throw new FermixError("setting_off", { plugin, key });
}

/** The absolute path of an argument that names something under the plugin's folder. */
function ownFile(pluginDir: string, arg: string): string | undefined {
  if (arg === "" || isAbsolute(arg) || arg.includes("\0")) return undefined;
  const path = resolve(pluginDir, arg);
  return isInside(pluginDir, path) && existsSync(path) ? path : undefined;
}

function folderOf(plugin: PluginName, { cwd }: LocalRuntime, pluginDir: string): string {
  if (cwd === undefined) return pluginDir;
  const folder = resolve(pluginDir, cwd);
  if (folder !== resolve(pluginDir) && !isInside(pluginDir, folder)) {
    throw new FermixError("outside_plugin", { plugin, path: cwd });
  }
  return folder;
}

function isInside(pluginDir: string, path: string): boolean {
  const inner = relative(pluginDir, path);
  return inner !== "" && inner !== ".." && !inner.startsWith("../") && !isAbsolute(inner);
}
