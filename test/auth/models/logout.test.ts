/** Tests of auth/models/logout.ts and model-status.ts: what is shown of a sign-in, and what is left after it is gone. */
import { describe, expect, test } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { loginAnthropic } from "../../../src/auth/models/login-anthropic.ts";
import { logoutOf } from "../../../src/auth/models/logout.ts";
import { ANTHROPIC, CODEX, modelProviderNamed, modelProviders, XAI } from "../../../src/auth/models/model-providers.ts";
import { modelStatus } from "../../../src/auth/models/model-status.ts";
import type { Clock } from "../../../src/kernel/ports.ts";
import { systemClock } from "../../../src/system/clock.ts";
import { expectRefusal, snapshotTree } from "../../expect.ts";
import { placeSignIn } from "../../lab/auth-file.ts";
import { ModelLab } from "./lab.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);
const setUp = { way: "setup_token", ask: async () => "sk-ant-oat01-canary" } as const;

describe("signing out", () => {
  test("COD-2/logout-reverts: the entry goes and auth_mode is api_key again, with the file's comments kept", async () => {
    using lab = new ModelLab('[fermix_core.providers.anthropic] # mine\nauth_mode = "oauth" # why\n');
    await loginAnthropic(lab.deps, setUp);
    placeSignIn(lab.home.root, "xai_oauth", {}, NOW);
    expect(await logoutOf(lab.deps.ports, lab.home, ANTHROPIC)).toEqual({ removed: true, reverted: true });
    expect(lab.entry("anthropic_oauth")).toBeUndefined();
    expect(lab.entry("xai_oauth")).toBeDefined();
    expect(lab.config).toBe('[fermix_core.providers.anthropic] # mine\nauth_mode = "api_key" # why\n');
  });

  test("signing out again changes nothing; a home that is not there stays so", async () => {
    using lab = new ModelLab("");
    for (const provider of modelProviders) {
      const before = snapshotTree(lab.folder);
      expect(await logoutOf(lab.deps.ports, lab.home, provider)).toEqual({ removed: false, reverted: false });
      expect(snapshotTree(lab.folder)).toEqual(before);
    }
    using none = new ModelLab();
    expect(await logoutOf(none.deps.ports, none.home, XAI)).toEqual({ removed: false, reverted: false });
    expect(snapshotTree(none.folder)).toEqual({ "user/": "folder" });
  });

  test("an auth_mode without its sign-in is taken back too; Codex has none", async () => {
    using lab = new ModelLab('fermix_core.providers = { xai.auth_mode = "oauth", openai_codex.auth_mode = "oauth" }\n');
    placeSignIn(lab.home.root, "openai_codex", {}, NOW);
    expect(await logoutOf(lab.deps.ports, lab.home, XAI)).toEqual({ removed: false, reverted: true });
    expect(await logoutOf(lab.deps.ports, lab.home, CODEX)).toEqual({ removed: true, reverted: false });
    expect(lab.config).toBe(
      'fermix_core.providers = { xai.auth_mode = "api_key", openai_codex.auth_mode = "oauth" }\n',
    );
  });
});

/** A clock that tells of the first pause; on a held one pauses end when they are let go. */
function tellingClock() {
  const { clock, pausing } = { clock: systemClock(), pausing: Promise.withResolvers<void>() };
  const go = Promise.withResolvers<void>();
  const sleepWith = (rest: (ms: number) => Promise<void>) => async (ms: number) => {
    pausing.resolve();
    await rest(ms);
  };
  return {
    free: { ...clock, sleep: sleepWith((ms) => clock.sleep(ms)) },
    held: { ...clock, sleep: sleepWith(() => go.promise) },
    pausing: pausing.promise,
    go: go.resolve,
  };
}

