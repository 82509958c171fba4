/** Signing in to model providers with the compiled binary: Codex and xAI by a browser's steps, Anthropic without one. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type Answer, BINARY, FlowHome } from "../lab/binary.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { Pane, paneMissing } from "../lab/pane.ts";

setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

/** What a browser does: opens the page, and follows it back to this machine under the name that the page gave. */
const BROWSER = `
const page = await fetch(process.argv[1], { redirect: "manual" });
const back = new URL(page.headers.get("location") ?? "data:," + await page.text());
const host = back.host;
back.hostname = "127.0.0.1";
const last = await fetch(back, { headers: { host } });
console.log(JSON.stringify({ status: last.status, body: await last.text() }));
`;

describe.skipIf(missing !== undefined)("in the browser", () => {
  let lab: HttpLab;

  beforeAll(async () => {
    lab = await openHttpLab(["model-logins"]);
  });
  afterAll(() => lab?.[Symbol.dispose]());

  async function login(
    home: HttpHome,
    words: string,
  ): Promise<{ answer: Answer; page: { status: number; body: string } }> {
    const env = home.env({ NODE_EXTRA_CA_CERTS: lab.network.caFile });
    const child = Bun.spawn([...lab.network.inside, BINARY, ...words.split(" ")], {
      env,
      cwd: home.folder,
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    });
    let said = "";
    let page: { status: number; body: string } | undefined;
    for await (const chunk of child.stderr.pipeThrough(new TextDecoderStream())) {
      said += chunk;
      const url = /^ +(https:\/\/\S+)$/m.exec(said)?.[1];
      if (page !== undefined || url === undefined || !said.includes("Waiting for")) continue;
      const browser = Bun.spawn([...lab.network.inside, process.execPath, "-e", BROWSER, url], { env });
      page = JSON.parse(await browser.stdout.text());
    }
    const answer = { code: await child.exited, stdout: await child.stdout.text(), stderr: said };
    if (page === undefined) throw new Error(`no page was shown: ${JSON.stringify(answer)}`);
    return { answer, page };
  }

  const entryOf = (home: HttpHome, profile: string) => {
    const file = join(home.root, "auth.json");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    return JSON.parse(readFileSync(file, "utf8")).providers[profile];
  };

  test("COD-1/pkce-on-1455, COD-1/stored, COD-1/own-grant: auth login signs in to Codex with a grant of Fermix's own", async () => {
    using home = await lab.home({ plugins: [] });
    const codex = join(home.folder, "user/.codex");
    mkdirSync(codex);
    writeFileSync(join(codex, "auth.json"), '{"tokens":{"refresh_token":"codex-cli-canary"}}');
    const { answer, page } = await login(home, "auth login --no-browser --json");
    expect(page.status).toBe(200);
    expect(answer.code).toBe(0);
    expect(JSON.parse(answer.stdout)).toEqual({
      provider: "openai_codex",
      auth_profile: "openai_codex",
      auth_mode: "chatgpt",
      account: "ada@example.com",
      status: "ready",
      restart_needed: false,
      config_changed: false,
    });
    expect(answer.stderr).toContain("http://localhost:1455/auth/callback");
    expect(entryOf(home, "openai_codex")).toMatchObject({
      auth_mode: "chatgpt",
      provider: "openai_codex",
      tokens: { refresh_token: "lab-codex-refresh-canary" },
      expires_at: "2096-10-02T07:06:40.000Z",
      account: { email: "ada@example.com", subject: "user-1" },
      status: "ready",
    });
    expect(readFileSync(join(codex, "auth.json"), "utf8")).toContain("codex-cli-canary");
    expect((await lab.calls()).map(({ host, method, path }) => `${method} ${host}${path}`)).toEqual([
      "GET auth.openai.com/oauth/authorize",
      "POST auth.openai.com/oauth/token",
    ]);
    expect(`${answer.stdout}${answer.stderr}`).not.toContain("canary");
    const status = await home.inLab("auth status --provider codex");
    expect(status.stdout).toMatch(
      /^provider: openai_codex\nauth_mode: chatgpt\nexpires_at: 2096-10-02T07:06:40\.000Z\nlast_refresh: \S+Z\nstatus: ready\naccount: ada@example\.com\n$/,
    );
    expect((await home.inLab("auth logout")).stdout).toBe("logged out of OpenAI Codex\n");
    expect((await home.inLab("auth status --provider codex")).stdout).toBe("not logged in (codex)\n");
    expect((await home.inLab("auth logout")).stdout).toBe("already logged out of OpenAI Codex\n");
  });

  test("COD-2/xai-loopback, COD-2/auth-mode-set, COD-4/login, COD-4/logout: auth login --provider xai, and back again", async () => {
    using home = await lab.home({ plugins: [], config: '[fermix_core.providers.xai] # mine\napi_key = "@keyring"\n' });
    const { answer, page } = await login(home, "auth login --provider xai --no-browser");
    expect(page.status).toBe(200);
    expect(answer).toMatchObject({ code: 0, stdout: "signed in to xAI\n" });
    expect(answer.stderr).toContain('auth_mode = "oauth" for xai; restart the daemon for it to take effect');
    expect(entryOf(home, "xai_oauth")).toMatchObject({
      auth_mode: "oauth_pkce",
      tokens: { access_token: "lab-xai-access-canary", refresh_token: "lab-xai-refresh-canary" },
      account: { email: "ada@example.com" },
    });
    const config = join(home.root, "config.toml");
    expect(readFileSync(config, "utf8")).toBe(
      '[fermix_core.providers.xai] # mine\napi_key = "@keyring"\nauth_mode = "oauth"\n',
    );
    const full = JSON.parse((await home.inLab("doctor --full --json")).stdout) as {
      checks: readonly { name: string }[];
    };
    expect(full.checks.find(({ name }) => name === "sign-in xai")).toMatchObject({
      level: "ok",
      detail: "it gives a token, and xAI's API takes it",
    });
    const out = await home.inLab("auth logout --provider xai");
    expect(out).toMatchObject({ code: 0, stdout: "logged out of xAI\n" });
    expect(out.stderr).toContain('auth_mode = "api_key" for xai; restart the daemon for it to take effect');
    expect(readFileSync(config, "utf8")).toContain('auth_mode = "api_key"');
    expect((await lab.calls()).map(({ host }) => host)).toEqual(["auth.x.ai", "auth.x.ai", "api.x.ai", "api.x.ai"]);
  });

  test("COD-3/xai-403: a plan without API access is told as that, after the sign-in and instead of it", async () => {
    using home = await lab.home({ plugins: [] });
    const forbidden = { status: 403, body: { code: "permission-denied" } };
    await lab.prepare({ host: "api.x.ai", path: "/v1/models", answers: [forbidden] });
    const after = await login(home, "auth login --provider xai --no-browser");
    expect(after.answer.code).toBe(0);
    expect(after.answer.stderr).toContain("this Grok plan has no API access. The sign-in itself is not stale.");
    await lab.prepare({ host: "auth.x.ai", method: "POST", path: "/oauth2/token", answers: [forbidden] });
    const instead = await login(home, "auth login --provider xai --no-browser --json");
    expect(instead.page.status).not.toBe(200);
    expect(instead.answer.code).toBe(4);
    expect(JSON.parse(instead.answer.stdout)).toMatchObject({
      error: { code: "xai_plan_without_api", details: { variable: "XAI_API_KEY" } },
    });
    await lab.calls();
  });
});

