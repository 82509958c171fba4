/** config.toml becomes a Config, or the file, line and key at fault are named. */

import { describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Config } from "../../src/config/config.ts";
import { parseConfig, readConfig } from "../../src/config/read.ts";
import { MAX_CONFIG_BYTES } from "../../src/config/toml-text.ts";
import { DIRECT } from "../../src/egress/network-policy.ts";
import { homeAt } from "../../src/files/home.ts";
import type { PluginName } from "../../src/kernel/names.ts";
import { expectRefusal } from "../expect.ts";

const name = (text: string) => text as PluginName;
const EMPTY: Config = {
  plugins: { enabled: [], settings: new Map() },
  network: DIRECT,
  oauth: new Map(),
  pluginSecrets: new Map(),
  providers: new Map(),
  transcription: {},
  realtime: { enabled: false },
  channels: new Map(),
  secrets: new Map(),
  ids: new Map(),
};

async function withHome(
  bytes: string | Uint8Array | undefined,
  work: (home: ReturnType<typeof homeAt>) => Promise<void>,
) {
  const home = homeAt(mkdtempSync(join(tmpdir(), "fermix-config-")));
  try {
    if (bytes !== undefined) writeFileSync(home.configFile, bytes);
    await work(home);
  } finally {
    rmSync(home.root, { recursive: true });
  }
}

describe("reading", () => {
  test("an absent and an empty file are an empty configuration", async () => {
    await withHome(undefined, async (home) => expect(await readConfig(home)).toEqual(EMPTY));
    await withHome("", async (home) => expect(await readConfig(home)).toEqual(EMPTY));
    await withHome("\ufeff# only a comment\r\n", async (home) => expect(await readConfig(home)).toEqual(EMPTY));
  });

  test("every key that has a meaning", async () => {
    const text = `
[fermix_core]
profile = "dev"
[fermix_core.plugins]
enabled = ["notes", "slack", "notes"]
dev_local = "/srv/plugins"
artifact_mirror = "https://mirror.example/fermix"
[fermix_core.plugins.notes]
enabled = false
auth_profile = "google"
workspace_id = 42
VAULT = "/v"
SWITCH = true
BIG = 12345678901234567890
[fermix_core.http]
proxy = "http://proxy.example.net:3128"
timeout_seconds = 90
[fermix_core.oauth.github]
client_id = "id"
client_secret = "@keyring"
client_type = "desktop_public_pkce"
redirect_host = "localhost"
redirect_port = 1455
[fermix_core.plugin_secrets]
slack = "@keyring"
[fermix_core.providers]
xai = { api_key = "@keyring", auth_mode = "oauth" }
openai.api_key = "sk-plain"
custom.base_url = "http://localhost"
[fermix_core.transcription]
backend = "deepgram"
deepgram_api_key = "@keyring"
[fermix_core.realtime]
enabled = true
openai_api_key = "@keyring"
[fermix_channels.telegram]
bot_token = "@keyring"
[fermix_channels.slack]
enabled = false
signing_secret = "s"
[fermix_channels.discord]
bot_user_id = 123456789012345678901
[fermix_channels.signal]
account = "+15550100"
[fermix_channels.later]
bot_token = "@keyring"
`;
    expect(await parseConfig(text, "config.toml")).toEqual({
      profile: "dev",
      plugins: {
        enabled: [name("notes"), name("slack")],
        devLocal: "/srv/plugins",
        artifactMirror: "https://mirror.example/fermix",
        settings: new Map([
          [
            name("notes"),
            new Map<string, string | boolean | number>([
              ["enabled", false],
              ["auth_profile", "google"],
              ["workspace_id", 42],
              ["VAULT", "/v"],
              ["SWITCH", true],
              ["BIG", "12345678901234567890"],
            ]),
          ],
        ]),
      },
      network: { proxy: "http://proxy.example.net:3128", totalMs: 90_000 },
      oauth: new Map([
        ["github", { clientId: "id", clientSecret: "@keyring", redirectHost: "localhost", redirectPort: 1455 }],
      ]),
      pluginSecrets: new Map([[name("slack"), "@keyring"]]),
      providers: new Map([
        ["openai", {}],
        ["xai", { authMode: "oauth" }],
      ]),
      transcription: { backend: "deepgram" },
      realtime: { enabled: true },
      channels: new Map([
        ["telegram", {}],
        ["discord", {}],
        ["slack", { enabled: false }],
        ["signal", {}],
      ]),
      secrets: new Map([
        ["fermix_core.providers.openai.api_key", "sk-plain"],
        ["fermix_core.providers.xai.api_key", "@keyring"],
        ["fermix_channels.slack.signing_secret", "s"],
        ["fermix_channels.telegram.bot_token", "@keyring"],
        ["fermix_core.transcription.deepgram_api_key", "@keyring"],
        ["fermix_core.realtime.openai_api_key", "@keyring"],
      ]),
      ids: new Map([
        ["fermix_channels.discord.bot_user_id", "123456789012345678901"],
        ["fermix_channels.signal.account", "+15550100"],
      ]),
    });
  });

  test("what other parts of an ecosystem home keep there is left alone", async () => {
    const text = `
top = 1979-05-27
[fermix_channels.telegram]
bot_token = "@keyring"
token_length = 46
[fermix_channels]
streaming = "draft"
[fermix_core.providers]
primary = "openai"
[fermix_core.providers.openai]
models = ["odd"]
[fermix_core.plugins]
later = 3
"Not a plugin" = { a = 1 }
mcp_taken = { KEY = 1 }
[fermix_core.plugins.notes]
future = ["a"]
[fermix_core.plugins.notes.deeper]
KEY = "v"
[mcp.servers.x]
command = "npx"
[fermix_core.plugin_secrets]
"Not a plugin" = "@keyring"
[__proto__]
polluted = true
[fermix_core.oauth.__proto__]
client_id = "id"
`;
    const config = await parseConfig(text, "config.toml");
    expect(config.plugins).toEqual({ enabled: [], settings: new Map([[name("notes"), new Map()]]) });
    expect(config.pluginSecrets).toEqual(new Map());
    expect(({} as { polluted?: boolean; client_id?: string }).polluted).toBeUndefined();
  });
});