describe("signing in and out at once", () => {
  const IN = "sk-ant-oat01-canary";
  const logIn = (lab: ModelLab, clock: Clock) =>
    loginAnthropic({ ...lab.deps, ports: { ...lab.deps.ports, clock } }, { way: "setup_token", ask: async () => IN });
  const logOut = (lab: ModelLab, clock: Clock) => logoutOf({ clock }, lab.home, ANTHROPIC);

  /** The first one stands before its change of config.toml when the second begins, and goes on when that is done or waits. */
  async function meeting<A, B>(
    lab: ModelLab,
    first: (clock: Clock) => Promise<A>,
    second: (clock: Clock) => Promise<B>,
  ) {
    const [one, other] = [tellingClock(), tellingClock()];
    const lock = `${lab.home.configFile}.lock`;
    writeFileSync(lock, `${Date.now()} ${process.ppid}\n`);
    const began = first(one.held);
    await one.pausing;
    rmSync(lock);
    const met = second(other.free);
    await Promise.race([met, other.pausing]);
    one.go();
    return [await began, await met] as const;
  }

  test("COD-2/logout-reverts: a logout that meets a login between its two steps undoes both", async () => {
    using lab = new ModelLab('[fermix_core.providers.anthropic]\nauth_mode = "api_key"\n');
    const [, out] = await meeting(
      lab,
      (clock) => logIn(lab, clock),
      (clock) => logOut(lab, clock),
    );
    expect(out).toEqual({ removed: true, reverted: true });
    expect(lab.entry("anthropic_oauth")).toBeUndefined();
    expect(lab.config).toContain('auth_mode = "api_key"');
  });

  test("COD-2/logout-reverts: a login that meets a logout between its two steps is in force in the end", async () => {
    using lab = new ModelLab("");
    await loginAnthropic(lab.deps, setUp);
    const [out] = await meeting(
      lab,
      (clock) => logOut(lab, clock),
      (clock) => logIn(lab, clock),
    );
    expect(out).toEqual({ removed: true, reverted: true });
    expect(lab.entry("anthropic_oauth")).toMatchObject({ tokens: { access_token: IN }, status: "ready" });
    expect(lab.config).toContain('auth_mode = "oauth"');
  });
});

describe("the status", () => {
  const one = (lab: ModelLab, provider = CODEX) => modelStatus(lab.deps.ports, lab.home, [provider])[0];

  test("is signed out without a file and without an entry", () => {
    using lab = new ModelLab();
    expect(modelStatus(lab.deps.ports, lab.home, modelProviders).map(({ state }) => state)).toEqual([
      "signed_out",
      "signed_out",
      "signed_out",
    ]);
  });

  test("tells how, until when, since when and whose, and no token", () => {
    using lab = new ModelLab("");
    const account = { email: "a@example.com" };
    placeSignIn(lab.home.root, "openai_codex", { account, more: { auth_mode: "chatgpt" }, status: "ready" }, NOW);
    const status = one(lab);
    expect(status).toEqual({
      provider: CODEX,
      state: "signed_in",
      authMode: "chatgpt",
      account: "a@example.com",
      expiresAt: NOW + 3_600_000,
      lastRefresh: "2026-01-02T03:04:05.000Z",
      status: "ready",
      reconnect: false,
    });
    expect(JSON.stringify(status)).not.toContain("token-1");
  });

  test("an entry of the oldest kind is one of Codex, made by chatgpt", () => {
    using lab = new ModelLab("");
    placeSignIn(lab.home.root, "openai_codex", { endsInSeconds: null, more: { auth_mode: undefined } }, NOW);
    expect(one(lab)).toMatchObject({ authMode: "chatgpt", expiresAt: undefined, reconnect: false });
  });

  test("STA-1/auth-status: one that ended more than an hour ago, or that the provider ended, is to be connected anew", () => {
    using lab = new ModelLab("");
    for (const [given, reconnect] of [
      [{ endsInSeconds: -3600 }, false],
      [{ endsInSeconds: -3601 }, true],
      [{ status: "reauthorization_required" }, true],
      [{ status: "ready" }, false],
    ] as const) {
      placeSignIn(lab.home.root, "xai_oauth", given, NOW);
      expect(one(lab, XAI)).toMatchObject({ reconnect });
    }
  });

  test("an entry that can't be read tells why", () => {
    using lab = new ModelLab("");
    placeSignIn(lab.home.root, "xai_oauth", { more: { tokens: {} } }, NOW);
    const reason = "its entry in auth.json has no access token";
    expect(one(lab, XAI)).toEqual({ provider: XAI, state: "unusable", reason });
  });
});

test("COD-3/provider-named: each provider by its words, in any case; another is a usage error with all of them", async () => {
  const named = ["codex", "openai_codex", "Anthropic", "XAI"].map((word) => modelProviderNamed(word).id);
  expect(named).toEqual(["openai_codex", "openai_codex", "anthropic", "xai"]);
  const known = ["codex", "anthropic", "xai"];
  await expectRefusal(() => modelProviderNamed("openai"), "model_provider_unknown", { word: "openai", known });
});
