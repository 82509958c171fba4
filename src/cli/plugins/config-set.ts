/** `fermix plugins config set NAME KEY VALUE`: set one declared key. */
import { pathDoubt, setPluginConfig } from "../../plugins/set-config.ts";
import { defineVerb } from "../verb.ts";
import { PICKED_UP } from "./notices.ts";

export const configSet = defineVerb({
  summary: "Set a config key that a plugin declares",
  examples: ["fermix plugins config set obsidian OBSIDIAN_VAULT_PATH ~/Notes"],
  args: {
    name: { kind: "positional", label: "NAME", required: true, about: "the plugin" },
    key: { kind: "positional", label: "KEY", required: true, about: "a key that `fermix plugins config NAME` lists" },
    value: {
      kind: "positional",
      label: "VALUE",
      required: true,
      about: "its value (true or false for a switch); after `--` it may start with a dash",
    },
  },
  async run(app, args) {
    const change = await setPluginConfig(app, args.name, args.key, args.value);
    const { plugin, key, value } = change;
    const doubt = pathDoubt(app, change);
    const again = `if that is wrong: \`fermix plugins config set ${plugin} ${key} VALUE\``;
    return {
      json: { plugin, key, value },
      text: { lines: [`set ${plugin} ${key}`] },
      notices: [...(doubt === undefined ? [] : [`${doubt}; ${again}`]), PICKED_UP],
    };
  },
});
