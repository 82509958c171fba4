/** Tests of `fermix setup` and `fermix auth client`: what they say on every surface. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { client } from "../../src/cli/auth/client.ts";
import { setup } from "../../src/cli/setup.ts";
import type { App } from "../../src/plugins/app.ts";
import { expectRefusal } from "../expect.ts";
import { FakeTerminal } from "../fakes/terminal.ts";
import { PluginLab } from "../plugins/lab.ts";
import { answers } from "./plugins/answers.ts";

const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";

let lab: PluginLab;
beforeEach(() => {
  lab = new PluginLab();
});
afterEach(() => lab[Symbol.dispose]());

const appWith = (input?: string): App => {
  const terminal = new FakeTerminal(input === undefined ? {} : { input });
  return { ...lab.app, ports: { ...lab.app.ports, terminal } };
};

describe("setup", () => {
  test("alone it says that its page comes later and what works now", async () => {
    await expectRefusal(() => answers(setup, appWith(), { "migrate-secrets": false }), "setup_page_missing");
  });

  test("each secret that moved is a line, and what stays in clear is a failure with its reason", async () => {
    lab.config("[fermix_core.providers]", 'openai.api_key = "sk-secret"', "[fermix_core.plugin_secrets]", 'gone = "k"');
    lab.keychain.item("fermix", "OPENAI_API_KEY");
    const said = await answers(setup, appWith(), { "migrate-secrets": true });
    expect(said).toEqual({
      terminal: "moved fermix_core.providers.openai.api_key to the keychain",
      piped: "moved fermix_core.providers.openai.api_key to the keychain",
      json: {
        migrated: ["fermix_core.providers.openai.api_key"],
        left: [
          {
            key: "fermix_core.plugin_secrets.gone",
            reason: "no plugin of this name is known, so its item has no name",
          },
        ],
      },
      notices: [
        "fermix_core.plugin_secrets.gone stays in clear: no plugin of this name is known, so its item has no name",
        "copies of the old config.toml, in backups and synced folders, still hold what was moved",
        PICKED_UP,
      ],
      exit: "failed",
    });
  });

  test("nothing to move is said", async () => {
    const { piped, notices, exit } = await answers(setup, appWith(), { "migrate-secrets": true });
    expect({ piped, notices, exit }).toEqual({
      piped: "no secret is in clear in config.toml",
      notices: [],
      exit: "ok",
    });
  });
});

describe("auth client", () => {
  const run = (id: string | undefined, input = "the secret\n") =>
    answers(client, appWith(input), { provider: "github", id, stdin: true });

  test("AUTH-11/told the redirect URI is printed, and nothing of the secret", async () => {
    lab.keychain.item("fermix", "GITHUB_OAUTH_CLIENT_SECRET");
    const said = await run("an-id");
    expect(said.piped).toBe(
      "stored client of github\nredirect URI to register with GitHub: http://127.0.0.1:1457/auth/callback",
    );
    expect(said.json).toMatchObject({
      provider: "github",
      client_id: "an-id",
      secret_set: true,
      changed: true,
      in_keychain: true,
      redirect_uri: "http://127.0.0.1:1457/auth/callback",
    });
    expect(JSON.stringify(said)).not.toContain("the secret");
    expect(lab.keychain.stored()).toEqual({ "fermix/GITHUB_OAUTH_CLIENT_SECRET": "the secret" });
  });

  test("an id is wanted, and a secret that is none is refused", async () => {
    await expectRefusal(() => run(undefined), "usage");
    await expectRefusal(() => run("an-id", "\n"), "no_input", { command: "fermix auth client github --id ID" });
  });
});
