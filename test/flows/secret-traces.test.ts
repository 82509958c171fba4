/** A secret under strace: in no argument, no environment and no file of any process, from the pipe it came in by to the call it is used in. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { Credential } from "../../src/auth/credential.ts";
import { filesWith } from "../lab/canaries.ts";
import type { HttpHome } from "../lab/http-home.ts";
import { type HttpLab, openHttpLab } from "../lab/http-lab.ts";
import { Keyring, keyringMissing } from "../lab/keyring.ts";
import { labMissing } from "../lab/network.ts";
import { isChannel, straceMissing, type Traced, traced } from "../lab/strace.ts";

const missing = labMissing() ?? keyringMissing() ?? straceMissing();
if (missing !== undefined) console.warn(`not run: ${missing} is missing`);

const KEY = "xoxb-lab-token";
const secret = new Credential(KEY);
/** In any form in which a program writes it down. */
const has = (text: string): boolean => secret.maskIn(text) !== text;

describe.if(missing === undefined)("a key on its way", () => {
  let lab: HttpLab;
  let home: HttpHome;
  let keyring: Keyring;

  beforeAll(async () => {
    [lab, keyring] = await Promise.all([openHttpLab(["slack", "x"]), Keyring.open()]);
    home = await lab.home({ plugins: ["slack"] });
  }, 60_000);
  afterAll(() => {
    home?.[Symbol.dispose]();
    keyring?.[Symbol.dispose]();
    lab?.[Symbol.dispose]();
  });

  /** Nothing but a pipe or a socket ever had it, and nobody printed it. */
  function expectNoTrace({ answer, started, writes }: Traced): void {
    expect(started.length).toBeGreaterThan(0);
    expect(started.filter(has)).toEqual([]);
    expect(writes.filter((write) => has(write.text) && !isChannel(write))).toEqual([]);
    expect(has(answer.stdout + answer.stderr)).toBe(false);
    expect(filesWith(KEY, [home.folder, keyring.folder])).toEqual([]);
  }

  test("AUTH-1/no-trace from the pipe into the keychain", async () => {
    const trace = await traced(home, ["plugins", "auth", "set", "slack", "--stdin"], {
      env: keyring.env,
      input: KEY,
    });
    expect(trace.answer).toMatchObject({ code: 0, stdout: "stored api key for slack\n" });
    // The trace would show it: the process that asks the keychain is given it through a pipe.
    expect(trace.started.filter((words) => words.includes("__keychain"))).not.toEqual([]);
    expect(trace.writes.filter(({ text }) => has(text)).length).toBeGreaterThan(0);
    expectNoTrace(trace);
  }, 60_000);

  test("AUTH-1/no-trace AUTH-1/no-log from the keychain to the provider", async () => {
    const trace = await traced(home, ["call", "slack_team_info"], { env: keyring.env });
    expect(trace.answer).toMatchObject({ code: 0, stderr: "" });
    expect((await lab.calls()).map(({ headers }) => headers["authorization"])).toEqual([`Bearer ${KEY}`]);
    expect(trace.writes.filter(({ to }) => to.includes("/logs/fermix.log")).length).toBeGreaterThan(0);
    expectNoTrace(trace);
  }, 60_000);

  test("AUTH-1/no-trace a refreshed sign-in: old and new tokens are written to auth.json alone", async () => {
    const tokens = ["lab-x-token-traced-1", "lab-x-refresh-traced-1", "lab-x-token-traced-2", "lab-x-refresh-traced-2"];
    const [accessToken = "", refreshToken = ""] = tokens;
    using own = await lab.home({
      plugins: ["x"],
      signIns: { "x:primary": { provider: "x", accessToken, refreshToken, endsInSeconds: -60 } },
    });
    await lab.calls();
    const trace = await traced(own, ["call", "x_whoami"], { env: {} });
    expect(trace.answer.code).toBe(0);
    const held = (text: string): boolean => tokens.some((token) => new Credential(token).maskIn(text) !== text);
    expect(trace.started.filter(held)).toEqual([]);
    const files = trace.writes.filter((write) => held(write.text) && !isChannel(write)).map(({ to }) => to);
    const sibling = new RegExp(`^${own.root}/auth\\.json\\.\\d+-\\d+\\.tmp$`);
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(file).toMatch(sibling);
    expect((await lab.calls()).map(({ path }) => path)).toEqual(["/2/oauth2/token", "/2/users/me"]);
  }, 60_000);

  test("as words of the command line it is refused, and written nowhere", async () => {
    const trace = await traced(home, ["plugins", "auth", "set", "slack", KEY], { env: keyring.env });
    expect(trace.answer.code).toBe(2);
    expect(trace.started.slice(2).filter(has)).toEqual([]);
    expect(trace.writes.filter(({ text }) => has(text))).toEqual([]);
    expect(has(trace.answer.stdout + trace.answer.stderr)).toBe(false);
  }, 60_000);
});
