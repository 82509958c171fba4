/** Setting and clearing an API key with the compiled binary: a real keychain, a real terminal, and none of the key anywhere else. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { snapshotTree } from "../expect.ts";
import { signInOnDisk } from "../lab/auth-file.ts";
import { BINARY } from "../lab/binary.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { Keyring, keyringMissing } from "../lab/keyring.ts";
import { labMissing } from "../lab/network.ts";
import { Pane, paneMissing } from "../lab/pane.ts";

const missing = labMissing() ?? keyringMissing() ?? paneMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const KEY = "xoxb-lab-token";
const OTHER_KEYS = { discord: "lab-discord-token", agentmail: "am_lab_key" } as const;
const OWN = "PLUGIN_SLACK_SLACK_BOT_TOKEN";
const PATIENT_MS = 120_000;

describe.if(missing === undefined)("a key set on the command line", () => {
  let lab: HttpLab;
  let home: HttpHome;
  let keyring: Keyring;

  beforeAll(async () => {
    lab = await openHttpLab(["slack", "discord", "agentmail"]);
  }, PATIENT_MS);
  afterAll(() => lab?.[Symbol.dispose]());
  beforeEach(async () => {
    keyring = await Keyring.open();
    home = await lab.home({ plugins: [] });
  }, PATIENT_MS);
  afterEach(() => {
    home?.[Symbol.dispose]();
    keyring?.[Symbol.dispose]();
  });

  /** All but the log, which every command writes to. */
  const disk = () => Object.entries(snapshotTree(home.root)).filter(([path]) => !path.startsWith("logs/"));
  const keysSent = async () => (await lab.calls()).map(({ headers }) => headers["authorization"]);
  const run = async (words: string | readonly string[], input?: string) =>
    await home.inLab(words, { env: keyring.env, ...(input === undefined ? {} : { input }) });

  test(
    "KCH-6/nowhere-in-clear set, enable, call: it works in this order, and the key lies in no file in clear",
    async () => {
      const said = [
        await run("plugins auth set slack --stdin", KEY),
        await run("plugins enable slack"),
        await run(["call", "slack_team_info"]),
      ];
      expect(said.map(({ code }) => code)).toEqual([0, 0, 0]);
      expect(said[0]?.stdout).toBe("stored api key for slack\n");
      expect(await keysSent()).toEqual([`Bearer ${KEY}`]);
      expect(keyring.seenByOthers("fermix", OWN)).toBe(KEY);
      expect(readFileSync(join(home.root, "config.toml"), "utf8")).toContain('slack = "@keyring"');
      expect(filesWith(KEY, [home.folder, keyring.folder])).toEqual([]);
      expect(JSON.stringify(said)).not.toContain(KEY);
    },
    PATIENT_MS,
  );

  test(
    "AUTH-10/apart clear, disable and uninstall are three things: each leaves what is not its own",
    async () => {
      await run("plugins enable slack");
      await run("plugins auth set slack --stdin", KEY);
      keyring.putOtherLayout("fermix", OWN, "an older one");
      expect((await run("plugins disable slack")).code).toBe(0);
      expect(keyring.seenByOthers("fermix", OWN)).toBe(KEY);
      await run("plugins enable slack");
      const cleared = await run("plugins auth clear slack");
      expect(cleared).toMatchObject({ code: 0, stdout: "cleared api key for slack\n" });
      expect(cleared.stderr).toContain("revoked nothing");
      expect([keyring.seenByOthers("fermix", OWN), keyring.seenInOtherLayout("fermix", OWN)]).toEqual(["", ""]);
      expect(readFileSync(join(home.root, "config.toml"), "utf8")).not.toContain("@keyring");
      expect((await run("plugins list")).stdout).toContain("slack\tneeds_secret");
      expect(await lab.calls()).toEqual([]);
    },
    PATIENT_MS,
  );

  test(
    "a terminal shows nothing of what is typed, and is left as it was; Ctrl-C changes nothing",
    async () => {
      await run("plugins enable slack");
      const before = disk();
      const folder = join(home.folder, "pane");
      mkdirSync(folder);
      const env = home.env(keyring.env);
      {
        using pane = new Pane([BINARY, "plugins", "auth", "set", "slack"], { folder, env, cwd: home.folder });
        await pane.shows("not shown");
        pane.type("C-c");
        expect(await pane.ended()).toEqual({ code: 1, sane: true });
        expect(pane.screen).toContain("nothing was changed");
      }
      expect(disk()).toEqual(before);
      const second = join(home.folder, "second");
      mkdirSync(second);
      using pane = new Pane([BINARY, "plugins", "auth", "set", "slack"], { folder: second, env, cwd: home.folder });
      await pane.shows("not shown");
      pane.type(KEY, "Enter");
      expect(await pane.ended()).toEqual({ code: 0, sane: true });
      expect(pane.screen).toContain("stored api key for slack");
      expect(`${pane.raw}${pane.screen}`).not.toContain("lab-token");
      expect(keyring.seenByOthers("fermix", OWN)).toBe(KEY);
    },
    PATIENT_MS,
  );

  test(
    "a paste of two lines is refused whole, and Ctrl-Z does not bring the shell that would show what is typed next",
    async () => {
      const before = disk();
      const folder = join(home.folder, "pasted");
      mkdirSync(folder);
      const env = home.env(keyring.env);
      using pane = new Pane([BINARY, "plugins", "auth", "set", "slack"], { folder, env, cwd: home.folder });
      await pane.shows("not shown");
      pane.type("C-z");
      pane.paste(`${KEY}\nsecond-line\n`);
      pane.type("Enter");
      expect(await pane.ended()).toEqual({ code: 2, sane: true });
      expect(pane.screen).toContain("it holds a line break");
      expect(`${pane.raw}${pane.screen}`).not.toMatch(/lab-token|second-line/);
      expect(disk()).toEqual(before);
    },
    PATIENT_MS,
  );

  test(
    "AUTH-3/exit-2 CASE-63 a key as an argument is refused, and neither stored nor told",
    async () => {
      const before = disk();
      for (const words of [
        ["plugins", "auth", "set", "slack", KEY],
        ["plugins", "auth", "set", KEY, "slack", "--json"],
        ["plugins", "auth", "set", KEY],
        ["plugins", "auth", "set", "slack", `--stdin=${KEY}`],
      ]) {
        const { code, stdout, stderr } = await run(words);
        expect(code).toBe(2);
        expect(`${stdout}${stderr}`).not.toContain(KEY);
      }
      expect((await run(["plugins", "auth", "set", "slack", KEY])).stderr).toContain("treat it as leaked");
      expect(keyring.seenByOthers("fermix", OWN)).toBe("");
      expect(disk()).toEqual(before);
    },
    PATIENT_MS,
  );

  test(
    "KCH-9/loudly CASE-57 CASE-58 without a keychain a key is refused in the document's words, with what works there",
    async () => {
      const before = disk();
      const { code, stderr } = await home.inLab("plugins auth set slack --stdin", { input: KEY });
      expect(code).toBe(1);
      expect(stderr).toContain("could not be stored in the OS keyring: no supported OS secret helper is available");
      expect(stderr).toContain("FERMIX_PLUGIN_KEY_SLACK");
      expect(stderr).not.toContain(KEY);
      expect(disk()).toEqual(before);
    },
    PATIENT_MS,
  );

  test(
    "KCH-4/two-homes two homes with two profiles keep their own keys in one keychain",
    async () => {
      using other = await lab.home({ plugins: [], config: '[fermix_core]\nprofile = "work"\n' });
      await run("plugins auth set slack --stdin", KEY);
      const set = await other.inLab("plugins auth set slack --stdin", { env: keyring.env, input: "xoxb-of-work" });
      expect(set.code).toBe(0);
      expect(keyring.seenByOthers("fermix", OWN)).toBe(KEY);
      expect(keyring.seenByOthers("fermix:work", OWN)).toBe("xoxb-of-work");
      await other.inLab("plugins auth clear slack", { env: keyring.env });
      expect(keyring.seenByOthers("fermix", OWN)).toBe(KEY);
    },
    PATIENT_MS,
  );

  test(
    "--check tries the key with the service first, and stores only one that is taken",
    async () => {
      const set = async (plugin: string, key: string) =>
        await run(`plugins auth set ${plugin} --stdin --check --json`, key);
      const before = disk();
      const refused = await set("slack", "xoxb-lab-revoked");
      expect(refused.code).toBe(1);
      expect(JSON.parse(refused.stdout).error).toMatchObject({ code: "key_check_failed" });
      expect(disk()).toEqual(before);
      expect(keyring.seenByOthers("fermix", OWN)).toBe("");
      expect(JSON.parse((await set("slack", KEY)).stdout)).toMatchObject({ secret_set: true, checked: "taken" });
      expect(keyring.seenByOthers("fermix", OWN)).toBe(KEY);
      for (const [plugin, key] of Object.entries(OTHER_KEYS)) {
        expect(JSON.parse((await set(plugin, key)).stdout)).toMatchObject({ checked: "taken" });
      }
      const asked = (await lab.calls()).map(
        ({ method, host, path, query, headers }) => `${method} ${host}${path}?${query} ${headers["authorization"]}`,
      );
      expect(asked).toEqual([
        "POST slack.com/api/auth.test? Bearer xoxb-lab-revoked",
        `POST slack.com/api/auth.test? Bearer ${KEY}`,
        `GET discord.com/api/v10/users/@me? Bot ${OTHER_KEYS.discord}`,
        `GET api.agentmail.to/v0/inboxes?limit=1 Bearer ${OTHER_KEYS.agentmail}`,
      ]);
    },
    PATIENT_MS,
  );

  test(
    "an agent's server uses a replaced key at its next call, and none once it is cleared",
    async () => {
      await run("plugins enable slack");
      await run("plugins auth set slack --stdin", "xoxb-lab-revoked");
      await home.agent(async (agent) => {
        expect((await callTeam(agent)).isError).toBe(true);
        expect(await keysSent()).toContain("Bearer xoxb-lab-revoked");
        await run("plugins auth set slack --stdin", KEY);
        expect((await callTeam(agent)).isError).not.toBe(true);
        expect(await keysSent()).toEqual([`Bearer ${KEY}`]);
        await run("plugins auth clear slack");
        expect((await callTeam(agent)).isError).toBe(true);
        expect(await keysSent()).toEqual([]);
      }, keyring.env);
    },
    PATIENT_MS,
  );
});

