/** `fermix plugins auth set NAME`: store a plugin's API key in the keychain. */
import { type SetOptions, setPluginKey } from "../../../plugins/set-secret.ts";
import { readSecret } from "../../secret-input.ts";
import { defineVerb } from "../../verb.ts";
import { arrivalNotice } from "../notices.ts";

export const set = defineVerb({
  summary: "Store a plugin's API key in the keychain; it asks for the key and does not show it",
  examples: [
    "fermix plugins auth set slack",
    "printf '%s' \"$SLACK_BOT_TOKEN\" | fermix plugins auth set slack --stdin",
  ],
  args: {
    name: { kind: "positional", label: "NAME", required: true, about: "the plugin; it need not be installed yet" },
    stdin: { kind: "flag", about: "read the key from a pipe" },
    check: {
      kind: "flag",
      about: "try the key with the plugin's health check first, and store it only when it is taken",
    },
    key: { kind: "never", instead: "fermix plugins auth set NAME" },
  },
  async run(app, args) {
    const done = await setPluginKey(
      app,
      args.name,
      async (plugin, prompt) => {
        const command = `fermix plugins auth set ${plugin}`;
        return await readSecret(app, { stdin: args.stdin, prompt, command });
      },
      { unlock: !args.stdin, ...(args.check ? { check: tryKey } : {}) },
    );
    const { plugin, outcome, checked, overriddenBy } = done;
    const stored = outcome !== "left_in_clear";
    return {
      json: { plugin, secret_set: true, changed: outcome === "stored", in_keychain: stored, checked: checked ?? null },
      text: { lines: [stored ? `stored api key for ${plugin}` : `kept api key for ${plugin} as it is`] },
      notices: [
        ...(checked === "taken" ? [`the service took the key`] : []),
        ...(checked === "not_asked" ? [`${plugin} names no request to try a key with, so it was not tried`] : []),
        ...(outcome === "unchanged"
          ? [`the keychain had this key of ${plugin} already; it was not written again`]
          : []),
        ...(stored ? [] : [inClear(plugin)]),
        ...(overriddenBy === undefined ? [] : [`${overriddenBy} is set and goes before the stored key`]),
        await arrivalNotice(app, plugin),
      ],
    };
  },
});

/** What asks the service is loaded only when it is wanted. */
const tryKey: NonNullable<SetOptions["check"]> = async (app, found, key) => {
  const { checkKey } = await import("../../../plugins/check-key.ts");
  return await checkKey(app, found, key);
};

/** KCH-2. */
function inClear(plugin: string): string {
  return `this key of ${plugin} stays in config.toml as plain text, because there is no keychain to move it to; where there is one, run \`fermix setup --migrate-secrets\``;
}
