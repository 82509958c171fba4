/** `fermix plugins auth clear NAME`: forget a plugin's API key on this machine. */
import { clearPluginKey, type KeyCleared } from "../../../plugins/clear-secret.ts";
import { defineVerb } from "../../verb.ts";
import { PICKED_UP } from "../notices.ts";

export const clear = defineVerb({
  summary: "Forget a plugin's API key on this machine; the service is not told, so the key goes on working there",
  examples: ["fermix plugins auth clear slack"],
  args: { name: { kind: "positional", label: "NAME", required: true, about: "the plugin" } },
  async run(app, args) {
    const done = await clearPluginKey(app, args.name, { unlock: app.ports.terminal.stdinIsTty });
    const { plugin, cleared, kept } = done;
    return {
      json: { plugin, cleared: true, changed: cleared, revoked: false, item_kept: kept?.item ?? null },
      text: { lines: [cleared ? `cleared api key for ${plugin}` : `${plugin} had no api key to clear`] },
      notices: clearNotices(done),
    };
  },
});

/** What clearing was, and what it was not (AUTH-4, AUTH-10). */
export function clearNotices({ plugin, cleared, kept, stillGivenBy, helpUrl }: KeyCleared): readonly string[] {
  const where = helpUrl === undefined ? "with the service" : `at ${helpUrl}`;
  return [
    ...(cleared
      ? [
          `this removed the key from this machine and revoked nothing: revoke it ${where} too, or it goes on working`,
          `${plugin} is as enabled as before; \`fermix plugins disable ${plugin}\` switches it off`,
        ]
      : []),
    ...(kept === undefined ? [] : [`the keychain's item ${kept.item} stays, because ${kept.by} uses it`]),
    ...(stillGivenBy === undefined ? [] : [`${stillGivenBy} is set and still gives ${plugin} its key`]),
    PICKED_UP,
  ];
}
