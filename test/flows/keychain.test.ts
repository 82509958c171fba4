/** The compiled binary and a real keychain: a key stored there reaches the provider, and a keychain that fails is named. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { BINARY } from "../lab/binary.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { Keyring, keyringMissing, SilentBus } from "../lab/keyring.ts";
import { labMissing } from "../lab/network.ts";
import { until } from "../lab/until.ts";

const missing = labMissing() ?? keyringMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const KEY = "xoxb-lab-token";
const DISCORD_KEY = "lab-discord-token";
const OWN = "PLUGIN_SLACK_SLACK_BOT_TOKEN";
const BARE = "SLACK_BOT_TOKEN";
const VARIABLE = "FERMIX_PLUGIN_KEY_SLACK";
const SENTINEL = '[fermix_core.plugin_secrets]\nslack = "@keyring"\n';
const PATIENT_MS = 60_000;

describe.if(missing === undefined)("a plugin whose key is in the keychain", () => {
  let lab: HttpLab;
  let home: HttpHome;
  let keyring: Keyring;

  beforeAll(async () => {
    lab = await openHttpLab(["slack", "discord"]);
    home = await lab.home({ plugins: ["slack"], config: SENTINEL });
  }, PATIENT_MS);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });
  beforeEach(async () => {
    keyring?.[Symbol.dispose]();
    keyring = await Keyring.open();
  }, PATIENT_MS);
  afterAll(() => keyring?.[Symbol.dispose]());

  const call = async (env: Readonly<Record<string, string>>) => await home.call("slack_team_info", {}, { env });
  const sent = async (): Promise<readonly unknown[]> =>
    (await lab.calls()).map(({ headers }) => headers["authorization"]);

  async function statusOfSlack(env: Readonly<Record<string, string>>): Promise<string> {
    const { stdout } = await home.inLab("plugins list --json", { env });
    const { plugins } = JSON.parse(stdout) as { plugins: readonly { name: string; status: string }[] };
    return plugins.find(({ name }) => name === "slack")?.status ?? "";
  }

  async function refused(env: Readonly<Record<string, string>>) {
    const called = await call(env);
    expect(await sent()).toEqual([]);
    if (!("error" in called)) throw new Error(JSON.stringify(called));
    const { code, message, fix, details } = called.error;
    return { exit: called.code, code, message, fix, details };
  }

  test(
    "AUTH-6/key-missing reaches the provider from its own item, and is missing once it is removed there",
    async () => {
      keyring.put("fermix", OWN, KEY);
      expect(await statusOfSlack(keyring.env)).toBe("ready");
      expect((await call(keyring.env)).code).toBe(0);
      expect(await sent()).toEqual([`Bearer ${KEY}`]);
      // Nothing but the keychain has it.
      expect(filesWith(KEY, [home.folder, keyring.folder])).toEqual([]);
      keyring.remove("fermix", OWN);
      expect(await statusOfSlack(keyring.env)).toBe("needs_secret");
      expect(await refused(keyring.env)).toEqual({
        exit: 4,
        code: "key_missing",
        message: "slack is missing its API key. Run `fermix plugins auth set slack`.",
        fix: `\`fermix plugins auth set slack\` (it asks for the value), or \`--stdin\` to pipe it in; without a keychain, set ${VARIABLE}`,
        details: { plugin: "slack", variable: VARIABLE },
      });
    },
    PATIENT_MS,
  );

  test(
    "is found where the ecosystem's homes have it: the bare name, stored with secret-tool",
    async () => {
      keyring.putOtherLayout("fermix", BARE, KEY);
      expect((await call(keyring.env)).code).toBe(0);
      expect(await sent()).toEqual([`Bearer ${KEY}`]);
    },
    PATIENT_MS,
  );

  test(
    "a locked keychain is told as locked, on every surface",
    async () => {
      keyring.put("fermix", OWN, KEY);
      keyring.lock();
      expect(await refused(keyring.env)).toMatchObject({
        exit: 1,
        code: "keychain_locked",
        message: `The keychain is locked, so ${OWN} could not be read.`,
        details: { item: OWN, instead: VARIABLE },
      });
      const { stdout } = await home.inLab("plugins doctor slack", { env: keyring.env });
      expect(stdout).toContain("The keychain is locked");
    },
    PATIENT_MS,
  );

  test(
    "CASE-57 CASE-58: without a keychain it says so and what works there, and that works",
    async () => {
      const failure = await refused({});
      expect(failure).toMatchObject({ exit: 1, code: "keychain_unavailable" });
      expect(failure.fix).toContain(VARIABLE);
      expect((await call({ [VARIABLE]: KEY })).code).toBe(0);
      const file = join(home.folder, "key-file");
      writeFileSync(file, `${KEY}\n`, { mode: 0o600 });
      expect((await call({ [`${VARIABLE}_FILE`]: file })).code).toBe(0);
      expect(await sent()).toEqual([`Bearer ${KEY}`, `Bearer ${KEY}`]);
      expect(filesWith(KEY, [home.root])).toEqual([]);
    },
    PATIENT_MS,
  );

  test(
    "CASE-59: one that never answers ends in a named failure, and the command ends",
    async () => {
      using bus = new SilentBus();
      expect(await refused(bus.env)).toMatchObject({
        exit: 1,
        code: "keychain_timed_out",
        details: { item: OWN, instead: VARIABLE, afterMs: 3000 },
      });
      expect(bus.connections).toBeGreaterThan(0);
      expect(await statusOfSlack(bus.env)).toBe("error");
      await until("no process of it is left", () => processesOf(bus.folder).length === 0);
    },
    PATIENT_MS,
  );

  test(
    "CASE-59: a server whose keychain never answers serves the other plugins meanwhile",
    async () => {
      using bus = new SilentBus();
      using both = await lab.home({ plugins: ["slack", "discord"], config: SENTINEL });
      const [command = "", ...before] = [...lab.network.inside, BINARY];
      const client = new Client({ name: "an-agent", version: "1.0.0" });
      const key = { FERMIX_PLUGIN_KEY_DISCORD: DISCORD_KEY, NODE_EXTRA_CA_CERTS: lab.network.caFile };
      const env = both.env({ ...bus.env, ...key });
      await client.connect(
        new StdioClientTransport({
          command,
          args: [...before, "mcp", "serve"],
          env,
          cwd: both.folder,
          stderr: "inherit",
        }),
      );
      try {
        const { tools } = await client.listTools();
        expect(tools.filter(({ name }) => name.startsWith("slack_"))).toEqual([]);
        const { content, isError } = await client.callTool({ name: "slack_team_info", arguments: {} });
        expect(isError).toBe(true);
        expect(JSON.stringify(content)).toContain("gave no answer in 3000 ms");
        expect(await client.callTool({ name: "discord_list_guilds", arguments: {} })).not.toHaveProperty(
          "isError",
          true,
        );
        expect(await sent()).toEqual([`Bot ${DISCORD_KEY}`]);
      } finally {
        await client.close();
      }
    },
    PATIENT_MS,
  );

  test(
    "what is started for the keychain is given no key of another plugin",
    async () => {
      const tools = join(home.folder, "tools");
      const seen = join(home.folder, "seen");
      const path = `${tools}:${home.env()["PATH"]}`;
      await Bun.write(
        join(tools, "secret-tool"),
        `#!/bin/sh\n/usr/bin/env >>'${seen}'\necho "$@" >>'${seen}'\nexit 1\n`,
      );
      chmodSync(join(tools, "secret-tool"), 0o755);
      const env = {
        ...keyring.env,
        PATH: path,
        FERMIX_PLUGIN_KEY_DISCORD: "discord-key",
        FERMIX_PLUGIN_KEY_X_FILE: "/x",
      };
      expect((await refused(env)).code).toBe("key_missing");
      const text = readFileSync(seen, "utf8");
      expect(text).toContain(`lookup service fermix account fermix env ${OWN}\n`);
      expect(text).not.toMatch(/FERMIX_|discord-key/);
    },
    PATIENT_MS,
  );
});

/** Every file below these folders that holds the text. */
function filesWith(text: string, folders: readonly string[]): string[] {
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .map((path) => join(folder, path))
      .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile() && readFileSync(path).includes(text)),
  );
}

/** The command lines of processes whose environment names this folder. */
function processesOf(folder: string): string[] {
  return readdirSync("/proc")
    .filter((pid) => /^\d+$/.test(pid) && pid !== String(process.pid))
    .filter((pid) => readIfThere(`/proc/${pid}/environ`).includes(folder))
    .map((pid) => readIfThere(`/proc/${pid}/cmdline`));
}

function readIfThere(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
