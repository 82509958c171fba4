/** What a connection may do: a scope that was certainly not granted is refused before any request, the rest is the provider's to judge. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { placeSignIn, type SignInGiven } from "../lab/auth-file.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent } from "../lab/sent.ts";

/** Each call is a process of its own, on a machine that may be busy. */
setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const GITHUB = { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" };
const REPOS = "https://api.github.com/user/repos?visibility=all&sort=updated&per_page=30&page=1";

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["github", "x", "discord"]);
    home = await lab.home({
      plugins: ["github", "x", "discord"],
      signIns: { "github:primary": { provider: "github" }, "x:primary": { provider: "x" } },
      keys: { discord: "a-key-that-discord-never-gave" },
    });
  });
  afterEach(async () => {
    await lab.calls();
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  const signIn = (provider: "github" | "x", accessToken: string, more: SignInGiven): void =>
    placeSignIn(home.root, `${provider}:primary`, { provider, accessToken, ...more });

  test("a scope that was not granted is named before any request, and its tool stays visible", async () => {
    signIn("github", "lab-github-narrow", { grantedScopes: ["read:user"] });
    expect(await home.call("github_list_repos")).toMatchObject({
      code: 4,
      error: {
        code: "missing_scope",
        message: "github is missing a required scope (repo).",
        fix: "run `fermix plugins auth reauthorize github` and grant it",
      },
    });
    expect(await lab.calls()).toEqual([]);
    const names = await home.agent(async (client) => (await client.listTools()).tools.map(({ name }) => name));
    expect(names).toContain("github_list_repos");
    expect(await home.call("github_get_me")).toMatchObject({ code: 0 });
  });

  test("of several scopes only the missing ones are named", async () => {
    signIn("x", "lab-x-reader", { grantedScopes: ["tweet.read", "users.read", "offline.access"] });
    expect(await home.call("x_create_post", { text: "Hello" })).toMatchObject({
      code: 4,
      error: { code: "missing_scope", message: "x is missing a required scope (tweet.write)." },
    });
    expect(await lab.calls()).toEqual([]);
  });

  test.each([
    ["a broader scope that includes it", ["repo", "user"]],
    ["a scope that Fermix does not know", ["read:user", "repo:everything"]],
    ["nothing on record", undefined],
    ["an empty record, as GitHub Apps leave it", []],
  ] as const)("%s is left to the provider", async (_what, grantedScopes) => {
    signIn("github", "lab-github-token", grantedScopes === undefined ? {} : { grantedScopes });
    expect(await home.call("github_get_me")).toMatchObject({ code: 0 });
    expect(await home.call("github_list_repos")).toMatchObject({ code: 0 });
  });

  test("what the provider itself refuses comes with its words and the scopes that the tool needs, asked once", async () => {
    signIn("github", "lab-github-narrow", {});
    expect(await home.call("github_list_repos")).toMatchObject({
      code: 1,
      error: {
        code: "permission_denied",
        message: `permission denied (requires: repo). {"message":"Resource not accessible by integration","documentation_url":"https://docs.github.com/rest","status":"403"}`,
      },
    });
    expect(await lab.calls()).toEqual([sent(`GET ${REPOS}`, { ...GITHUB, authorization: "Bearer lab-github-narrow" })]);
    signIn("x", "lab-x-reader", {});
    expect(await home.call("x_create_post", { text: "Hello" })).toMatchObject({
      error: {
        message: `permission denied (requires: tweet.read, users.read, tweet.write). {"title":"Forbidden","detail":"Forbidden","type":"about:blank","status":403}`,
      },
    });
  });

  test("AUTH-6/api-key a key that the provider rejects is named with the command that replaces it, and sent once", async () => {
    const message = "API key rejected — update it with `fermix plugins auth set discord`";
    expect(await home.call("discord_list_guilds")).toMatchObject({
      code: 4,
      error: { code: "api_key_rejected", message },
    });
    expect((await lab.calls()).length).toBe(1);
    expect(await home.callAsAgent("discord_list_guilds")).toMatchObject({
      isError: true,
      value: expect.stringContaining(message),
    });
  });

  test("AUTH-6/key-missing a key that nobody gave is named with the command that sets it", async () => {
    using keyless = await lab.home({ plugins: ["discord"] });
    const message = "discord is missing its API key. Run `fermix plugins auth set discord`.";
    expect(await keyless.call("discord_list_guilds")).toMatchObject({
      code: 4,
      error: { code: "key_missing", message },
    });
    expect(await lab.calls()).toEqual([]);
  });

  test("HTTP-10/redacted a provider that repeats the credential gives none of it to the agent", async () => {
    signIn("github", "lab-github-token", {});
    const echo = {
      message: "unexpected header Bearer lab-github-token",
      sent: ["lab-github-token"],
      kept: "next_page_token",
    };
    for (const answer of [{ status: 422, body: echo }, { body: { ...echo, login: "lab-github-token" } }]) {
      await lab.prepare({ host: "api.github.com", path: "/user", answers: [answer] });
      const { stdout, stderr } = await home.inLab(["call", "github_get_me", "--json"]);
      expect(stdout + stderr).not.toContain("lab-github-token");
      expect(stdout).toContain("[REDACTED]");
      if (answer.status === 422) expect(stdout).toContain("next_page_token");
    }
  });
});