async function callTeam(agent: Client) {
  return await agent.callTool({ name: "slack_team_info", arguments: {} });
}

const PLUGINS = 50;
/** More at once than two cores start in the 3 s that a keychain is given. */
const AT_ONCE = 10;
const REFRESHES = 6;

describe.if(missing === undefined)("many at once", () => {
  test(
    `CASE-55: keys of ${PLUGINS} plugins, set by ${AT_ONCE} processes at a time while others refresh a sign-in, are all there`,
    async () => {
      const author = mkdtempSync(join(tmpdir(), "fermix-author-"));
      const names = Array.from({ length: PLUGINS }, (_, at) => `plugin_${at}`);
      for (const name of names) {
        mkdirSync(join(author, name));
        writeFileSync(join(author, name, "plugin.json"), JSON.stringify(manifest(name)));
      }
      using keyring = await Keyring.open();
      using lab = await openHttpLab(["x"]);
      const x = { provider: "x", accessToken: "lab-x-token-many-1", refreshToken: "lab-x-refresh-many-1" };
      using home = await lab.home({
        plugins: ["x"],
        signIns: { "x:primary": x },
        devLocal: author,
        config: "# kept\n",
      });
      await lab.calls();
      const waiting = [...names];
      const setting = async () => {
        const said: string[] = [];
        for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
          const options = { env: keyring.env, input: `key-of-${name}` };
          const { code, stderr } = await home.inLab(`plugins auth set ${name} --stdin`, options);
          if (code !== 0) said.push(stderr);
        }
        return said;
      };
      const refreshing = async () => {
        const said: string[] = [];
        for (let round = 1; round <= REFRESHES; round += 1)
          said.push((await home.inLab("plugins auth refresh x")).stdout);
        return said;
      };
      const lanes = Array.from({ length: AT_ONCE }, setting);
      const [refreshed, ...failures] = await Promise.all([refreshing(), ...lanes]);
      rmSync(author, { recursive: true });
      expect(failures.flat()).toEqual([]);
      const kept = names.map((name) => keyring.seenByOthers("fermix", `PLUGIN_${name.toUpperCase()}_KEY`));
      expect(kept).toEqual(names.map((name) => `key-of-${name}`));
      const config = readFileSync(join(home.root, "config.toml"), "utf8");
      expect(config).toContain("# kept\n");
      expect(names.filter((name) => !config.includes(`${name} = "@keyring"`))).toEqual([]);
      expect(refreshed).toEqual(Array.from({ length: REFRESHES }, () => "refreshed x\n"));
      const last = REFRESHES + 1;
      const tokens = { access_token: `lab-x-token-many-${last}`, refresh_token: `lab-x-refresh-many-${last}` };
      expect(signInOnDisk(home.root, "x:primary")).toMatchObject({ tokens, status: "ready" });
      const asked = (await lab.calls()).map(({ body }) => new URLSearchParams(String(body)).get("refresh_token"));
      expect(asked).toEqual(Array.from({ length: REFRESHES }, (_, at) => `lab-x-refresh-many-${at + 1}`));
    },
    PATIENT_MS,
  );
});

function manifest(name: string) {
  return {
    schema_version: 2,
    name,
    display_name: name,
    description: "A plugin with a key.",
    category: "knowledge",
    version: "1.0.0",
    min_core_version: "0.9.0",
    plugin_api: 2,
    auth: { type: "api_key", key_name: "KEY", header: "authorization", prompt: "Key" },
    tools: [],
  };
}

/** Every file below these folders that holds the text. */
function filesWith(text: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => join(folder, path))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(text)),
  );
}