describe("Anthropic", () => {
  const TOKEN = "sk-ant-oat01-flow-canary";
  const entryOf = (home: FlowHome) =>
    JSON.parse(readFileSync(join(home.root, "auth.json"), "utf8")).providers.anthropic_oauth;

  test("COD-2/setup-token, COD-4/login: by a pipe; the token is in no answer, and logout takes everything back", async () => {
    using home = new FlowHome();
    const words = "auth login --provider anthropic --setup-token --stdin";
    const answer = await home.fermix(words, { input: `${TOKEN}\n` });
    expect(answer).toMatchObject({ code: 0, stdout: "signed in to Anthropic\n" });
    expect(answer.stderr).toBe(
      'config.toml has auth_mode = "oauth" for anthropic; restart the daemon for it to take effect\n',
    );
    expect(entryOf(home)).toMatchObject({ auth_mode: "setup_token", tokens: { access_token: TOKEN } });
    const { stdout } = await home.fermix("auth status --provider anthropic");
    expect(stdout).toMatch(
      /^provider: anthropic\nauth_mode: setup_token\nexpires_at: n\/a\nlast_refresh: \S+Z\nstatus: ready\n$/,
    );
    const out = await home.fermix("auth logout --provider anthropic");
    expect(out.stderr).toContain("revoked nothing");
    expect(out.stderr).toContain('auth_mode = "api_key" for anthropic; restart the daemon for it to take effect');
    expect(entryOf(home)).toBeUndefined();
  });

  test("COD-2/import-claude-code, COD-2/variable: out of Claude Code's file, and out of the variable", async () => {
    using home = new FlowHome();
    const folder = join(home.folder, "user/.claude");
    mkdirSync(folder);
    const claude = { accessToken: TOKEN, refreshToken: "sk-ant-ort01-x", expiresAt: 4_000_000_000_000, scopes: ["a"] };
    writeFileSync(join(folder, ".credentials.json"), JSON.stringify({ claudeAiOauth: claude }));
    expect(await home.fermix("auth login --provider anthropic --import-claude-code")).toMatchObject({ code: 0 });
    expect(entryOf(home)).toMatchObject({ auth_mode: "claude_code_import", granted_scopes: ["a"] });
    const env = { CLAUDE_CODE_OAUTH_TOKEN: "sk-ant-oat01-other" };
    expect(await home.fermix("auth login --provider anthropic", { env })).toMatchObject({ code: 0 });
    expect(entryOf(home)).toMatchObject({ auth_mode: "setup_token", tokens: { access_token: "sk-ant-oat01-other" } });
  });

  test.skipIf(paneMissing() !== undefined)(
    "COD-2/setup-token: on a terminal it is asked for and not shown",
    async () => {
      using home = new FlowHome();
      const words = ["auth", "login", "--provider", "anthropic", "--setup-token"];
      using pane = new Pane([BINARY, ...words], { folder: home.folder, env: home.env(), cwd: home.folder });
      await pane.shows("Setup token (not shown)");
      pane.type(TOKEN, "Enter");
      expect(await pane.ended()).toEqual({ code: 0, sane: true });
      expect(pane.screen).toContain("signed in to Anthropic");
      expect(`${pane.raw}${pane.screen}`).not.toContain("canary");
      expect(entryOf(home)).toMatchObject({ tokens: { access_token: TOKEN } });
    },
  );

  test("COD-2/no-secret-argument: a token on the command line is refused with exit 2 and shown by nobody", async () => {
    using home = new FlowHome();
    for (const words of [
      `auth login --provider anthropic --setup-token ${TOKEN}`,
      `auth login --provider anthropic --setup-token=${TOKEN}`,
      `auth login ${TOKEN}`,
    ]) {
      const answer = await home.fermix(words);
      expect(answer.code).toBe(2);
      expect(answer.stderr).toContain("treat it as leaked");
      expect(`${answer.stdout}${answer.stderr}`).not.toContain("canary");
    }
    expect(existsSync(home.root)).toBe(false);
  });

  test("without any way, and with ways that do not go together, it is a usage error", async () => {
    using home = new FlowHome();
    for (const words of [
      "auth login --provider anthropic",
      "auth login --provider xai --setup-token",
      "auth login --provider anthropic --setup-token --import-claude-code",
      "auth login --provider anthropic --no-browser --import-claude-code",
      "auth login --provider openai",
      "auth",
    ]) {
      expect(await home.fermix(words)).toMatchObject({ code: 2, stdout: "" });
    }
    expect(existsSync(home.root)).toBe(false);
  });
});
