/** Sign-ins of served plugins are refreshed five minutes before they end: once, by whoever is first, and never after a sign-out. */
import { describe, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { profileLockPath, withProfileLock } from "../../src/auth/auth-file-lock.ts";
import { type Host, openHost } from "../../src/host/host.ts";
import { keepFresh } from "../../src/host/keep-fresh.ts";
import type { HttpReply } from "../../src/kernel/ports.ts";
import { answering, GRANTED } from "../auth/sign-in-lab.ts";
import { FakeDns } from "../fakes/dns.ts";
import { FakeHttp } from "../fakes/http.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { FakeSession } from "../fakes/rail-session.ts";
import { placeSignIn, removeSignIn, type SignInGiven, signInOnDisk } from "../lab/auth-file.ts";
import { until } from "../lab/until.ts";
import { oauthManifest, PluginLab } from "../plugins/lab.ts";

const MINUTE_MS = 60_000;
const PROFILE = "album:primary";
const TOKENS_AT = "https://oauth2.googleapis.com/token";

class FreshLab implements AsyncDisposable {
  readonly plugins = new PluginLab();
  readonly clock = new ManualClock();
  readonly http = new FakeHttp();
  asked = 0;
  answer: () => HttpReply | Promise<HttpReply> = () => answering(GRANTED)({} as never);
  host: Host | undefined;
  #stop: (() => Promise<void>) | undefined;

  constructor() {
    this.plugins.installed(oauthManifest("album", "google"));
    this.enable(["album"]);
    this.http.on(TOKENS_AT, async () => {
      this.asked += 1;
      return await this.answer();
    });
  }

  enable(plugins: readonly string[]): void {
    this.plugins.enable(plugins, '[fermix_core.oauth.google]\nclient_id = "c"\nclient_secret = "s"');
  }

  signIn(given: SignInGiven = {}): this {
    const tokens = { accessToken: "access-1", refreshToken: "refresh-1" };
    placeSignIn(this.root, PROFILE, { ...tokens, ...given }, this.clock.now());
    return this;
  }

  get root(): string {
    return this.plugins.home.root;
  }

  get tokens(): unknown {
    return signInOnDisk(this.root, PROFILE)?.["tokens"];
  }

  async start(): Promise<this> {
    const { app } = this.plugins;
    const dns = new FakeDns().answer(new URL(TOKENS_AT).hostname, ["93.184.216.34"]);
    const ports = { ...app.ports, clock: this.clock, dns, http: this.http };
    const open = async (_: unknown, { name }: { name: string }) => new FakeSession(name as never);
    this.host = await openHost({ ...app, ports }, { open });
    this.#stop = keepFresh(this.host);
    await this.seen();
    return this;
  }

  /** Everything that a change sets off has been done. */
  async seen(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  }

  async changed(): Promise<void> {
    await this.host?.reconcile();
    await this.seen();
  }

  /** Moves time in steps no longer than the longest sleep. */
  async pass(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= 10 * MINUTE_MS) await this.clock.advance(Math.min(left, 10 * MINUTE_MS));
    await this.seen();
  }

  async refreshed(count: number): Promise<void> {
    await until("the provider was asked", () => this.asked === count);
    await until("what it gave is stored", () => JSON.stringify(this.tokens).includes("access-2"));
    // The file is flushed after it can be read. An hour of this clock passes faster than that.
    await until("the refresh ended", () => !existsSync(profileLockPath(this.plugins.home, PROFILE)));
  }

  async stop(): Promise<void> {
    await this.#stop?.();
    this.#stop = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await this.host?.close();
    this.plugins[Symbol.dispose]();
  }
}

describe("TOK-4/proactive: a token of a plugin that is served", () => {
  test("is refreshed five minutes before its end and not a moment earlier, and the new one again", async () => {
    await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
    await lab.pass(55 * MINUTE_MS - 1);
    expect(lab.asked).toBe(0);
    await lab.pass(1);
    await lab.refreshed(1);
    expect(lab.tokens).toEqual({ access_token: "access-2", refresh_token: "refresh-2" });
    await lab.changed();
    await lab.pass(55 * MINUTE_MS - 1);
    expect(lab.asked).toBe(1);
    await lab.pass(1);
    await until("the new one is refreshed too", () => lab.asked === 2);
  });

  test.each([
    ["that ends in five minutes is left to its use", { endsInSeconds: 300 }],
    ["that ended is left to its use", { endsInSeconds: -60 }],
    ["that never ends stays", { endsInSeconds: null }],
    ["without a refresh token stays", { endsInSeconds: 3600, refreshToken: null }],
    ["whose grant ended stays", { endsInSeconds: 3600, status: "reauthorization_required" }],
  ])("%s", async (_, given) => {
    await using lab = await new FreshLab().signIn(given).start();
    await lab.pass(120 * MINUTE_MS);
    expect({ asked: lab.asked, sleeping: lab.clock.sleeping }).toEqual({ asked: 0, sleeping: 0 });
  });

  test("with a second more than five minutes is refreshed", async () => {
    await using lab = await new FreshLab().signIn({ endsInSeconds: 301 }).start();
    await lab.pass(1000);
    await lab.refreshed(1);
  });

  test("is watched from the moment it is there, without a restart", async () => {
    await using lab = await new FreshLab().start();
    lab.signIn({ endsInSeconds: 3600 });
    await lab.changed();
    await lab.pass(55 * MINUTE_MS);
    await lab.refreshed(1);
  });

  test("that another process refreshed meanwhile is not spent again", async () => {
    await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
    // The change is on the disk, and nobody has looked yet.
    lab.signIn({ endsInSeconds: 7200, accessToken: "access-9", refreshToken: "refresh-9" });
    await lab.pass(55 * MINUTE_MS);
    expect(lab.asked).toBe(0);
    expect(lab.tokens).toEqual({ access_token: "access-9", refresh_token: "refresh-9" });
  });

  test("of a plugin that was switched off is left alone", async () => {
    await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
    lab.enable([]);
    await lab.changed();
    await lab.pass(60 * MINUTE_MS);
    expect({ asked: lab.asked, sleeping: lab.clock.sleeping }).toEqual({ asked: 0, sleeping: 0 });
  });

  test("is refreshed at once where the machine slept past the time, or its clock was set ahead", async () => {
    await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
    await lab.clock.advance(48 * 60 * MINUTE_MS);
    await lab.refreshed(1);
  });

  test("is not refreshed early where the clock was set back", async () => {
    await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
    await lab.clock.advance(-30 * MINUTE_MS);
    await lab.pass(84 * MINUTE_MS);
    expect(lab.asked).toBe(0);
    await lab.pass(MINUTE_MS);
    await lab.refreshed(1);
  });
});