describe("the network", () => {
  const networkOf = async (line: string) => (await parseConfig(`[fermix_core.http]\n${line}\n`, "config.toml")).network;

  test("a proxy is a host and a port, and nothing secret", async () => {
    for (const url of [
      "http://proxy.example.net:3128",
      "https://proxy.example.net",
      "http://10.0.0.1:8080/",
      "http://localhost:3128",
      "http://[::1]:3128",
    ]) {
      expect((await networkOf(`proxy = "${url}"`)).proxy).toBe(url);
    }
    for (const url of [
      "",
      "proxy.example.net:3128",
      "http://",
      "http://user:secret@proxy.example.net:3128",
      "http://@proxy.example.net:3128",
      "http://proxy.example.net:3128/path",
      "http://proxy.example.net:3128?x",
      "http://proxy.example.net:3128#x",
      "http://proxy.example.net:0",
      "http://proxy.example.net:99999",
      "http://proxy example.net:3128",
      "socks5://proxy.example.net:1080",
      "ftp://proxy.example.net",
    ]) {
      await expectRefusal(parseConfig(`[fermix_core.http]\nproxy = "${url}"\n`, "config.toml"), "config_invalid", {
        path: "config.toml",
        line: 2,
        key: "fermix_core.http.proxy",
        reason: "must be written http://HOST:PORT or https://HOST:PORT, without a user name, password or path",
      });
    }
  });

  test("the time for a request is 1 to 3600 whole seconds", async () => {
    for (const [seconds, totalMs] of [
      [1, 1000],
      [3600, 3_600_000],
    ] as const) {
      expect(await networkOf(`timeout_seconds = ${seconds}`)).toEqual({ proxy: undefined, totalMs });
    }
    for (const wrong of ["0", "3601", "-1", "1.5", "nan", "inf", '"60"', "true", "12345678901234567890"]) {
      await expectRefusal(
        parseConfig(`[fermix_core.http]\ntimeout_seconds = ${wrong}\n`, "config.toml"),
        "config_invalid",
        {
          path: "config.toml",
          line: 2,
          key: "fermix_core.http.timeout_seconds",
          reason: "must be a whole number of seconds from 1 to 3600",
        },
      );
    }
    expect(await networkOf("future = 1")).toEqual(DIRECT);
  });

  test("another kind of value in its place is refused", async () => {
    await expectRefusal(parseConfig("[fermix_core]\nhttp = 3\n", "config.toml"), "config_invalid", {
      path: "config.toml",
      line: 2,
      key: "fermix_core.http",
      reason: "must be a table",
    });
  });
});

test("a mirror is a folder, by https or file", async () => {
  const mirrorOf = async (url: string) =>
    await parseConfig(`[fermix_core.plugins]\nartifact_mirror = ${JSON.stringify(url)}\n`, "config.toml");
  for (const url of [
    "https://mirror.example",
    "https://mirror.example:8443/a/b/",
    "file:///srv/m",
    "file:///srv/m%20r/",
  ]) {
    expect((await mirrorOf(url)).plugins.artifactMirror).toBe(url);
  }
  const wrong = [
    "",
    "/srv/m",
    "~/m",
    "http://mirror.example",
    "ftp://mirror.example",
    "https://",
    "https:///a",
    "file://host/m",
  ];
  for (const url of [...wrong, "file:srv", "File:///srv", "https://mirror.example/?a=1", "file:///srv/m#1"]) {
    await expectRefusal(mirrorOf(url), "config_invalid", {
      path: "config.toml",
      line: 2,
      key: "fermix_core.plugins.artifact_mirror",
      reason: "must be a folder written https://HOST/FOLDER or file:///FOLDER, without ? or #",
    });
  }
});

