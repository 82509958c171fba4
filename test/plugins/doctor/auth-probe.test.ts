/** Tests of plugins/doctor/auth-probe.ts: what `doctor --full` says of sign-ins with model providers. */
import { expect, test } from "bun:test";
import { probeModels } from "../../../src/plugins/doctor/auth-probe.ts";
import { configOf } from "../../auth/secrets-lab.ts";
import { answering, GRANTED, SignInLab } from "../../auth/sign-in-lab.ts";
import { placeSignIn, type SignInGiven, signInOnDisk } from "../../lab/auth-file.ts";
import { PluginLab } from "../lab.ts";

const MODELS = "https://api.x.ai/v1/models";
const XAI_TOKENS = "https://auth.x.ai/oauth2/token";
const XAI: SignInGiven = { accessToken: "access-1", refreshToken: "refresh-1", more: { auth_mode: "oauth_pkce" } };

/** The rows for a home with these sign-ins, and nothing else that is reached over the network. */
async function probed(given: SignInLab) {
  using plugins = new PluginLab();
  const { app } = plugins;
  return await probeModels(
    { ...app, home: given.home, ports: { ...app.ports, ...given.deps.ports } },
    await configOf(),
  );
}

test("nobody signed in, or an auth.json that nobody may read, has no row", async () => {
  using given = new SignInLab("");
  expect(await probed(given)).toEqual([]);
});

test("COD-3/xai-403-doctor: xAI's 403 is the plan's, its 200 is fine, and anything else is not known", async () => {
  for (const [status, level, detail] of [
    [200, "ok", "it gives a token, and xAI's API takes it"],
    [403, "fail", "xAI answered 403: this Grok plan has no API access. The sign-in itself is not stale."],
    [500, "warn", "it gives a token; whether xAI's API takes it could not be told"],
  ] as const) {
    using given = new SignInLab("");
    placeSignIn(given.root, "xai_oauth", XAI, given.clock.now());
    given.providerAt(MODELS, answering({}, status));
    expect(await probed(given)).toMatchObject([{ name: "sign-in xai", level, detail }]);
    expect(given.http.sent[0]?.headers["authorization"]).toBe("Bearer access-1");
  }
});

test("a token that has ended is refreshed on the way, one whose grant has ended must be made anew", async () => {
  using given = new SignInLab("");
  placeSignIn(given.root, "xai_oauth", { ...XAI, endsInSeconds: -7200 }, given.clock.now());
  given.providerAt(XAI_TOKENS, answering(GRANTED), answering({ error: "invalid_grant" }, 400));
  given.providerAt(MODELS, answering({}));
  expect(await probed(given)).toMatchObject([{ name: "sign-in xai", level: "ok" }]);
  expect(signInOnDisk(given.root, "xai_oauth")).toMatchObject({ tokens: { access_token: "access-2" } });
  placeSignIn(given.root, "xai_oauth", { ...XAI, refreshToken: "gone", endsInSeconds: -7200 }, given.clock.now());
  expect(await probed(given)).toEqual([
    {
      name: "sign-in xai",
      level: "fail",
      detail: "it has ended and must be made anew",
      fix: "`fermix auth login --provider xai`",
    },
  ]);
});

test("COD-3/xai-403-doctor: a 403 for the refresh itself is the plan's too", async () => {
  using given = new SignInLab("");
  placeSignIn(given.root, "xai_oauth", { ...XAI, endsInSeconds: -1 }, given.clock.now());
  given.providerAt(XAI_TOKENS, answering({ code: "permission-denied" }, 403));
  expect((await probed(given))[0]?.detail).toContain("this Grok plan has no API access");
});

test("a provider that cannot be asked is told with its reason", async () => {
  using given = new SignInLab("");
  const more = { auth_mode: "chatgpt" };
  placeSignIn(given.root, "openai_codex", { refreshToken: "refresh-1", endsInSeconds: -1, more }, given.clock.now());
  given.providerAt("https://auth.openai.com/oauth/token", answering({ error: "server_error" }, 400));
  const [row] = await probed(given);
  expect(row).toMatchObject({ name: "sign-in openai_codex", level: "fail" });
  expect(row?.detail).toContain("it could not be refreshed: ");
  expect(row?.fix).toContain("`fermix auth login --provider codex`");
});

test("a Codex sign-in that is good is not asked about", async () => {
  using given = new SignInLab("");
  placeSignIn(given.root, "openai_codex", { more: { auth_mode: "chatgpt" } }, given.clock.now());
  expect(await probed(given)).toMatchObject([
    { name: "sign-in openai_codex", level: "ok", detail: "it gives a token" },
  ]);
  expect(given.http.sent).toEqual([]);
});
