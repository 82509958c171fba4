/** Many processes of the compiled binary on one sign-in whose single-use refresh token has to be spent: one request, and nobody fails. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { placeSignIn, signInOnDisk } from "../lab/auth-file.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";

const missing = labMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const PROFILE = "x:primary";

describe.if(missing === undefined)("in a network of its own", () => {
  let lab: HttpLab;
  let home: HttpHome;
  beforeAll(async () => {
    lab = await openHttpLab(["x"]);
    home = await lab.home({ plugins: ["x"], signIns: { [PROFILE]: { provider: "x" } } });
  }, 60_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  function signIn(family: string, endsInSeconds: number): void {
    placeSignIn(home.root, PROFILE, {
      provider: "x",
      accessToken: `lab-x-token-${family}-1`,
      refreshToken: `lab-x-refresh-${family}-1`,
      endsInSeconds,
    });
  }

  async function bearers(): Promise<{ spent: number; sent: readonly string[] }> {
    const calls = await lab.calls();
    const spent = calls.filter(({ path }) => path === "/2/oauth2/token").length;
    const others = calls.filter(({ path }) => path !== "/2/oauth2/token");
    return { spent, sent: others.map(({ headers }) => headers["authorization"] ?? "").toSorted() };
  }

  const agentCalls = (): Promise<readonly unknown[]> =>
    home.agent((client) =>
      Promise.all(Array.from({ length: 4 }, () => client.callTool({ name: "x_whoami", arguments: {} }))),
    );

  test("CASE-38: five calls and two agents with four calls each, the token ended: one refresh, thirteen answers", async () => {
    signIn("ended", -60);
    const [calls, ...agents] = await Promise.all([
      Promise.all(Array.from({ length: 5 }, () => home.call("x_whoami"))),
      agentCalls(),
      agentCalls(),
    ]);
    expect(calls.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    for (const answer of agents.flat()) expect(answer).not.toHaveProperty("isError", true);
    expect(await bearers()).toEqual({
      spent: 1,
      sent: Array.from({ length: 13 }, () => "Bearer lab-x-token-ended-2"),
    });
    expect(signInOnDisk(home.root, PROFILE)).toMatchObject({
      tokens: { access_token: "lab-x-token-ended-2", refresh_token: "lab-x-refresh-ended-2" },
      status: "ready",
    });
    expect(readdirSync(home.root).filter((name) => name.startsWith("auth.json"))).toEqual(["auth.json"]);
  }, 60_000);

  test("CASE-38: the same where the provider refuses a token that had time to run", async () => {
    signIn("stale", 3600);
    const answers = await Promise.all(Array.from({ length: 5 }, () => home.call("x_whoami")));
    expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
    const { spent, sent } = await bearers();
    expect(spent).toBe(1);
    expect(sent.filter((bearer) => bearer.endsWith("stale-2"))).toHaveLength(5);
  }, 60_000);

  test("an agent that goes away during a refresh costs no sign-in: the new token is stored first", async () => {
    signIn("gone", -60);
    const tokens = { access_token: "lab-x-token", refresh_token: "lab-x-refresh-gone-2" };
    const body = { ...tokens, token_type: "bearer", expires_in: 7200 };
    await lab.prepare({ host: "api.x.com", method: "POST", path: "/2/oauth2/token", answers: [{ held: true, body }] });
    const leaving = Promise.withResolvers<void>();
    const gone = home.agent(async (client) => {
      client.callTool({ name: "x_whoami", arguments: {} }).catch(() => undefined);
      await lab.holding();
      leaving.resolve();
    });
    await leaving.promise;
    await lab.release();
    await gone;
    expect(signInOnDisk(home.root, PROFILE)).toMatchObject({ tokens, status: "ready" });
    await lab.calls();
  }, 60_000);

  test("CASE-40: with an ended token and a good refresh token nobody is sent to a browser, one process after another", async () => {
    signIn("quiet", -86_400);
    expect(await home.call("x_whoami")).toMatchObject({ code: 0 });
    expect(await home.call("x_whoami")).toMatchObject({ code: 0 });
    expect(await bearers()).toEqual({ spent: 1, sent: ["Bearer lab-x-token-quiet-2", "Bearer lab-x-token-quiet-2"] });
  }, 60_000);
});
