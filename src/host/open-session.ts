/** Opens the session of a ready plugin on its rail. */
import type { PluginSettings } from "../config/config.ts";
import { readConfig } from "../config/read.ts";
import { FermixError, isFermixError, never } from "../kernel/error.ts";
import type { LoadedPlugin } from "../manifest/manifest.ts";
import type { App } from "../plugins/app.ts";
import { openCredential } from "../plugins/open-credential.ts";
import { startsProcess } from "../plugins/readiness.ts";
import { joinSessions } from "../rails/joined.ts";
import type { RailSession } from "../rails/rail.ts";
import { holdVersion } from "../store/hold.ts";

export type SessionOpener = (app: App, plugin: LoadedPlugin, settings: PluginSettings) => Promise<RailSession>;

/** The session, already starting. Throws rail_not_served for a rail that this version has not. */
export const openSession: SessionOpener = async (app, plugin, settings) => {
  const { manifest } = plugin;
  switch (manifest.rail) {
    case "http":
      return await openHttp(app, plugin, settings);
    case "local-mcp": {
      if (!manifest.tools.some(({ rail }) => rail === "http")) return await openLocal(app, plugin, settings);
      const http = await openHttp(app, plugin, settings);
      // A process behind a switch that is off leaves the rest of its plugin working (spec 1.4).
      return startsProcess(manifest, settings) ? joinSessions(await openLocal(app, plugin, settings), http) : http;
    }
    case "hosted-mcp":
      throw new FermixError("rail_not_served", { plugin: plugin.name, rail: manifest.rail });
    default:
      return never(manifest);
  }
};

async function openHttp(app: App, plugin: LoadedPlugin, settings: PluginSettings): Promise<RailSession> {
  const { openHttpSession } = await import("../rails/http/session.ts");
  const source = await openCredential(app, plugin, settings);
  const { network } = await readConfig(app.home);
  return openHttpSession(app.ports, plugin, { source, network });
}

async function openLocal(app: App, plugin: LoadedPlugin, settings: PluginSettings): Promise<RailSession> {
  const { openLocalSession } = await import("../rails/local-mcp/open.ts");
  const release = holdFor(app, plugin);
  return endingWith(openLocalSession(app.ports, app.env, plugin, settings), release);
}

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
