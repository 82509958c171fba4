/** Tests of plugins/doctor/provider-health.ts: an xAI sign-in that its API takes, one whose plan has no API, and no answer. */
import { expect, test } from "bun:test";
import { readConfig } from "../../../src/config/read.ts";
import { xaiHealth } from "../../../src/plugins/doctor/provider-health.ts";
import { FakeDns } from "../../fakes/dns.ts";
import { FakeHttp, reply } from "../../fakes/http.ts";
import { ManualClock } from "../../fakes/manual-clock.ts";
import { PluginLab, write } from "../lab.ts";

const MODELS = "https://api.x.ai/v1/models";

async function rows(lab: PluginLab, status: number) {
  const http = new FakeHttp().on(MODELS, () => reply(status, "{}"));
  const dns = new FakeDns().answer("api.x.ai", ["93.184.216.34"]);
  const app = { ...lab.app, ports: { ...lab.app.ports, http, dns, clock: new ManualClock() } };
  const found = await xaiHealth(app, await readConfig(lab.home));
  expect(JSON.stringify(found)).not.toContain("canary");
  return { found, sent: http.sent.map(({ headers }) => headers["authorization"]) };
}

function signIn(lab: PluginLab): void {
  const entry = { auth_mode: "oauth_pkce", tokens: { access_token: "canary" } };
  write(lab.home.authFile, JSON.stringify({ version: 2, providers: { xai_oauth: entry } }));
}

test("COD-3: a plan without API access fails as that, another answer warns, and a good one is fine", async () => {
  using lab = new PluginLab();
  lab.config("[fermix_core.providers.xai]", 'auth_mode = "oauth"');
  signIn(lab);
  expect(await rows(lab, 200)).toEqual({
    found: [{ name: "provider xai plan", level: "ok", detail: "its API takes the sign-in", fix: "" }],
    sent: ["Bearer canary"],
  });
  const forbidden = (await rows(lab, 403)).found[0];
  expect(forbidden?.level).toBe("fail");
  expect(forbidden?.detail).toContain("plan");
  expect(forbidden?.fix).toContain("XAI_API_KEY");
  expect((await rows(lab, 401)).found[0]).toMatchObject({ level: "warn", detail: "its API gave no clear answer" });
});

test("nobody is asked where xAI is used with a key, nobody is signed in, or the file can't be read", async () => {
  using lab = new PluginLab();
  signIn(lab);
  expect(await rows(lab, 200)).toEqual({ found: [], sent: [] });
  lab.config("[fermix_core.providers.xai]", 'auth_mode = "oauth"');
  write(lab.home.authFile, "{");
  expect(await rows(lab, 200)).toEqual({ found: [], sent: [] });
  write(lab.home.authFile, JSON.stringify({ version: 2, providers: {} }));
  expect(await rows(lab, 200)).toEqual({ found: [], sent: [] });
});
