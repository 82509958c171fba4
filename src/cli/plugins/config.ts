/** `fermix plugins config NAME`: a plugin's declared keys and their values. */
import { showConfig } from "../../plugins/show-config.ts";
import { defineVerb } from "../verb.ts";
import { cell } from "./notices.ts";

export const config = defineVerb({
  summary: "Show the config keys a plugin declares, and their values",
  examples: ["fermix plugins config obsidian", "fermix plugins config set obsidian OBSIDIAN_VAULT_PATH ~/Notes"],
  args: { name: { kind: "positional", label: "NAME", required: true, about: "the plugin" } },
  async run(app, args) {
    const rows = await showConfig(app, args.name);
    return {
      json: {
        plugin: args.name,
        config: rows.map(({ key, prompt, required, value, kind }) => ({
          key,
          prompt,
          required,
          value: value ?? null,
          kind,
        })),
      },
      text:
        rows.length === 0
          ? { lines: ["no config keys declared"] }
          : {
              rows: rows.map(({ key, prompt, required, value }) => [
                key,
                value === undefined ? "(unset)" : cell(String(value)),
                required ? "required" : "optional",
                cell(prompt),
              ]),
            },
    };
  },
});
