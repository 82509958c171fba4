/** Single-use tokens on the compiled binary: many races, a kill at the worst moment, a sign-out meanwhile, and a refresh that nobody asked for. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { placeSignIn, removeSignIn, signInOnDisk } from "../lab/auth-file.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { labMissing } from "../lab/network.ts";
import { straceMissing } from "../lab/strace.ts";
import { until } from "../lab/until.ts";

const missing = labMissing() ?? straceMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const PROFILE = "x:primary";
const TOKENS_AT = "/2/oauth2/token";
/** `FERMIX_TEST_ROUNDS=100` is the long form. */
const ROUNDS = Number(process.env["FERMIX_TEST_ROUNDS"] ?? 15);

describe.if(missing === undefined)("a single-use token", () => {
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
    const accessToken = `lab-x-token-${family}-1`;
    placeSignIn(home.root, PROFILE, {
      provider: "x",
      accessToken,
      refreshToken: `lab-x-refresh-${family}-1`,
      endsInSeconds,
    });
  }

  const tokens = (): unknown => signInOnDisk(home.root, PROFILE)?.["tokens"];
  const second = (family: string) => ({
    access_token: `lab-x-token-${family}-2`,
    refresh_token: `lab-x-refresh-${family}-2`,
  });

  /** The refresh tokens that the provider was sent since the last time, in order. */
  async function spent(): Promise<readonly string[]> {
    const asked = (await lab.calls()).filter(({ path }) => path === TOKENS_AT);
    return asked.map(({ body }) => new URLSearchParams(String(body)).get("refresh_token") ?? "");
  }

  test(
    `TOK-4/single-flight ${ROUNDS} rounds of two processes that need it at once: one request each, and both have their answer`,
    async () => {
      const families = Array.from({ length: ROUNDS }, (_, round) => `round${letters(round)}`);
      await home.agent((one) =>
        home.agent(async (two) => {
          for (const family of families) {
            signIn(family, -60);
            const answers = await Promise.all(
              [one, two].map((agent) => agent.callTool({ name: "x_whoami", arguments: {} })),
            );
            for (const answer of answers) expect(answer).not.toHaveProperty("isError", true);
            expect(tokens()).toEqual(second(family));
          }
        }),
      );
      expect(await spent()).toEqual(families.map((family) => `lab-x-refresh-${family}-1`));
      expect(readdirSync(home.root).filter((name) => name.startsWith("auth.json"))).toEqual(["auth.json"]);
    },
    60_000 + ROUNDS * 2_000,
  );

  test("kill -9 between receiving its successor and storing it loses that refresh alone, and says how to reconnect", async () => {
    signIn("killed", -60);
    // The first file that a call puts in place is the one with the successor in it.
    const rename = "rename,renameat,renameat2";
    const dying = ["strace", "-f", "-o", "/dev/null", `-etrace=${rename}`, `-einject=${rename}:signal=KILL`];
    const { stdout, stderr } = await home.inLab("call x_whoami --json", { through: dying });
    expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
    expect(tokens()).toEqual({ access_token: "lab-x-token-killed-1", refresh_token: "lab-x-refresh-killed-1" });
    expect(await home.call("x_whoami")).toMatchObject({
      code: 4,
      error: { code: "reauthorization_required", fix: expect.stringContaining("fermix plugins auth reauthorize x") },
    });
    // Another sign-in makes up for it, and no file with a token in it is left.
    signIn("again", -60);
    expect(await home.call("x_whoami")).toMatchObject({ code: 0 });
    expect(await spent()).toEqual(["lab-x-refresh-killed-1", "lab-x-refresh-killed-1", "lab-x-refresh-again-1"]);
    expect(readdirSync(home.root).filter((name) => name.startsWith("auth.json"))).toEqual(["auth.json"]);
  }, 60_000);

  test("TOK-4/logged-out a sign-out during a refresh is not undone by its answer", async () => {
    signIn("leaving", -60);
    const body = { ...second("leaving"), token_type: "bearer", expires_in: 7200 };
    await lab.prepare({ host: "api.x.com", method: "POST", path: TOKENS_AT, answers: [{ held: true, body }] });
    const calling = home.call("x_whoami");
    await lab.holding();
    removeSignIn(home.root, PROFILE);
    await lab.release();
    expect(await calling).toMatchObject({ code: 4, error: { code: "not_connected" } });
    expect(signInOnDisk(home.root, PROFILE)).toBeUndefined();
    expect((await lab.calls()).map(({ path }) => path)).toEqual([TOKENS_AT]);
  }, 60_000);

  test("TOK-4/logged-out `auth logout` while an agent's call refreshes ends with nobody signed in", async () => {
    signIn("racing", -60);
    const body = { ...second("racing"), token_type: "bearer", expires_in: 7200 };
    await home.agent(async (agent) => {
      await lab.prepare({ host: "api.x.com", method: "POST", path: TOKENS_AT, answers: [{ held: true, body }] });
      const calling = agent.callTool({ name: "x_whoami", arguments: {} });
      await lab.holding();
      const leaving = home.inLab("plugins auth logout x");
      await lab.release();
      // The call may have its answer or hear that nobody is signed in; the sign-out is certain.
      await calling;
      expect(await leaving).toMatchObject({ code: 0 });
      expect(signInOnDisk(home.root, PROFILE)).toBeUndefined();
      const after = await agent.callTool({ name: "x_whoami", arguments: {} });
      expect(JSON.stringify(after.content)).toContain("fermix plugins auth login x");
    });
    expect(signInOnDisk(home.root, PROFILE)).toBeUndefined();
    await lab.calls();
  }, 60_000);

  test("TOK-4/proactive is refreshed five minutes before its end while an agent is connected, by one of two servers", async () => {
    signIn("ahead", 304);
    await home.agent((one) =>
      home.agent(async (two) => {
        await until("it is refreshed", () => JSON.stringify(tokens()).includes("ahead-2"));
        for (const agent of [one, two]) await agent.callTool({ name: "x_whoami", arguments: {} });
      }),
    );
    expect(tokens()).toEqual(second("ahead"));
    const calls = await lab.calls();
    expect(calls.map(({ path }) => path)).toEqual([TOKENS_AT, "/2/users/me", "/2/users/me"]);
    expect(calls.slice(1).map(({ headers }) => headers["authorization"])).toEqual(
      Array.from({ length: 2 }, () => "Bearer lab-x-token-ahead-2"),
    );
  }, 60_000);
});

/** `a`, `b`, … `z`, `aa`, `ab`, …: a name for each round that the stand-in takes for a sign-in of its own. */
function letters(at: number): string {
  const last = String.fromCharCode("a".charCodeAt(0) + (at % 26));
  return at < 26 ? last : letters(Math.floor(at / 26) - 1) + last;
}
