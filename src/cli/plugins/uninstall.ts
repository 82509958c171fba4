/** `fermix plugins uninstall NAME`: disable a plugin and remove its files. */
import { uninstallPlugin } from "../../plugins/uninstall.ts";
import { defineVerb } from "../verb.ts";
import { PICKED_UP } from "./notices.ts";

export const uninstall = defineVerb({
  summary: "Disable a plugin and remove all its versions; its credentials and settings stay",
  examples: ["fermix plugins uninstall obsidian"],
  args: { name: { kind: "positional", label: "NAME", required: true, about: "the plugin" } },
  async run(app, args) {
    const { name, version, disabled, credential } = await uninstallPlugin(app, args.name);
    return {
      json: { uninstalled: name, version: version ?? null, disabled, credential_kept: credential ?? null },
      text: { lines: [`uninstalled ${name}`] },
      notices: [
        ...(disabled ? [`${name} was disabled first; its settings stay in config.toml`] : []),
        ...(credential === undefined
          ? []
          : [`a credential stored for it stays: ${remedy(credential, name)} removes it`]),
        PICKED_UP,
      ],
    };
  },
});

function remedy(credential: "oauth2" | "api_key", name: string): string {
  return credential === "oauth2" ? `\`fermix plugins auth logout ${name}\`` : `\`fermix plugins auth clear ${name}\``;
}
