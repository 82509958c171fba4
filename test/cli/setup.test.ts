/** Tests of `fermix setup` and `fermix auth client`: what they say on every surface. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { client } from "../../src/cli/auth/client.ts";
import { setup } from "../../src/cli/setup.ts";
import type { App } from "../../src/plugins/app.ts";
import { expectRefusal } from "../expect.ts";
import { FakeTerminal } from "../fakes/terminal.ts";
import { keyManifest, PluginLab } from "../plugins/lab.ts";
import { answers } from "./plugins/answers.ts";

const PICKED_UP = "no daemon is running; every `fermix mcp serve` picks this up by itself";

let lab: PluginLab;
beforeEach(() => {
  lab = new PluginLab();
});
afterEach(() => lab[Symbol.dispose]());

const NOTHING = { "migrate-secrets": false, "transcription-api-key": false, secret: undefined, stdin: false } as const;
const MIGRATE = { ...NOTHING, "migrate-secrets": true } as const;

const appWith = (input?: string): App => {
  const terminal = new FakeTerminal(input === undefined ? {} : { input });
  return { ...lab.app, ports: { ...lab.app.ports, terminal } };
};

describe("setup", () => {
  test("alone it says that its page comes later and what works now", async () => {
    await expectRefusal(() => answers(setup, appWith(), NOTHING), "setup_page_missing");
  });

  test("each secret that moved is a line, and what stays in clear is a failure with its reason", async () => {
    lab.config("[fermix_core.providers]", 'openai.api_key = "sk-secret"', "[fermix_core.plugin_secrets]", 'gone = "k"');
    lab.keychain.item("fermix", "OPENAI_API_KEY");
    const said = await answers(setup, appWith(), MIGRATE);
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
    const { piped, notices, exit } = await answers(setup, appWith(), MIGRATE);
    expect({ piped, notices, exit }).toEqual({
      piped: "no secret is in clear in config.toml",
      notices: [],
      exit: "ok",
    });
  });
});

describe("setup of one secret", () => {
  const KEY = "fermix_channels.telegram.bot_token";
  const set = (more: object, input = "123:token\n") =>
    answers(setup, appWith(input), { ...NOTHING, stdin: true, ...more });

  test("CHN-1/set-into-keychain the secret of a channel is stored by its key, and config.toml keeps the sentinel", async () => {
    lab.keychain.item("fermix", "TELEGRAM_BOT_TOKEN");
    const said = await set({ secret: KEY });
    expect({ text: said.piped, json: said.json, notices: said.notices }).toEqual({
      text: `stored ${KEY}`,
      json: { key: KEY, secret_set: true, changed: true, in_keychain: true },
      notices: [PICKED_UP],
    });
    expect(lab.keychain.stored()).toEqual({ "fermix/TELEGRAM_BOT_TOKEN": "123:token" });
    expect(readFileSync(lab.home.configFile, "utf8")).toBe('[fermix_channels.telegram]\nbot_token = "@keyring"\n');
    expect((await set({ secret: KEY })).json).toMatchObject({ changed: false });
    await expectRefusal(() => set({ secret: KEY }, "1\n2"), "secret_refused", {
      key: KEY,
      reason: "it holds a line break",
    });
    await expectRefusal(() => set({ secret: "fermix_channels.telegram" }), "secret_key_unknown");
    await expectRefusal(() => set({ secret: KEY, "migrate-secrets": true }), "usage");
  });

  test("KEY-2/set-into-keychain --transcription-api-key stores the key of the backend that config.toml names", async () => {
    await expectRefusal(() => set({ "transcription-api-key": true }), "transcription_backend_missing");
    lab.config("[fermix_core.transcription]", 'backend = "deepgram"');
    lab.keychain.item("fermix", "DEEPGRAM_API_KEY");
    expect((await set({ "transcription-api-key": true })).piped).toBe(
      "stored fermix_core.transcription.deepgram_api_key",
    );
    expect(lab.keychain.stored()).toEqual({ "fermix/DEEPGRAM_API_KEY": "123:token" });
  });

  test("one in clear stays without a keychain, and a variable that goes before it is told", async () => {
    const key = "fermix_core.providers.openai.api_key";
    lab.config("[fermix_core.providers.openai]", 'api_key = "sk-1"');
    lab.variables.set("OPENAI_API_KEY", "sk-2");
    lab.keychain.item("fermix", "OPENAI_API_KEY").trouble = { state: "unavailable", reason: "no bus" };
    const said = await set({ secret: key }, "sk-1");
    expect(said.json).toMatchObject({ in_keychain: false });
    expect(said.notices).toContain("OPENAI_API_KEY is set and goes before the stored value");
    await expectRefusal(() => set({ secret: key }, "sk-3"), "keychain_unavailable");
  });

  test("a plugin's key in an item of the same name gets one of its own first", async () => {
    const auth = { type: "api_key", key_name: "SLACK_BOT_TOKEN", header: "authorization", prompt: "Token" };
    lab.installed({ ...keyManifest("slack"), auth });
    lab.config("[fermix_core.plugin_secrets]", 'slack = "@keyring"');
    lab.keychain.item("fermix", "SLACK_BOT_TOKEN", "of the plugin").item("fermix", "PLUGIN_SLACK_SLACK_BOT_TOKEN");
    await set({ secret: "fermix_channels.slack.bot_token" }, "of the channel");
    expect(lab.keychain.stored()).toEqual({
      "fermix/SLACK_BOT_TOKEN": "of the channel",
      "fermix/PLUGIN_SLACK_SLACK_BOT_TOKEN": "of the plugin",
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
