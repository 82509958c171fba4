/** `fermix mcp serve`: the server that an agent starts. */
import { serveMcp } from "../agent/mcp-server.ts";
import type { App } from "../plugins/app.ts";
import { loadPlugin } from "../plugins/known.ts";
import { defineVerb } from "./verb.ts";

export const mcpServe = defineVerb({
  summary: "Serve the tools of every ready plugin to an agent over standard input and output",
  examples: ["fermix mcp serve", "fermix mcp serve --plugin obsidian"],
  args: {
    plugin: { kind: "option", label: "NAME", about: "Serve the tools of this plugin only" },
  },
  async run(app: App, { plugin }) {
    if (plugin === undefined) await serveMcp(app);
    else {
      const only = (await loadPlugin(app, plugin)).plugin.name;
      await serveMcp(app, { serve: (name) => name === only });
    }
    return undefined;
  },
});
