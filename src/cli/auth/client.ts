/** `fermix auth client PROVIDER --id ID`: store the OAuth client that was registered with a provider. */
import { setClient } from "../../auth/set-client.ts";
import { FermixError } from "../../kernel/error.ts";
import { PICKED_UP } from "../plugins/notices.ts";
import { readSecret } from "../secret-input.ts";
import { defineVerb } from "../verb.ts";

const COMMAND = "fermix auth client";

export const client = defineVerb({
  summary: "Store the OAuth client that you registered with a provider; it asks for the client's secret",
  examples: [
    "fermix auth client github --id Iv1.0123456789abcdef",
    "printf '%s' \"$CLIENT_SECRET\" | fermix auth client google --id 12345.apps.googleusercontent.com --stdin",
  ],
  args: {
    provider: { kind: "positional", label: "PROVIDER", required: true, about: "google, github, notion or x" },
    id: { kind: "option", label: "ID", about: "the client's id, which is no secret (required)" },
    stdin: { kind: "flag", about: "read the client's secret from a pipe" },
    secret: { kind: "never", instead: "fermix auth client PROVIDER --id ID" },
  },
  async run(app, args) {
    const { provider: wanted, id, stdin } = args;
    if (id === undefined) throw new FermixError("usage", { problem: "--id is missing.", command: COMMAND });
    const done = await setClient(app, {
      provider: wanted,
      id,
      unlock: !stdin,
      readSecret: async ({ name, tokens }) => {
        const command = `${COMMAND} ${tokens.id} --id ID`;
        return await readSecret(app, { stdin, prompt: `Client secret of ${name}`, command });
      },
    });
    const { tokens, name } = done.provider;
    const [first, ...others] = done.redirectUris;
    return {
      json: {
        provider: tokens.id,
        client_id: done.id,
        secret_set: true,
        changed: done.outcome === "stored",
        in_keychain: done.outcome !== "left_in_clear",
        redirect_uri: first,
        redirect_uris: done.redirectUris,
      },
      text: { lines: [`stored client of ${tokens.id}`, `redirect URI to register with ${name}: ${first}`] },
      notices: [
        ...(others.length === 0
          ? []
          : [
              `where ${name} wants every port registered, these are used when the first one is busy: ${others.join(" ")}`,
            ]),
        ...(done.outcome === "left_in_clear"
          ? ["its secret stays in config.toml as plain text; with a keychain, run `fermix setup --migrate-secrets`"]
          : []),
        PICKED_UP,
      ],
    };
  },
});
