/** `fermix plugins disable NAME`: switch a plugin off and keep everything it has. */
import { disablePlugin } from "../../plugins/disable.ts";
import { defineVerb } from "../verb.ts";
import { PICKED_UP } from "./notices.ts";

export const disable = defineVerb({
  summary: "Switch a plugin off; its files, settings and credentials stay",
  examples: ["fermix plugins disable gmail"],
  args: { name: { kind: "positional", label: "NAME", required: true, about: "the plugin" } },
  async run(app, args) {
    const name = await disablePlugin(app, args.name);
    return {
      json: { disabled: name },
      text: { lines: [`disabled ${name}`] },
      notices: ["its files, settings and credentials stay; nothing was revoked", PICKED_UP],
    };
  },
});
