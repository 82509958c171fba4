/** While an agent is served, sign-ins with model providers are kept fresh too, though no plugin uses them. */
import { expect, test } from "bun:test";
import { openHost } from "../../src/host/host.ts";
import { keepFresh } from "../../src/host/keep-fresh.ts";
import { answering, GRANTED } from "../auth/sign-in-lab.ts";
import { FakeDns } from "../fakes/dns.ts";
import { FakeHttp } from "../fakes/http.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { placeSignIn, signInOnDisk } from "../lab/auth-file.ts";
import { until } from "../lab/until.ts";
import { PluginLab } from "../plugins/lab.ts";

const CODEX_TOKENS = "https://auth.openai.com/oauth/token";
const GIVEN = { accessToken: "access-1", refreshToken: "refresh-1", more: { auth_mode: "chatgpt" } };

test.each([
  [3600, 55 * 60_000],
  [299, 0],
  [-7200, 0],
])("TOK-4/model-providers: one that ends in %p s is refreshed after %p ms", async (endsInSeconds, waits) => {
  using plugins = new PluginLab();
  const clock = new ManualClock();
  const dns = new FakeDns().answer("auth.openai.com", ["93.184.216.34"]);
  const http = new FakeHttp().on(CODEX_TOKENS, answering(GRANTED));
  const root = plugins.home.root;
  placeSignIn(root, "openai_codex", { ...GIVEN, endsInSeconds }, clock.now());
  const ports = { ...plugins.app.ports, clock, dns, http };
  const host = await openHost({ ...plugins.app, ports }, {});
  const stop = keepFresh(host);
  await until("it is watched or asked", () => clock.sleeping > 0 || http.sent.length > 0);
  for (let passed = 0; passed < waits; passed += 10 * 60_000) {
    expect(http.sent).toEqual([]);
    await clock.advance(Math.min(10 * 60_000, waits - passed));
  }
  const stored = () => JSON.stringify(signInOnDisk(root, "openai_codex")?.["tokens"]).includes("access-2");
  await until("the new token is stored", stored);
  expect(http.sent.length).toBe(1);
  await stop();
  await host.close();
});

test("TOK-4/model-providers: one whose tokens live for a minute is asked once, and not again for each of them", async () => {
  using plugins = new PluginLab();
  const clock = new ManualClock();
  const dns = new FakeDns().answer("auth.openai.com", ["93.184.216.34"]);
  const http = new FakeHttp().on(CODEX_TOKENS, answering({ ...GRANTED, expires_in: 60 }));
  const root = plugins.home.root;
  placeSignIn(root, "openai_codex", { ...GIVEN, endsInSeconds: -60 }, clock.now());
  const host = await openHost({ ...plugins.app, ports: { ...plugins.app.ports, clock, dns, http } }, {});
  const stop = keepFresh(host);
  const stored = () => JSON.stringify(signInOnDisk(root, "openai_codex")?.["tokens"]).includes("access-2");
  await until("the new token is stored", stored);
  await host.reconcile();
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await stop();
  expect({ asked: http.sent.length, sleeping: clock.sleeping }).toEqual({ asked: 1, sleeping: 0 });
  await host.close();
});
