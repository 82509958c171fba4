/** What happens to a sign-in while its plugin is used: refreshed once and stored first, never for a write, and named when it has ended. */
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { statSync } from "node:fs";
import { join } from "node:path";
import { placeSignIn, removeSignIn, type SignInGiven, signInOnDisk } from "../lab/auth-file.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { sent, sentAlone } from "../lab/sent.ts";
import type { Call } from "../lab/stand-in.ts";

/** Each call is a process of its own, on a machine that may be busy. */
setDefaultTimeout(60_000);

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const BASIC = `Basic ${btoa("lab-client-id:lab-client-secret")}`;

/** One provider: a tool that reads, one that writes, and how its token endpoint must be asked for a new token. */
interface Provider {
  readonly name: "github" | "notion" | "x";
  readonly read: string;
  readonly readLine: string;
  readonly readHeaders: Readonly<Record<string, string>>;
  readonly write: string;
  readonly writeArgs: Readonly<Record<string, unknown>>;
  /** The documentation of the refresh. */
  readonly page: string;
  readonly token: (refresh: string) => Call;
  /** Those of the manifest. */
  readonly scopes: readonly string[];
}

const formHeaders = {
  "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
  accept: "application/json",
};

const PROVIDERS: readonly Provider[] = [
  {
    name: "github",
    read: "github_get_me",
    readLine: "GET https://api.github.com/user",
    readHeaders: { accept: "application/vnd.github+json", "x-github-api-version": "2022-11-28" },
    write: "github_create_issue",
    writeArgs: { owner: "octocat", repo: "Hello-World", title: "t" },
    page: "docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens",
    token: (refresh) =>
      sentAlone(
        "POST https://github.com/login/oauth/access_token",
        formHeaders,
        `refresh_token=${refresh}&grant_type=refresh_token&client_id=lab-client-id&client_secret=lab-client-secret`,
      ),
    scopes: ["read:user", "repo"],
  },
  {
    name: "notion",
    read: "notion_get_me",
    readLine: "GET https://api.notion.com/v1/users/me",
    readHeaders: { "notion-version": "2026-03-11" },
    write: "notion_update_page",
    writeArgs: { page_id: "59833787-2cf9-4fdf-8782-e53db20768a5", properties: { Done: { checkbox: true } } },
    page: "developers.notion.com/reference/refresh-a-token",
    token: (refresh) =>
      sentAlone(
        "POST https://api.notion.com/v1/oauth/token",
        { authorization: BASIC },
        `{"refresh_token":"${refresh}","grant_type":"refresh_token"}`,
      ),
    scopes: [],
  },
  {
    name: "x",
    read: "x_whoami",
    readLine: "GET https://api.x.com/2/users/me",
    readHeaders: {},
    write: "x_create_post",
    writeArgs: { text: "Hello" },
    page: "docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code",
    token: (refresh) =>
      sentAlone(
        "POST https://api.x.com/2/oauth2/token",
        { ...formHeaders, authorization: BASIC },
        `refresh_token=${refresh}&grant_type=refresh_token`,
      ),
    scopes: ["tweet.read", "users.read", "tweet.write", "like.write", "offline.access"],
  },
];

