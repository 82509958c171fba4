/** A host over a real home, whose sessions are fakes that the test holds. */
import { type Host, openHost } from "../../src/host/host.ts";
import { FermixError } from "../../src/kernel/error.ts";
import type { SessionState } from "../../src/rails/rail.ts";
import { FakeSession } from "../fakes/rail-session.ts";
import { localManifest, PluginLab } from "../plugins/lab.ts";

export class HostLab extends PluginLab {
  /** Every session that was opened, in order, also those closed since. */
  readonly opened: FakeSession[] = [];
  /** The state in which the next session of a plugin starts; ready when not said. */
  readonly startsAs = new Map<string, SessionState>();

  constructor(options: ConstructorParameters<typeof PluginLab>[0] = {}) {
    super(options);
    this.program("node", "v22.1.0");
  }

  /** Installs local plugins and enables them. */
  with(...plugins: readonly string[]): this {
    for (const name of plugins) this.installed(localManifest(name), { "src/index.js": "" });
    this.enable(plugins);
    return this;
  }

  host(serve?: (plugin: string) => boolean): Promise<Host> {
    return openHost(this.app, {
      ...(serve === undefined ? {} : { serve }),
      open: async (_app, plugin) => {
        if (plugin.manifest.rail !== "local-mcp") {
          throw new FermixError("rail_not_served", { plugin: plugin.name, rail: plugin.manifest.rail });
        }
        const session = new FakeSession(plugin.name, undefined, this.startsAs.get(plugin.name));
        this.opened.push(session);
        return session;
      },
    });
  }

  /** The latest session of a plugin. */
  session(plugin: string): FakeSession {
    const session = this.opened.findLast((opened) => opened.plugin === plugin);
    if (session === undefined) throw new Error(`no session of ${plugin} was opened`);
    return session;
  }
}

/** The live tools, by name. */
export function liveTools(host: Host): readonly string[] {
  return host.registry().tools.map(({ name }) => name);
}
