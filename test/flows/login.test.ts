/** Signing in on the compiled binary: a real OAuth server, the quirks of GitHub, Notion and X, and everything that may go wrong. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { ToolListChangedNotificationSchema } from "@modelcontextprotocol/sdk/types.js";
import { signInOnDisk } from "../lab/auth-file.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { startGoogleSignIn, startInside, startSignIn, walk } from "../lab/sign-in-lab.ts";
import { LAB_CLIENT } from "../lab/token-book.ts";

/** Each sign-in is several processes, on a machine that may be busy. */
setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const CLIENTS = { google: LAB_CLIENT, github: LAB_CLIENT, notion: LAB_CLIENT, x: LAB_CLIENT };

describe.if(missing === undefined)("signing in", () => {
  let lab: HttpLab;
  let google: Disposable;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["github", "notion", "x"]);
    google = await startGoogleSignIn(lab.network);
    home = await lab.home({ plugins: [], clients: CLIENTS });
  });
  afterEach(async () => {
    await lab.calls();
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    google?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  const entry = (profile: string) => signInOnDisk(home.root, profile) ?? {};
  const start = (words: string, more = {}) => startSignIn(lab, home, words, more);
  /** What may be left of a sign-in: no claim of a port, no lock, no half-written file. */
  const debris = () => readdirSync(home.root).filter((name) => /claim|lock|tmp/.test(name));

  test("AUTH-2/stores AUTH-2/enables at a real OAuth server: the page is walked, the tokens are kept, the plugin is on", async () => {
    expect(existsSync(join(home.root, "auth.json"))).toBe(false);
    const waiting = start("plugins auth login gmail --no-browser --json");
    const walked = await walk(lab, await waiting.page());
    expect([walked.status, walked.page.includes("Fermix is signed in with Google.")]).toEqual([200, true]);
    const { code, stdout, stderr } = await waiting.answer;
    expect({ code, said: JSON.parse(stdout) }).toEqual({
      code: 0,
      said: { plugin: "gmail", account: "ada@example.org", status: "ready", provider: "Google", fix: null },
    });
    expect(stdout.split("\n").length).toBe(2);
    expect(stderr).toContain("signed in with Google as ada@example.org");
    expect(entry("gmail:primary")).toMatchObject({
      auth_mode: "oauth2",
      provider: "google",
      status: "ready",
      account: { subject: "ada", email: "ada@example.org", display_name: "The ada" },
    });
    expect(entry("gmail:primary")["granted_scopes"]).toContain("https://www.googleapis.com/auth/gmail.send");
    expect(statSync(join(home.root, "auth.json")).mode & 0o777).toBe(0o600);
    expect(debris()).toEqual([]);
    const { stdout: list } = await home.inLab("plugins list");
    expect(list).toContain("gmail\tready\tada@example.org\n");
  });

  test("AUTH-5/status AUTH-5/refresh the sign-in is shown and refreshed at the real server, which takes each token once", async () => {
    const before = entry("gmail:primary");
    const status = await home.inLab("plugins auth status gmail --json");
    expect(JSON.parse(status.stdout).plugins).toEqual([
      {
        plugin: "gmail",
        auth_profile: "gmail:primary",
        status: "ready",
        account: "ada@example.org",
        auth: "oauth2",
        source: null,
        expires_at: before["expires_at"],
        stale: false,
        installed: true,
        fix: null,
      },
    ]);
    const refreshed = await home.inLab("plugins auth refresh gmail");
    expect(refreshed).toMatchObject({ code: 0, stdout: "refreshed gmail\n" });
    const after = entry("gmail:primary");
    expect(after["tokens"]).not.toEqual(before["tokens"]);
    expect(after["account"]).toEqual(before["account"]);
    expect((await home.inLab("plugins auth refresh gmail")).code).toBe(0);
  });

  test("AUTH-5/logout AUTH-10/logout signing out forgets it here, says that nothing was revoked, and leaves the plugin on", async () => {
    const { code, stdout, stderr } = await home.inLab("plugins auth logout gmail");
    expect([code, stdout]).toEqual([0, "logged out gmail\n"]);
    expect(stderr).toContain("revoked nothing: take the access back at https://myaccount.google.com/connections");
    expect(stderr).toContain("gmail is as enabled as before");
    expect(entry("gmail:primary")).toEqual({});
    expect((await home.inLab("plugins auth status gmail")).stdout).toBe("gmail\tmissing\t-\n");
    const again = await home.inLab("plugins auth logout gmail --json");
    expect(JSON.parse(again.stdout)).toEqual({ plugin: "gmail", logged_out: true, changed: false, revoked: false });
    const refresh = await home.inLab("plugins auth refresh gmail --json");
    expect(JSON.parse(refresh.stdout).error.code).toBe("not_connected");
  });

  const quirks = [
    ["github", "github_get_me", "octocat", ["read:user", "repo"]],
    ["notion", "notion_get_me", "", undefined],
    ["x", "x_whoami", undefined, ["tweet.read", "users.read", "tweet.write", "like.write", "offline.access"]],
  ] as const;
  test.each([...quirks])(
    "%s, which only the catalog has, is installed, signed in and usable at once",
    async (name, tool, _account, scopes) => {
      const waiting = start(`plugins auth login ${name} --no-browser`);
      const walked = await walk(lab, await waiting.page());
      expect(walked.status).toBe(200);
      expect(await waiting.answer).toMatchObject({ code: 0, stdout: `connected ${name}\n` });
      expect(entry(`${name}:primary`)["granted_scopes"]).toEqual(scopes as never);
      expect(await home.call(tool)).toMatchObject({ code: 0 });
      expect(debris()).toEqual([]);
    },
  );

  test("AUTH-5/reauthorize signing in anew replaces an ended sign-in, and does not switch a plugin on that is off", async () => {
    await home.inLab("plugins disable github");
    const before = entry("github:primary");
    const waiting = start("plugins auth reauthorize github --no-browser --port 4567");
    const page = await waiting.page();
    expect(page).toContain(encodeURIComponent("http://127.0.0.1:4567/auth/callback"));
    await walk(lab, page);
    const { code, stdout, stderr } = await waiting.answer;
    expect([code, stdout]).toEqual([0, "connected github\n"]);
    expect(stderr).toContain("github is not_configured");
    expect(entry("github:primary")["tokens"]).not.toEqual(before["tokens"]);
  });

  test("a sign-in that is denied keeps what was there, and page and terminal say the same", async () => {
    const before = entry("github:primary");
    const waiting = start("plugins auth login github --no-browser --account denier --json");
    const { status, page } = await walk(lab, await waiting.page());
    const { code, stdout } = await waiting.answer;
    const { error } = JSON.parse(stdout);
    expect([code, error.code, status]).toEqual([1, "login_denied", 400]);
    expect(page).toContain(error.message);
    expect(entry("github:primary")).toEqual(before);
    expect(debris()).toEqual([]);
  });

  test("with another account than the one that was asked for nothing is stored", async () => {
    const waiting = start("plugins auth login gmail --no-browser --account bob@example.org --json");
    const { status, page } = await walk(lab, await waiting.page());
    const { code, stdout } = await waiting.answer;
    expect([code, status, JSON.parse(stdout).error.details]).toEqual([
      1,
      400,
      { provider: "Google", wanted: "bob@example.org", found: "ada@example.org" },
    ]);
    expect(page).toContain("ada@example.org");
    expect(entry("gmail:primary")).toEqual({});
  });

  test("AUTH-8/refused-client a client that the provider refuses is told apart from a sign-in that ended", async () => {
    using other = await lab.home({ plugins: [], clients: { google: { ...LAB_CLIENT, secret: "another" } } });
    const waiting = startSignIn(lab, other, "plugins auth login gmail --no-browser --json");
    await walk(lab, await waiting.page());
    const { code, stdout } = await waiting.answer;
    const { error } = JSON.parse(stdout);
    expect([code, error.code]).toEqual([4, "login_client_rejected"]);
    expect(error.fix).toContain("`fermix auth client google --id ID`");
    expect(readdirSync(other.root)).not.toContain("auth.json");
  });

  test("Ctrl-C leaves nothing behind: no listener, no entry, no file", async () => {
    const waiting = start("plugins auth login gmail --no-browser");
    await waiting.page();
    expect(debris()).toEqual(["sign-in-1455.claim"]);
    waiting.child.kill("SIGINT");
    const { code, stderr } = await waiting.answer;
    expect([code, debris(), entry("gmail:primary")]).toEqual([1, [], {}]);
    expect(stderr).toContain("The sign-in was stopped; nothing was stored.");
    const next = start("plugins auth login gmail --no-browser --timeout 1 --json");
    expect(await next.page()).toContain("127.0.0.1%3A1455");
    expect(JSON.parse((await next.answer).stdout).error.code).toBe("login_timed_out");
    expect(debris()).toEqual([]);
  });

  test("CASE-45 CASE-53: a port that another program holds is named with that program, and the config key to change it", async () => {
    const holding = "require('node:net').createServer().listen(1459, '127.0.0.1', () => console.log('up'))";
    using holder = await startInside(lab, ["node", "-e", holding]);
    const { code, stdout } = await home.inLab("plugins auth login x --json");
    const { error } = JSON.parse(stdout);
    expect([code, error.code, error.details]).toEqual([
      1,
      "login_port_in_use",
      { provider: "X", id: "x", ports: [1459], holder: expect.stringMatching(/node/i), pid: holder.pid },
    ]);
    expect(error.fix).toContain("redirect_port under [fermix_core.oauth.x]");
    expect(debris()).toEqual([]);
  });

  test("CASE-45: an older sign-in that still waits at the provider's only port gives way, and the newer one goes through", async () => {
    const older = start("plugins auth login x --no-browser --json");
    await older.page();
    const newer = start("plugins auth reauthorize x --no-browser");
    const page = await newer.page();
    expect(JSON.parse((await older.answer).stdout).error.code).toBe("login_superseded");
    expect((await walk(lab, page)).status).toBe(200);
    expect((await newer.answer).code).toBe(0);
    expect(debris()).toEqual([]);
  });

  test("a port scanner's bytes, requests that never end and a browser's other requests disturb nothing", async () => {
    const waiting = start("plugins auth login gmail --no-browser");
    const page = await waiting.page();
    const open = "exec 3<>/dev/tcp/127.0.0.1/1455";
    const say = (bytes: string) =>
      startInside(lab, ["bash", "-c", `${open}; printf '${bytes}' >&3; cat <&3; echo over`]);
    using _silent = await startInside(lab, ["bash", "-c", `${open}; echo up; read -r end`]);
    using _slow = await startInside(lab, [
      "bash",
      "-c",
      `${open}; printf 'GET /auth/callback?co' >&3; echo up; read -r end`,
    ]);
    for (const bytes of ["\\x16\\x03\\x01\\x05", "SSH-2.0-scan\\r\\n", "\\0\\0\\r\\n\\r\\n"])
      (await say(bytes))[Symbol.dispose]();
    (await say("GET /favicon.ico HTTP/1.1\\r\\nHost: 127.0.0.1:1455\\r\\n\\r\\n"))[Symbol.dispose]();
    expect((await walk(lab, page)).status).toBe(200);
    expect(await waiting.answer).toMatchObject({ code: 0, stdout: "connected gmail\n" });
  });

  test("CASE-42 CASE-43: an agent that is connected all the while is told of the tools, and has them, as soon as the sign-in is done", async () => {
    await home.inLab("plugins enable github");
    await home.inLab("plugins auth logout github");
    await home.agent(async (client) => {
      const names = async () => (await client.listTools()).tools.map(({ name }) => name);
      expect((await names()).filter((name) => name.startsWith("github_"))).toEqual([]);
      const told = Promise.withResolvers<void>();
      client.setNotificationHandler(ToolListChangedNotificationSchema, () => told.resolve());
      const waiting = start("plugins auth login github --no-browser");
      await walk(lab, await waiting.page());
      expect((await waiting.answer).code).toBe(0);
      await told.promise;
      expect(await names()).toContain("github_get_me");
      expect(await client.callTool({ name: "github_get_me", arguments: {} })).not.toHaveProperty("isError", true);
    });
  });

  test("what cannot come to a sign-in is named before a browser is opened", async () => {
    using bare = await lab.home({ plugins: [] });
    const refusals = [
      ["plugins auth login gmail", 4, "login_client_missing"],
      ["plugins auth login slack", 2, "auth_not_required"],
      ["plugins auth refresh obsidian", 2, "auth_not_required"],
      ["plugins auth login nothing", 1, "plugin_unknown"],
      ["plugins auth login gmail --port 0", 2, "usage"],
      ["plugins auth login gmail --timeout soon", 2, "usage"],
    ] as const;
    for (const [words, code, name] of refusals) {
      const answer = await bare.inLab(`${words} --json`);
      expect([words, answer.code, JSON.parse(answer.stdout).error.code]).toEqual([words, code, name]);
    }
    const fixed = await home.inLab("plugins auth login x --port 9999 --json");
    expect([fixed.code, JSON.parse(fixed.stdout).error.code]).toEqual([2, "login_port_fixed"]);
  });
});
