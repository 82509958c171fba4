/** What a person does while an agent is connected, the agent has at its next turn: a key, a sign-in, a setting, without a restart. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { placeSignIn, removeSignIn } from "../lab/auth-file.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { Keyring, keyringMissing } from "../lab/keyring.ts";
import { labMissing } from "../lab/network.ts";
import { LAB_CLIENT } from "../lab/token-book.ts";

const missing = labMissing() ?? keyringMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const KEY = "xoxb-lab-token";

/** Tells when a client's list of tools has changed. */
class Changes {
  #next = Promise.withResolvers<void>();

  constructor(client: Client) {
    client.setNotificationHandler(ToolListChangedNotificationSchema, () => this.#next.resolve());
  }

  /** Does the work, and resolves when the client was told of a change. */
  async after(work: () => unknown): Promise<void> {
    this.#next = Promise.withResolvers();
    await work();
    await this.#next.promise;
  }
}

describe.if(missing === undefined)("a connected agent", () => {
  let lab: HttpLab;
  let home: HttpHome;
  let keyring: Keyring;

  beforeAll(async () => {
    [lab, keyring] = await Promise.all([openHttpLab(["slack", "x"]), Keyring.open()]);
    home = await lab.home({ plugins: ["slack", "x", "obsidian"], clients: { x: LAB_CLIENT } });
    mkdirSync(join(home.folder, "vault"));
    writeFileSync(join(home.folder, "vault/Note.md"), "# Note\n");
  }, 60_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    keyring?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  /** The plugins whose tools the client has. */
  async function plugins(client: Client): Promise<readonly string[]> {
    const { tools } = await client.listTools();
    return [...new Set(tools.map(({ name }) => name.replace(/_.*/, "")))].toSorted();
  }

  async function fermix(words: string, input = ""): Promise<void> {
    const answer = await home.inLab(words, { env: keyring.env, input });
    expect(answer).toMatchObject({ code: 0 });
  }

  async function answers(client: Client, name: string, args: Record<string, unknown> = {}): Promise<void> {
    expect(await client.callTool({ name, arguments: args })).not.toHaveProperty("isError", true);
  }

  test("RDY-4/key RDY-4/sign-in RDY-4/config CASE-42 CASE-43: has each plugin's tools as soon as it is ready, and loses them as soon as it is not", async () => {
    const vault = join(home.folder, "vault");
    await home.agent(async (client) => {
      const changes = new Changes(client);
      expect(await plugins(client)).toEqual([]);

      await changes.after(() => fermix("plugins auth set slack --stdin", KEY));
      expect(await plugins(client)).toEqual(["slack"]);
      await answers(client, "slack_team_info");

      await changes.after(() => placeSignIn(home.root, "x:primary", { provider: "x", accessToken: "lab-x-token" }));
      expect(await plugins(client)).toEqual(["slack", "x"]);
      await answers(client, "x_whoami");

      await changes.after(() => fermix(`plugins config set obsidian OBSIDIAN_VAULT_PATH ${vault}`));
      expect(await plugins(client)).toEqual(["obsidian", "slack", "x"]);
      await answers(client, "obsidian_read_note", { path: "Note.md" });

      await changes.after(() => removeSignIn(home.root, "x:primary"));
      expect(await plugins(client)).toEqual(["obsidian", "slack"]);
      await changes.after(() => fermix("plugins auth clear slack"));
      expect(await plugins(client)).toEqual(["obsidian"]);
    }, keyring.env);
    expect((await lab.calls()).map(({ path }) => path)).toEqual(["/api/team.info", "/2/users/me"]);
  }, 60_000);

  test("RDY-4/key has a key that came into the keychain alone, although config.toml said all along that it is there", async () => {
    await fermix("plugins auth set slack --stdin", KEY);
    keyring.remove("fermix", "PLUGIN_SLACK_SLACK_BOT_TOKEN");
    await home.agent(async (client) => {
      const changes = new Changes(client);
      expect(await plugins(client)).toEqual(["obsidian"]);
      await changes.after(() => fermix("plugins auth set slack --stdin", KEY));
      expect(await plugins(client)).toEqual(["obsidian", "slack"]);
    }, keyring.env);
  }, 60_000);
});
