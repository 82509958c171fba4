/** `fermix mcp serve`: the server that an agent starts. */
import { serveMcp } from "../agent/mcp-server.ts";
import { isFermixError } from "../kernel/error.ts";
import type { App } from "../plugins/app.ts";
import { loadPlugin } from "../plugins/known.ts";
import { sweepStore } from "../store/sweep.ts";
import { failureNotice } from "./failure-notice.ts";
import { renderNotice } from "./render.ts";
import { defineVerb } from "./verb.ts";

export const mcpServe = defineVerb({
  summary: "Serve the tools of every ready plugin to an agent over standard input and output",
  examples: ["fermix mcp serve", "fermix mcp serve --plugin obsidian"],
  args: {
    plugin: { kind: "option", label: "NAME", about: "serve the tools of this plugin only" },
  },
  async run(app: App, { plugin }) {
    await tidyStore(app);
    if (plugin === undefined) await serveMcp(app);
    else {
      const only = (await loadPlugin(app, plugin)).plugin.name;
      await serveMcp(app, { serve: (name) => name === only });
    }
    return undefined;
  },
});

/** What a crashed install left goes before anything is served (DECISIONS 35). A store that can't be swept is served as it is. */
async function tidyStore({ ports, home }: App): Promise<void> {
  try {
    await sweepStore(ports, home);
  } catch (error) {
    if (!isFermixError(error)) throw error;
    // Loading reads the record too, and says so itself.
    if (isFermixError(error, "installed_record_corrupt")) return;
    ports.terminal.talk(renderNotice(`fermix mcp serve: ${failureNotice(error)}`));
  }
}
