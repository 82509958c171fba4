/** Tests of auth/models/login-anthropic.ts: the three ways to a token, and what is refused leaves the disk alone. */
import { describe, expect, test } from "bun:test";
import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loginAnthropic } from "../../../src/auth/models/login-anthropic.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { ModelLab } from "./lab.ts";

const TOKEN = "sk-ant-oat01-canary";
const SECURITY = "/usr/bin/security";
const NOW = "2026-01-02T03:04:05.000Z";
const asked = (token: string) => ({ way: "setup_token", ask: async () => token }) as const;
const CLAUDE = {
  accessToken: TOKEN,
  refreshToken: "sk-ant-ort01-canary",
  expiresAt: Date.UTC(2026, 0, 2, 11),
  scopes: ["user:inference", "user:profile"],
};
const claude = (more: object = {}) => JSON.stringify({ claudeAiOauth: { ...CLAUDE, ...more }, mcpOAuth: { x: 1 } });
const CLAUDE_ENTRY = {
  auth_mode: "claude_code_import",
  provider: "anthropic",
  tokens: { access_token: TOKEN, refresh_token: CLAUDE.refreshToken },
  expires_at: "2026-01-02T11:00:00.000Z",
  last_refresh: NOW,
  granted_scopes: CLAUDE.scopes,
  status: "ready",
};

describe("a setup token", () => {
  test("COD-2/setup-token, COD-2/auth-mode-set: is stored without an end, and config.toml says oauth", async () => {
    using lab = new ModelLab('# mine\n[fermix_core.providers.anthropic]\napi_key = "@keyring" # kept\n');
    expect(await loginAnthropic(lab.deps, asked(` ${TOKEN}\n`))).toMatchObject({
      authMode: "setup_token",
      switched: true,
    });
    expect(lab.entry("anthropic_oauth")).toEqual({
      auth_mode: "setup_token",
      provider: "anthropic",
      tokens: { access_token: TOKEN, refresh_token: null },
      expires_at: null,
      last_refresh: NOW,
      status: "ready",
    });
    expect(lab.config).toBe(
      '# mine\n[fermix_core.providers.anthropic]\napi_key = "@keyring" # kept\nauth_mode = "oauth"\n',
    );
  });

  test("COD-2/variable: the variable gives it when nothing else is said, and another sign-in is replaced", async () => {
    using lab = new ModelLab();
    await loginAnthropic(lab.deps, asked("sk-ant-oat01-first"));
    lab.variables["CLAUDE_CODE_OAUTH_TOKEN"] = TOKEN;
    expect(await loginAnthropic(lab.deps, { way: "variable" })).toMatchObject({ switched: false });
    expect(lab.entry("anthropic_oauth")).toMatchObject({ tokens: { access_token: TOKEN } });
    lab.variables["CLAUDE_CODE_OAUTH_TOKEN"] = " ";
    const variable = "CLAUDE_CODE_OAUTH_TOKEN";
    await expectRefusal(loginAnthropic(lab.deps, { way: "variable" }), "anthropic_way_missing", { variable });
  });

  test("what is no setup token is refused, and its text is told nowhere", async () => {
    using lab = new ModelLab("");
    for (const [token, reason] of [
      ["sk-ant-api03-canary", "it is not of the kind that `claude setup-token` gives (sk-ant-oat…)"],
      ["sk-ant-ort01-canary", "it is not of the kind that `claude setup-token` gives (sk-ant-oat…)"],
      ["sk-ant-oat01-\ncanary", "it holds a line break"],
      ["sk-ant-oat01- canary", "it holds a space"],
      [["$", "{TOKEN}"].join(""), "it still holds a placeholder"],
      ["sk-ant-oat01-é", "it holds a character that no header may carry"],
    ] as const) {
      const before = snapshotTree(lab.folder);
      const from = "that was given";
      await expectRefusal(loginAnthropic(lab.deps, asked(token)), "claude_token_unusable", { from, reason });
      lab.variables["CLAUDE_CODE_OAUTH_TOKEN"] = token;
      const inVariable = { from: "in CLAUDE_CODE_OAUTH_TOKEN", reason };
      await expectRefusal(loginAnthropic(lab.deps, { way: "variable" }), "claude_token_unusable", inVariable);
      expect(snapshotTree(lab.folder)).toEqual(before);
    }
  });

  test("nobody is asked for a token that could not be stored", async () => {
    using lab = new ModelLab("");
    mkdirSync(lab.home.authFile);
    const ask = async () => {
      throw new Error("asked in vain");
    };
    await expectRefusal(loginAnthropic(lab.deps, { way: "setup_token", ask }), "auth_file_unusable");
    using broken = new ModelLab("no toml");
    await expectRefusal(loginAnthropic(broken.deps, { way: "setup_token", ask }), "config_invalid");
    expect(existsSync(broken.home.authFile)).toBe(false);
  });

  test("a config.toml that cannot be edited keeps the sign-in, and the failure says what to write", async () => {
    using lab = new ModelLab("");
    rmSync(lab.home.configFile);
    symlinkSync(join(lab.folder, "gone", "config.toml"), lab.home.configFile);
    const { path } = await expectRefusal(loginAnthropic(lab.deps, asked(TOKEN)), "home_unusable");
    expect(path).toBe(lab.home.configFile);
    expect(lab.entry("anthropic_oauth")).toMatchObject({ tokens: { access_token: TOKEN } });
  });
});

