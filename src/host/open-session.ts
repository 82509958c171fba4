/** Opens the session of a ready plugin on its rail. */
import type { PluginSettings } from "../config/config.ts";
import { FermixError, isFermixError, never } from "../kernel/error.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import type { App } from "../plugins/app.ts";
import type { RailSession } from "../rails/rail.ts";
import { holdVersion } from "../store/hold.ts";

export type SessionOpener = (app: App, plugin: LoadedPlugin, settings: PluginSettings) => Promise<RailSession>;

/** The session, already starting. Throws rail_not_served for a rail that this version has not. */
export const openSession: SessionOpener = async (app, plugin, settings) => {
  const { rail } = plugin.manifest;
  switch (rail) {
    case "local-mcp": {
      const { openLocalSession } = await import("../rails/local-mcp/open.ts");
      const release = holdFor(app, plugin);
      return endingWith(openLocalSession(app.ports, app.env, plugin, settings), release);
    }
    case "http":
    case "hosted-mcp":
      throw new FermixError("rail_not_served", { plugin: plugin.name, rail });
    default:
      return never(rail);
  }
};

/** Keeps gc away from the files a live server runs from (DECISIONS 38); a home that takes no note is served all the same. */
function holdFor({ home }: App, { origin, name, version }: LoadedPlugin): () => void {
  if (origin !== "installed") return () => {};
  try {
    return holdVersion(home, name, version);
  } catch (error) {
    if (!isFermixError(error, "home_unusable") && !isFermixError(error, "disk_full")) throw error;
    return () => {};
  }
}

/** The same session, with something to do once it has ended. */
function endingWith(session: RailSession, afterwards: () => void): RailSession {
  return {
    plugin: session.plugin,
    state: () => session.state(),
    tools: () => session.tools(),
    onChange: (listener) => session.onChange(listener),
    settled: () => session.settled(),
    call: (tool, args, options) => session.call(tool, args, options),
    close: async () => {
      await session.close();
      afterwards();
    },
  };
}
