/** Opens the session of a ready plugin on its rail. */
import type { PluginSettings } from "../config/config.ts";
import { FermixError, never } from "../kernel/error.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import type { App } from "../plugins/app.ts";
import type { RailSession } from "../rails/rail.ts";

export type SessionOpener = (app: App, plugin: LoadedPlugin, settings: PluginSettings) => Promise<RailSession>;

/** The session, already starting. Throws rail_not_served for a rail that this version has not. */
export const openSession: SessionOpener = async (app, plugin, settings) => {
  const { rail } = plugin.manifest;
  switch (rail) {
    case "local-mcp": {
      const { openLocalSession } = await import("../rails/local-mcp/open.ts");
      return openLocalSession(app.ports, app.env, plugin, settings);
    }
    case "http":
    case "hosted-mcp":
      throw new FermixError("rail_not_served", { plugin: plugin.name, rail });
    default:
      return never(rail);
  }
};
