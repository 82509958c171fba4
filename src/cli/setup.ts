/** `fermix setup`: so far the secrets of providers, voice and channels; its page comes with a later version. */
import { FermixError } from "../kernel/error.ts";
import type { App } from "../plugins/app.ts";
import { migrateSecrets } from "../plugins/migrate-secrets.ts";
import { setPlaceSecret } from "../plugins/set-place-secret.ts";
import { PICKED_UP } from "./plugins/notices.ts";
import { readSecret } from "./secret-input.ts";
import { defineVerb, type View } from "./verb.ts";

const COMMAND = "fermix setup";

export const setup = defineVerb({
  summary: "Keep secrets of providers, voice and channels in the keychain",
  examples: [
    "fermix setup --migrate-secrets",
    "fermix setup --secret fermix_channels.telegram.bot_token",
    "printf '%s' \"$KEY\" | fermix setup --transcription-api-key --stdin",
  ],
  args: {
    "migrate-secrets": { kind: "flag", about: "move every secret that is in config.toml in clear; its comments stay" },
    secret: { kind: "option", label: "KEY", about: "ask for the secret of this key of config.toml and store it" },
    "transcription-api-key": { kind: "flag", about: "ask for the key of the transcription backend and store it" },
    stdin: { kind: "flag", about: "read that secret from a pipe" },
    value: { kind: "never", instead: "fermix setup --secret KEY" },
  },
  async run(app, args) {
    const { secret, stdin, "migrate-secrets": migrate, "transcription-api-key": transcription } = args;
    const wishes = [migrate, secret !== undefined, transcription].filter(Boolean).length;
    if (wishes > 1) throw new FermixError("usage", { problem: "Only one of these at a time.", command: COMMAND });
    if (migrate) return await answerMigrated(app);
    if (wishes === 0) throw new FermixError("setup_page_missing", {});
    return await answerSet(app, { key: secret, stdin });
  },
});

interface Wish {
  readonly key: string | undefined;
  readonly stdin: boolean;
}

async function answerSet(app: App, { key: wanted, stdin }: Wish): Promise<View> {
  const command = wanted === undefined ? `${COMMAND} --transcription-api-key` : `${COMMAND} --secret KEY`;
  const done = await setPlaceSecret(app, {
    key: wanted,
    unlock: !stdin,
    read: async (key) => await readSecret(app, { stdin, prompt: key, command }),
  });
  const { key, outcome, overriddenBy } = done;
  const stored = outcome !== "left_in_clear";
  return {
    json: { key, secret_set: true, changed: outcome === "stored", in_keychain: stored },
    text: { lines: [stored ? `stored ${key}` : `kept ${key} as it is`] },
    notices: [
      ...(outcome === "unchanged" ? [`the keychain had this value of ${key} already; it was not written again`] : []),
      ...(stored
        ? []
        : [`${key} stays in config.toml as plain text; with a keychain, run \`${COMMAND} --migrate-secrets\``]),
      ...(overriddenBy === undefined ? [] : [`${overriddenBy} is set and goes before the stored value`]),
      PICKED_UP,
    ],
  };
}

async function answerMigrated(app: App): Promise<View> {
  const { moved, left } = await migrateSecrets(app, { unlock: app.ports.terminal.stdinIsTty });
  const nothing = moved.length === 0 && left.length === 0;
  return {
    json: { migrated: moved, left },
    text: {
      lines: nothing ? ["no secret is in clear in config.toml"] : moved.map((key) => `moved ${key} to the keychain`),
    },
    notices: [
      ...left.map(({ key, reason }) => `${key} stays in clear: ${reason}`),
      ...(moved.length === 0
        ? []
        : ["copies of the old config.toml, in backups and synced folders, still hold what was moved", PICKED_UP]),
    ],
    ...(left.length === 0 ? {} : { exit: "failed" as const }),
  };
}