describe("refusing", () => {
  const cases: readonly (readonly [text: string, line: number, key: string | undefined, reason: string])[] = [
    ["[fermix_core]\nprofile = 3 # x\n", 2, "fermix_core.profile", "must be text"],
    ['[fermix_core]\nprofile = "a\\u0000b"\n', 2, "fermix_core.profile", "must have no control characters"],
    ['[fermix_core]\nprofile = "a\\nb"\n', 2, "fermix_core.profile", "must have no control characters"],
    ["a = 1\nfermix_core = 'x'\n", 2, "fermix_core", "must be a table"],
    ["[[fermix_core]]\nprofile='x'\n", 1, "fermix_core", "must be a table"],
    [
      "[fermix_core.plugins]\n\nenabled = 'notes'\n",
      3,
      "fermix_core.plugins.enabled",
      "must be a list of plugin names",
    ],
    [
      "[fermix_core]\nplugins = { enabled = ['ok', 'Not ok'] }\n",
      2,
      "fermix_core.plugins.enabled.1",
      '"Not ok" is not a plugin name',
    ],
    ["[fermix_core.plugins]\nenabled = [3]\n", 2, "fermix_core.plugins.enabled.0", "must be text"],
    ["[fermix_core.plugins.dev_local]\na=1\n", 1, "fermix_core.plugins.dev_local", "must be text"],
    ["[fermix_core.plugins]\nnotes.enabled = 'no'\n", 2, "fermix_core.plugins.notes.enabled", "must be true or false"],
    [
      "[fermix_core.plugins.notes]\nA = 'x'\nVAULT = ['/v']\n",
      3,
      "fermix_core.plugins.notes.VAULT",
      "must be text, a number, true or false",
    ],
    [
      "[fermix_core.plugins.notes]\nVAULT = 1979-05-27\n",
      2,
      "fermix_core.plugins.notes.VAULT",
      "must be text, a number, true or false",
    ],
    ["[fermix_core.providers.xai]\napi_key = 3\n", 2, "fermix_core.providers.xai.api_key", "must be text"],
    ["[fermix_core]\nproviders.xai = 'oauth'\n", 2, "fermix_core.providers.xai", "must be a table"],
    ["[fermix_channels]\nslack.bot_token = ['x']\n", 2, "fermix_channels.slack.bot_token", "must be text"],
    ["[fermix_channels.slack]\nenabled = 'no'\n", 2, "fermix_channels.slack.enabled", "must be true or false"],
    ["[fermix_channels]\nsignal.account = [1]\n", 2, "fermix_channels.signal.account", "must be text or a number"],
    ["[fermix_core.transcription]\nbackend = 1\n", 2, "fermix_core.transcription.backend", "must be text"],
    ["[fermix_core]\nrealtime = true\n", 2, "fermix_core.realtime", "must be a table"],
    ["[fermix_core.oauth]\ngithub = 'id'\n", 2, "fermix_core.oauth.github", "must be a table"],
    ["[fermix_core.oauth.x]\nclient_id = 1\n", 2, "fermix_core.oauth.x.client_id", "must be text"],
    ...[0, 65_536, 1.5, '"1455"'].map((port): [string, number, string, string] => [
      `[fermix_core.oauth.x]\nredirect_port = ${port}\n`,
      2,
      "fermix_core.oauth.x.redirect_port",
      "must be a port from 1 to 65535",
    ]),
    ["# é😀\n[fermix_core.plugin_secrets]\nslack = true\n", 3, "fermix_core.plugin_secrets.slack", "must be text"],
    [
      "[fermix_core]\nprofile = 'a'\nprofile = 'b'\n",
      3,
      undefined,
      "trying to redefine an already defined table or value",
    ],
    ["api_key = sk-secret\n", 1, undefined, "invalid value"],
  ];
  test.each(cases)("%j", async (text, line, key, reason) => {
    await expectRefusal(parseConfig(text, "/h/config.toml"), "config_invalid", {
      path: "/h/config.toml",
      line,
      ...(key === undefined ? {} : { key }),
      reason,
    });
  });

  test("bytes that are not UTF-8, with their line", async () => {
    for (const [bytes, line] of [
      [[0x61, 0xff], 1],
      [[0xff, 0x0a], 1],
      [[0x61, 0x0a, 0xc3, 0xa9, 0x0a, 0xc3], 3],
      [[0x0a, 0xc3, 0x0a, 0xa9, 0x0a], 2],
    ] as const) {
      await withHome(Uint8Array.from(bytes), async (home) => {
        const details = { path: home.configFile, line, reason: "it is not UTF-8 text" };
        await expectRefusal(readConfig(home), "config_invalid", details);
      });
    }
  });

  test("a file over the limit, and not one at it", async () => {
    await withHome(`#${"x".repeat(MAX_CONFIG_BYTES - 1)}`, async (home) =>
      expect(await readConfig(home)).toEqual(EMPTY),
    );
    await withHome(`#${"x".repeat(MAX_CONFIG_BYTES)}`, async (home) => {
      await expectRefusal(readConfig(home), "config_invalid", { path: home.configFile, reason: "it is over 1 MiB" });
    });
  });
});