describe("a refresh ahead of time that fails", () => {
  test("leaves the token, waits for its next use, and is in the log with its code alone", async () => {
    await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
    lab.answer = () => answering({ error: "server_error", error_description: "refresh-1 is fine" }, 500)({} as never);
    await lab.pass(55 * MINUTE_MS);
    await until("the failure is told", () => lab.plugins.log.lines.some(({ event }) => event === "refresh_failed"));
    expect(lab.plugins.log.lines).toEqual([
      { level: "warn", event: "refresh", profile: PROFILE, outcome: "unanswered" },
      { level: "warn", event: "refresh_failed", profile: PROFILE, code: "token_refresh_failed" },
    ]);
    await lab.changed();
    await lab.pass(30 * MINUTE_MS);
    expect(lab.asked).toBe(1);
    expect(lab.tokens).toEqual({ access_token: "access-1", refresh_token: "refresh-1" });
  });

  test("for good takes the plugin out, and nobody asks again", async () => {
    await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
    lab.answer = () => answering({ error: "invalid_grant" }, 400)({} as never);
    await lab.pass(55 * MINUTE_MS);
    await until("the entry says so", () => signInOnDisk(lab.root, PROFILE)?.["status"] === "reauthorization_required");
    await lab.changed();
    await lab.pass(60 * MINUTE_MS);
    expect(lab.asked).toBe(1);
  });
});

test("TOK-4/logged-out: a sign-out while the provider is asked, or before it, is not undone", async () => {
  await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
  const held = Promise.withResolvers<void>();
  lab.answer = async () => {
    await held.promise;
    return answering(GRANTED)({} as never);
  };
  await lab.pass(55 * MINUTE_MS);
  await until("the provider is asked", () => lab.asked === 1);
  removeSignIn(lab.root, PROFILE);
  held.resolve();
  await until("the refresh ended", () => lab.plugins.log.lines.some(({ event }) => event === "refresh_failed"));
  expect(lab.plugins.log.lines.at(-1)).toMatchObject({ code: "not_connected" });
  expect(signInOnDisk(lab.root, PROFILE)).toBeUndefined();
  await lab.changed();
  await lab.pass(60 * MINUTE_MS);
  expect(lab.asked).toBe(1);
});

test("stopping ends every timer, and waits for a refresh under way: a spent token's successor is stored", async () => {
  await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
  const held = Promise.withResolvers<void>();
  lab.answer = async () => {
    await held.promise;
    return answering(GRANTED)({} as never);
  };
  await lab.pass(55 * MINUTE_MS);
  await until("the provider is asked", () => lab.asked === 1);
  const stopping = lab.stop();
  held.resolve();
  await stopping;
  expect(lab.tokens).toEqual({ access_token: "access-2", refresh_token: "refresh-2" });

  await using other = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
  expect(other.clock.sleeping).toBe(1);
  await other.stop();
  expect(other.clock.sleeping).toBe(0);
});

test("whoever holds the profile's lock is waited for: the sign-in it made counts", async () => {
  await using lab = await new FreshLab().signIn({ endsInSeconds: 3600 }).start();
  const done = Promise.withResolvers<void>();
  const holding = Promise.withResolvers<void>();
  const other = withProfileLock({ clock: lab.clock }, lab.plugins.home, PROFILE, async () => {
    holding.resolve();
    await done.promise;
    lab.signIn({ endsInSeconds: 7200, accessToken: "access-9", refreshToken: "refresh-9" });
  });
  await holding.promise;
  await lab.pass(55 * MINUTE_MS);
  await until("it waits for the lock", () => lab.clock.slept.includes(100));
  done.resolve();
  await other;
  await lab.clock.advance(100);
  await lab.stop();
  expect(lab.asked).toBe(0);
});
