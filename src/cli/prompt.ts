/** `fermix prompt`: the section about plugins exactly as agents read it. */
import { promptSection } from "../agent/prompt-section.ts";
import { withHost } from "../host/with-host.ts";
import type { App } from "../plugins/app.ts";
import { defineVerb } from "./verb.ts";

export const prompt = defineVerb({
  summary: "Print the section about plugins that agents read",
  examples: ["fermix prompt", "fermix prompt --json"],
  args: {},
  async run(app: App) {
    const section = await withHost(app, {}, promptSection);
    return {
      json: { prompt: section },
      text: { lines: section === "" ? [] : [section] },
      notices: section === "" ? ["No plugin is enabled, so agents read nothing about plugins."] : [],
    };
  },
});
