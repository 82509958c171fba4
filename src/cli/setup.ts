/** `fermix setup`: so far only the move of plain secrets into the keychain; its page comes with a later version. */
import { FermixError } from "../kernel/error.ts";
import { migrateSecrets } from "../plugins/migrate-secrets.ts";
import { PICKED_UP } from "./plugins/notices.ts";
import { defineVerb } from "./verb.ts";

export const setup = defineVerb({
  summary: "Move secrets that lie in config.toml in clear into the keychain",
  examples: ["fermix setup --migrate-secrets"],
  args: {
    "migrate-secrets": { kind: "flag", about: "move every secret; comments and order of the file stay" },
    secret: { kind: "never", instead: "fermix plugins auth set NAME" },
  },
  async run(app, args) {
    if (!args["migrate-secrets"]) throw new FermixError("setup_page_missing", {});
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
  },
});
