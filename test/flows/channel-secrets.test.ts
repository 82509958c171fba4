/** Secrets of channels, providers and voice on the compiled binary: into a real keychain, found there, and never in a child. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { knownVariables } from "../../src/config/variables.ts";
import { FlowHome } from "../lab/binary.ts";
import { Keyring, keyringMissing } from "../lab/keyring.ts";

setDefaultTimeout(60_000);

const missing = keyringMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** A server that gives what it was started with: its own environment, and that of whoever started it. */
const DUMP = `
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
const environ = (pid) => readFileSync("/proc/" + pid + "/environ", "utf8").split("\\0").filter(Boolean).sort();
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = method === "initialize"
    ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "dump", version: "1.0.0" } }
    : method === "tools/list"
      ? { tools: [{ name: "env", description: "Dumps.", inputSchema: { type: "object" } }] }
      : { content: [{ type: "text", text: JSON.stringify({ own: environ("self"), parent: environ(process.ppid) }) }] };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});
`;

const CONFIG = `# written by hand
[fermix_channels.telegram]
bot_token = "123:canary-telegram" # mine
[fermix_channels.slack]
bot_token = "canary-slack"
signing_secret = "canary-signing"
[fermix_core.providers]
openai.api_key = "sk-canary-openai"
[fermix_core.transcription]
backend = "deepgram"
deepgram_api_key = "canary-deepgram"
[fermix_core.realtime]
enabled = true
openai_api_key = "canary-voice"
`;

const ITEMS = [
  ...["TELEGRAM_BOT_TOKEN", "SLACK_BOT_TOKEN", "SLACK_SIGNING_SECRET", "OPENAI_API_KEY", "DEEPGRAM_API_KEY"],
  "REALTIME_OPENAI_API_KEY",
];

function plant(home: FlowHome, passEnv: readonly string[] = []): void {
  const plugin = join(home.folder, "dev/dump");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(join(plugin, "server.mjs"), DUMP);
  const runtime = { kind: "node", command: "node", args: ["server.mjs"], vendored: false, pass_env: passEnv };
  const manifest = {
    schema_version: 2,
    plugin_api: 2,
    name: "dump",
    display_name: "Dump",
    description: "Gives its environment.",
    category: "test",
    version: "1.0.0",
    min_core_version: "0.1.0",
    auth: { type: "none" },
    runtime,
    tools: [{ name: "dump_env", description: "Dumps.", read_only: true, rail: "mcp" }],
  };
  writeFileSync(join(plugin, "plugin.json"), JSON.stringify(manifest));
}

function configured(home: FlowHome, text: string): void {
  mkdirSync(home.root, { recursive: true, mode: 0o700 });
  const dev = `[fermix_core.plugins]\nenabled = ["dump"]\ndev_local = ${JSON.stringify(join(home.folder, "dev"))}\n`;
  writeFileSync(join(home.root, "config.toml"), text + dev, { mode: 0o600 });
}

/** Every variable of the table that is a secret, and a plugin's key, each with a value to look for. */
const CANARIES = Object.fromEntries(
  [...knownVariables.filter(({ secret }) => secret).map(({ name }) => name), "FERMIX_PLUGIN_KEY_SLACK"].map((name) => [
    name,
    `canary-${name}`,
  ]),
);

describe.if(missing === undefined)("secrets in config.toml", () => {
  let keyring: Keyring;
  beforeAll(async () => {
    keyring = await Keyring.open();
  });
  afterAll(() => keyring?.[Symbol.dispose]());

  test("CHN-1/saved-to-keychain, CHN-1/resolve-at-boot: each goes to its item, config keeps the sentinel, doctor finds it there", async () => {
    using home = new FlowHome();
    plant(home);
    configured(home, CONFIG);
    const env = keyring.env;
    expect(await home.fermix("setup --migrate-secrets", { env })).toMatchObject({ code: 0 });
    const config = readFileSync(join(home.root, "config.toml"), "utf8");
    expect(config).not.toContain("canary");
    expect(config).toContain('# written by hand\n[fermix_channels.telegram]\nbot_token = "@keyring" # mine\n');
    for (const item of ITEMS) expect(keyring.seenByOthers("fermix", item)).toContain("canary");
    expect(keyring.onDisk()).not.toContain("canary");
    const { stdout } = await home.fermix("doctor --json", { env });
    expect(stdout).not.toContain("canary");
    const { checks } = JSON.parse(stdout) as { checks: readonly { name: string; source?: string; detail: string }[] };
    const found = checks.filter(({ source }) => source === "keychain").map(({ name }) => name);
    expect(found.sort()).toEqual(
      [
        "provider openai",
        "realtime",
        "slack bot_token",
        "slack signing_secret",
        "telegram bot_token",
        "transcription",
      ].sort(),
    );
  });

  test("CHN-1/never-in-a-child, KEY-4/never-in-a-child: neither what the keychain holds nor any variable is in a plugin's process", async () => {
    using home = new FlowHome();
    plant(home);
    configured(home, CONFIG);
    const called = await home.fermix("call dump_env --args {} --json", { env: { ...keyring.env, ...CANARIES } });
    expect(called).toMatchObject({ code: 0 });
    const dump = JSON.parse(JSON.parse(called.stdout).content[0].text) as Record<"own" | "parent", readonly string[]>;
    expect(dump.own.length).toBeGreaterThan(1);
    expect(dump.own).toContain("LANG=C.UTF-8");
    expect(JSON.stringify(dump)).not.toContain("canary");
    const names = [...dump.own, ...dump.parent].map((line) => line.split("=", 1)[0] ?? "");
    expect(names.filter((name) => name in CANARIES)).toEqual([]);
  });

  test("CHN-1/never-in-a-child: a plugin that asks for one by name is refused and started with nothing", async () => {
    using home = new FlowHome();
    for (const variable of ["SLACK_BOT_TOKEN", "OPENAI_API_KEY"]) {
      plant(home, [variable]);
      configured(home, "");
      const called = await home.fermix("call dump_env --args {} --json", { env: CANARIES });

      expect(called.code).toBe(5);
      expect(JSON.parse(called.stdout)).toMatchObject({ error: { code: "env_refused", details: { variable } } });
      expect(`${called.stdout}${called.stderr}`).not.toContain("canary");
    }
  });
});
