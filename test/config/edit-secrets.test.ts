/** Tests of config/edit-secrets.ts: config.toml says where a secret is and never what it is, and nothing else of it moves. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { parse } from "smol-toml";
import { removePluginSecret, setOauthClient, setPluginSecret } from "../../src/config/edit-secrets.ts";
import { readConfig } from "../../src/config/read.ts";
import { type Home, homeAt } from "../../src/files/home.ts";
import type { PluginName } from "../../src/kernel/names.ts";
import { FakeClock } from "../fakes/clock.ts";
import { commentsOf, forgedConfig } from "../forge/toml.ts";

const SLACK = "slack" as PluginName;
let folder: string;
let home: Home;
const ports = { clock: new FakeClock() };

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "fermix-secrets-"));
  home = homeAt(join(folder, "home"));
  mkdirSync(home.root, { mode: 0o700 });
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (text: string): void => writeFileSync(home.configFile, text);
const content = (): string => readFileSync(home.configFile, "utf8");

describe("a plugin's key", () => {
  test("KCH-6/sentinel is the sentinel under the plugin's name, and goes again", async () => {
    write("# mine\n[fermix_core]\nprofile = 'work' # ours\n");
    await setPluginSecret(ports, home, SLACK);
    expect(content()).toBe(
      "# mine\n[fermix_core]\nprofile = 'work' # ours\n\n[fermix_core.plugin_secrets]\nslack = \"@keyring\"\n",
    );
    expect((await readConfig(home)).pluginSecrets.get(SLACK)).toBe("@keyring");
    await removePluginSecret(ports, home, SLACK);
    expect(content()).toBe("# mine\n[fermix_core]\nprofile = 'work' # ours\n\n[fermix_core.plugin_secrets]\n");
  });

  test("one in clear becomes the sentinel in its place", async () => {
    write("[fermix_core.plugin_secrets]\nslack = 'xoxb-in-clear' # of the team\ndiscord = '@keyring'\n");
    await setPluginSecret(ports, home, SLACK);
    expect(content()).toBe("[fermix_core.plugin_secrets]\nslack = \"@keyring\" # of the team\ndiscord = '@keyring'\n");
  });

  test("the file's time moves though its text stays, and a file that is not ours is no failure", async () => {
    write('[fermix_core.plugin_secrets]\nslack = "@keyring"\n');
    const before = content();
    utimesSync(home.configFile, 1, 1);
    await setPluginSecret(ports, home, SLACK);
    expect(content()).toBe(before);
    expect(statSync(home.configFile).mtimeMs).not.toBe(1000);
    utimesSync(home.configFile, 1, 1);
    await removePluginSecret(ports, home, "discord" as PluginName);
    expect(content()).toBe(before);
    expect(statSync(home.configFile).mtimeMs).not.toBe(1000);
    chmodSync(home.configFile, 0o400);
    await setPluginSecret(ports, home, SLACK);
  });

  test("however the file is written, the rest of it stays", async () => {
    await fc.assert(
      fc.asyncProperty(forgedConfig, async (forged) => {
        write(forged.text);
        await setPluginSecret(ports, home, SLACK);
        const set = content();
        expect(secretsOf(set)).toEqual({ ...secretsOf(forged.text), slack: "@keyring" });
        await removePluginSecret(ports, home, SLACK);
        const { slack: _slack, ...others } = secretsOf(forged.text);
        expect(secretsOf(content())).toEqual(others);
        for (const text of [set, content()]) {
          expect(commentsOf(text)).toEqual(commentsOf(forged.text));
          expect(restOf(text)).toEqual(restOf(forged.text));
          for (const piece of forged.kept) expect(text).toContain(piece);
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe("an OAuth client", () => {
  test("KCH-7/sentinel its id is told, its secret is not", async () => {
    write("[fermix_core.oauth.x]\nredirect_host = 'localhost' # fixed\nclient_secret = 'in clear'\n");
    await setOauthClient(ports, home, "x", { id: "an id", secret: "in_keychain" });
    expect(content()).toBe(
      '[fermix_core.oauth.x]\nredirect_host = \'localhost\' # fixed\nclient_secret = "@keyring"\nclient_id = "an id"\n',
    );
    expect((await readConfig(home)).oauth.get("x")).toMatchObject({ clientId: "an id", clientSecret: "@keyring" });
    write("[fermix_core.oauth.x]\nclient_secret = 'in clear'\n");
    await setOauthClient(ports, home, "x", { id: "an id", secret: "as_it_is" });
    expect(content()).toBe("[fermix_core.oauth.x]\nclient_secret = 'in clear'\nclient_id = \"an id\"\n");
  });
});

type Document = { fermix_core?: Record<string, unknown> };

function documentOf(text: string): Document {
  return parse(text.replace(/^\ufeff/, ""), { integersAsBigInt: "asNeeded" }) as Document;
}

function secretsOf(text: string): Record<string, unknown> {
  return { ...(documentOf(text).fermix_core?.["plugin_secrets"] as Record<string, unknown> | undefined) };
}

/** What the file says besides the secrets, and besides tables that hold nothing. */
function restOf(text: string): unknown {
  const { fermix_core: { plugin_secrets: _secrets, ...core } = {}, ...others } = documentOf(text);
  return { ...others, core };
}
