/** Opens the session of a plugin that runs as a local process. */
import type { PluginSettings } from "../../config/config.ts";
import type { Environment } from "../../config/env.ts";
import type { Ports } from "../../kernel/ports.ts";
import type { LoadedPlugin } from "../../manifest/manifest.ts";
import type { RailSession } from "../rail.ts";
import { planLaunch } from "./launch.ts";
import { LocalSession } from "./session.ts";
import { SESSION_LIMITS, type SessionLimits } from "./supervise-policy.ts";

/**
 * Starts the plugin's server in the background (spec 4); `settled()` tells when it is ready or has failed. Only a
 * plugin of the local rail with files on disk has one; anything else is a mistake of the caller.
 */
export function openLocalSession(
  ports: Pick<Ports, "processes" | "clock">,
  env: Environment,
  plugin: LoadedPlugin,
  settings: PluginSettings,
  limits: SessionLimits = SESSION_LIMITS,
): RailSession {
  const { manifest, dir } = plugin;
  if (manifest.rail !== "local-mcp" || dir === undefined) throw new Error(`${plugin.name} has no local process`);
  const plan = () => planLaunch(env, plugin.name, manifest.runtime, dir, settings);
  return new LocalSession(ports, manifest, plan, limits);
}