const reconnect = (name: string) => ({
  code: 4,
  error: expect.objectContaining({
    code: "reauthorization_required",
    message: `${name} needs reconnection. Run \`fermix plugins auth reauthorize ${name}\`.`,
  }),
});

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["github", "notion", "x"]);
    const names = PROVIDERS.map(({ name }) => name);
    const signIns = Object.fromEntries(names.map((name) => [`${name}:primary`, { provider: name }]));
    home = await lab.home({ plugins: names, signIns });
  });
  afterEach(async () => {
    await lab.calls();
  });
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  describe.each([...PROVIDERS])("$name", (provider) => {
    const { name, read, write, writeArgs, scopes, token } = provider;
    const profile = `${name}:primary`;
    const access = (family: string, generation: number): string => `lab-${name}-token-${family}-${generation}`;
    const refresh = (family: string, generation: number): string => `lab-${name}-refresh-${family}-${generation}`;
    const pair = (family: string, generation: number) => ({
      access_token: access(family, generation),
      refresh_token: refresh(family, generation),
    });
    const reading = (bearer: string): Call =>
      sent(provider.readLine, { ...provider.readHeaders, authorization: `Bearer ${bearer}` });
    const entry = () => signInOnDisk(home.root, profile) ?? {};

    /** Signed in with a token that the provider does not know, and the first refresh token of this family. */
    function signIn(family: string, more: SignInGiven = {}): void {
      placeSignIn(home.root, profile, {
        provider: name,
        accessToken: access(family, 1),
        refreshToken: refresh(family, 1),
        ...more,
      });
    }

    test(`AUTH-7/read-only-retried a read that meets 401 refreshes as ${provider.page} says, and is sent once more`, async () => {
      signIn("read", { grantedScopes: scopes });
      expect(await home.call(read)).toMatchObject({ code: 0 });
      expect(await lab.calls()).toEqual([
        reading(access("read", 1)),
        token(refresh("read", 1)),
        reading(access("read", 2)),
      ]);
      expect(entry()).toMatchObject({
        tokens: pair("read", 2),
        status: "ready",
        provider: name,
        granted_scopes: scopes,
      });
      expect(statSync(join(home.root, "auth.json")).mode & 0o777).toBe(0o600);
      expect(await home.call(write, writeArgs)).toMatchObject({ code: 0 });
    });

    test("AUTH-7/read-only-retried the new token is in auth.json before it is used", async () => {
      signIn("stored");
      const { host, path } = reading("");
      await lab.prepare({ host, path, answers: [null, { held: true, status: 500 }] });
      const answer = home.call(read);
      await lab.holding();
      expect(entry()["tokens"]).toEqual(pair("stored", 2));
      await lab.release();
      expect(await answer).toMatchObject({ code: 1, error: { code: "provider_error" } });
      expect((await lab.calls())[2]).toEqual(reading(access("stored", 2)));
      expect(entry()["tokens"]).toEqual(pair("stored", 2));
    });

    test("AUTH-7/once a second 401 ends it: two tries, one refresh", async () => {
      signIn("twice");
      const { host, path } = reading("");
      await lab.prepare({ host, path, answers: [null, { status: 401, body: {} }] });
      expect(await home.call(read)).toEqual(reconnect(name));
      expect(await lab.calls()).toEqual([
        reading(access("twice", 1)),
        token(refresh("twice", 1)),
        reading(access("twice", 2)),
      ]);
    });

    test("AUTH-7/write-never AUTH-6/oauth a write that meets 401 is sent once, and nothing is refreshed", async () => {
      signIn("write");
      const before = entry();
      expect(await home.call(write, writeArgs)).toEqual(reconnect(name));
      const calls = await lab.calls();
      expect(calls.map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${access("write", 1)}`]);
      expect(entry()).toEqual(before);
      expect(await home.call(read)).toMatchObject({ code: 0 });
      expect(await home.call(write, writeArgs)).toMatchObject({ code: 0 });
    });

    test("a token that has ended is refreshed before anything is sent, for a write too", async () => {
      signIn("ended", { endsInSeconds: -60 });
      expect(await home.call(write, writeArgs)).toMatchObject({ code: 0 });
      const [first, second, ...others] = await lab.calls();
      expect(first).toEqual(token(refresh("ended", 1)));
      expect(second?.headers["authorization"]).toBe(`Bearer ${access("ended", 2)}`);
      expect(others).toEqual([]);
    });

    test("two processes that need a new token at once ask for it once", async () => {
      signIn("race", { endsInSeconds: -60 });
      const answers = await Promise.all([home.call(read), home.call(read)]);
      expect(answers.map(({ code }) => code)).toEqual([0, 0]);
      const calls = await lab.calls();
      expect(calls.filter(({ method }) => method === "POST")).toEqual([token(refresh("race", 1))]);
      expect(entry()["tokens"]).toEqual(pair("race", 2));
    });

    test("AUTH-6/oauth a refresh token that is worth nothing ends the sign-in, and nobody is asked again", async () => {
      signIn("Dead", { endsInSeconds: -60 });
      expect(await home.call(read)).toEqual(reconnect(name));
      expect(await lab.calls()).toEqual([token(refresh("Dead", 1))]);
      expect(entry()).toMatchObject({ status: "reauthorization_required", tokens: pair("Dead", 1) });
      expect(await home.call(read)).toEqual(reconnect(name));
      expect(await lab.calls()).toEqual([]);
    });

    test("AUTH-6/oauth without a refresh token a 401 is final", async () => {
      signIn("none", { refreshToken: null, endsInSeconds: null });
      expect(await home.call(read)).toEqual(reconnect(name));
      expect(await lab.calls()).toEqual([reading(access("none", 1))]);
    });

    test("AUTH-6/not-connected a plugin that nobody connected says so, and sends nothing", async () => {
      removeSignIn(home.root, profile);
      const message = `${name} is enabled but not connected. Run \`fermix plugins auth login ${name}\`.`;
      expect(await home.call(read)).toMatchObject({ code: 4, error: { code: "not_connected", message } });
      expect(await home.callAsAgent(read)).toMatchObject({ isError: true, value: expect.stringContaining(message) });
      expect(await lab.calls()).toEqual([]);
    });
  });

  test("a client that GitHub refuses is told from a sign-in that has ended, which is kept", async () => {
    using other = await lab.home({
      plugins: ["github"],
      signIns: {
        "github:primary": {
          provider: "github",
          accessToken: "lab-github-token-client-1",
          refreshToken: "lab-github-refresh-client-1",
          endsInSeconds: -60,
        },
      },
      clients: { github: { id: "lab-client-id", secret: "an-old-secret" } },
    });
    const answer = await other.call("github_get_me");
    expect(answer).toMatchObject({ code: 4, error: { code: "oauth_client_rejected" } });
    expect("error" in answer && answer.error.message).toContain("incorrect_client_credentials");
    expect(JSON.stringify(answer)).not.toContain("an-old-secret");
    expect(signInOnDisk(other.root, "github:primary")).toMatchObject({ status: "ready" });
  });
});
