/** `fermix plugins uninstall NAME`: disable a plugin and remove its files. */
import type { Purged } from "../../plugins/purge-credential.ts";
import { uninstallPlugin } from "../../plugins/uninstall.ts";
import { defineVerb } from "../verb.ts";
import { PICKED_UP } from "./notices.ts";

export const uninstall = defineVerb({
  summary: "Disable a plugin and remove all its versions; its credentials and settings stay",
  examples: ["fermix plugins uninstall obsidian", "fermix plugins uninstall slack --purge"],
  args: {
    name: { kind: "positional", label: "NAME", required: true, about: "the plugin" },
    purge: { kind: "flag", about: "remove its API key or sign-in from this machine too" },
  },
  async run(app, args) {
    const options = args.purge ? { purge: true, unlock: app.ports.terminal.stdinIsTty } : {};
    const { name, version, disabled, credential, purged } = await uninstallPlugin(app, args.name, options);
    const kept = purged === undefined || purged.sharedWith.length > 0 ? credential : undefined;
    return {
      json: {
        uninstalled: name,
        version: version ?? null,
        disabled,
        credential_kept: kept ?? null,
        credential_removed: purged?.removed ?? false,
      },
      text: { lines: [`uninstalled ${name}`] },
      notices: [
        ...(disabled ? [`${name} was disabled first; its settings stay in config.toml`] : []),
        ...(purged === undefined ? keptNotice(credential, name) : purgedNotices(purged, name)),
        PICKED_UP,
      ],
    };
  },
});

function keptNotice(credential: Purged["kind"] | undefined, name: string): readonly string[] {
  if (credential === undefined) return [];
  const remedy = credential === "oauth2" ? "logout" : "clear";
  return [`a credential stored for it, if any, stays: \`fermix plugins auth ${remedy} ${name}\` removes it`];
}

/** What purging was, and what it was not (AUTH-10). */
function purgedNotices({ kind, removed, revokeAt, sharedWith, stillGivenBy }: Purged, name: string): readonly string[] {
  const what = kind === "oauth2" ? "sign-in" : "API key";
  const where = revokeAt === undefined ? "with the service" : `at ${revokeAt}`;
  return [
    ...(sharedWith.length > 0 ? [`its sign-in stays, because ${sharedWith.join(", ")} uses it too`] : []),
    ...(removed ? [`its ${what} was removed from this machine and not revoked: revoke it ${where} too`] : []),
    ...(removed || sharedWith.length > 0 ? [] : [`there was no ${what} of ${name} to remove`]),
    ...(stillGivenBy === undefined ? [] : [`${stillGivenBy} is set and would still give ${name} its key`]),
  ];
}