describe("Claude Code's own sign-in", () => {
  test("COD-2/import-claude-code: is read from its file, with its end and its scopes", async () => {
    using lab = new ModelLab("");
    lab.claudeFile(claude());
    expect(await loginAnthropic(lab.deps, { way: "claude_code" }, "linux")).toMatchObject({ switched: true });
    expect(lab.entry("anthropic_oauth")).toEqual(CLAUDE_ENTRY);
    expect(lab.config).toBe('[fermix_core.providers.anthropic]\nauth_mode = "oauth"\n');
  });

  test("CLAUDE_CONFIG_DIR leads to another folder", async () => {
    using lab = new ModelLab("");
    const folder = join(lab.folder, "elsewhere");
    lab.claudeFile(claude(), folder);
    lab.variables["CLAUDE_CONFIG_DIR"] = folder;
    await loginAnthropic(lab.deps, { way: "claude_code" }, "linux");
    expect(lab.entry("anthropic_oauth")).toEqual(CLAUDE_ENTRY);
  });

  test("on macOS its keychain item goes first, and the file comes where there is none", async () => {
    using lab = new ModelLab("");
    lab.processes.allowRun(SECURITY, () => ({ stdout: `${claude()}\n` }));
    await loginAnthropic(lab.deps, { way: "claude_code" }, "darwin");
    expect(lab.entry("anthropic_oauth")).toEqual(CLAUDE_ENTRY);
    expect(lab.processes.ran[0]).toMatchObject({
      args: ["find-generic-password", "-s", "Claude Code-credentials", "-w"],
      env: { HOME: lab.userHome },
    });
    lab.processes.allowRun(SECURITY, () => ({ exitCode: 44 }));
    const file = join(lab.userHome, ".claude", ".credentials.json");
    const places = ["keychain item Claude Code-credentials", file];
    await expectRefusal(loginAnthropic(lab.deps, { way: "claude_code" }, "darwin"), "claude_code_missing", { places });
    lab.claudeFile(claude({ accessToken: "sk-ant-oat01-file" }));
    await loginAnthropic(lab.deps, { way: "claude_code" }, "darwin");
    expect(lab.entry("anthropic_oauth")).toMatchObject({ tokens: { access_token: "sk-ant-oat01-file" } });
  });

  test("CASE-62: a keychain that says nothing, refuses or hangs is an error, never an empty sign-in", async () => {
    using lab = new ModelLab("");
    lab.claudeFile(claude());
    const place = "keychain item Claude Code-credentials";
    for (const [answer, reason] of [
      [{ stdout: "" }, "the keychain did not give it out"],
      [{ exitCode: 36, stdout: "x" }, "the keychain did not give it out"],
      [{ exitCode: undefined, timedOut: true }, "the keychain gave no answer"],
    ] as const) {
      lab.processes.allowRun(SECURITY, () => answer);
      const refused = loginAnthropic(lab.deps, { way: "claude_code" }, "darwin");
      await expectRefusal(refused, "claude_code_unusable", { place, reason });
    }
  });

  test("without one, the place is named and nothing is written, not even a home", async () => {
    using lab = new ModelLab();
    const before = snapshotTree(lab.folder);
    const places = [join(lab.userHome, ".claude", ".credentials.json")];
    await expectRefusal(loginAnthropic(lab.deps, { way: "claude_code" }, "linux"), "claude_code_missing", { places });
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test.each([
    ["{", "it is no valid JSON"],
    ["", "it is no valid JSON"],
    ['"canary"', "its content is no object"],
    ["{}", "its claudeAiOauth is missing"],
    ['{"claudeAiOauth":"canary"}', "its claudeAiOauth is no object"],
    [claude({ accessToken: undefined }), "its claudeAiOauth.accessToken is missing"],
    [claude({ accessToken: "" }), "its claudeAiOauth.accessToken is empty or has characters that no token has"],
    [
      claude({ accessToken: "a\r\ncanary: b" }),
      "its claudeAiOauth.accessToken is empty or has characters that no token has",
    ],
    [claude({ accessToken: ["$", "{CLAUDE}"].join("") }), "its claudeAiOauth.accessToken only stands for a token"],
    [claude({ refreshToken: 3 }), "its claudeAiOauth.refreshToken is no text"],
    [claude({ expiresAt: "tomorrow" }), "its claudeAiOauth.expiresAt is no time"],
    [claude({ expiresAt: 1e300 }), "its claudeAiOauth.expiresAt is no time"],
    [claude({ scopes: "all" }), "its claudeAiOauth.scopes is no list"],
    [claude({ expiresAt: Date.UTC(2026, 0, 2, 3, 4, 5) }), "it ended 2026-01-02T03:04:05.000Z"],
  ])("%p is not taken", async (content, reason) => {
    using lab = new ModelLab("");
    const place = lab.claudeFile(content);
    const before = snapshotTree(lab.folder);
    const refused = loginAnthropic(lab.deps, { way: "claude_code" }, "linux");
    const details = await expectRefusal(refused, "claude_code_unusable", { place, reason });
    expect(JSON.stringify(details)).not.toContain("canary");
    expect(snapshotTree(lab.folder)).toEqual(before);
  });

  test("a file of 1 MiB is read, one byte more is not; a folder is none", async () => {
    using lab = new ModelLab("");
    const filled = (bytes: number) => claude({ pad: "" }).replace('"pad":""', `"pad":"${"x".repeat(bytes)}"`);
    const room = 1024 * 1024 - filled(0).length;
    const place = lab.claudeFile(filled(room));
    await loginAnthropic(lab.deps, { way: "claude_code" }, "linux");
    writeFileSync(place, filled(room + 1));
    await expectRefusal(loginAnthropic(lab.deps, { way: "claude_code" }, "linux"), "claude_code_unusable");
    lab.variables["CLAUDE_CONFIG_DIR"] = join(lab.folder, "odd");
    mkdirSync(join(lab.folder, "odd", ".credentials.json"), { recursive: true });
    await expectRefusal(loginAnthropic(lab.deps, { way: "claude_code" }, "linux"), "claude_code_unusable");
  });

  test("a sign-in without an end or a refresh token is one", async () => {
    using lab = new ModelLab("");
    lab.claudeFile(JSON.stringify({ claudeAiOauth: { accessToken: TOKEN, refreshToken: null } }));
    await loginAnthropic(lab.deps, { way: "claude_code" }, "linux");
    expect(lab.entry("anthropic_oauth")).toMatchObject({
      expires_at: null,
      tokens: { access_token: TOKEN, refresh_token: null },
    });
  });
});
