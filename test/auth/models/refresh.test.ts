/** Model providers' sign-ins are refreshed as plugins' are: by their public client, and for nobody who is a plugin. */
import { expect, test } from "bun:test";
import { publicClient, refreshedModels } from "../../../src/auth/models/model-providers.ts";
import { refreshSignIn } from "../../../src/auth/refresh-sign-in.ts";
import type { TokenPlugin } from "../../../src/auth/signed-in.ts";
import { expectRefusal } from "../../expect.ts";
import { signInOnDisk } from "../../lab/auth-file.ts";
import { configOf } from "../secrets-lab.ts";
import { answering, GRANTED, SignInLab } from "../sign-in-lab.ts";

const ENDPOINTS: Readonly<Record<string, string>> = {
  openai_codex: "https://auth.openai.com/oauth/token",
  xai_oauth: "https://auth.x.ai/oauth2/token",
};
const MODES: Readonly<Record<string, string>> = { openai_codex: "chatgpt", xai_oauth: "oauth_pkce" };

function lab(model: TokenPlugin, config?: string): SignInLab {
  const made = new SignInLab(config ?? "");
  made.plugin = model;
  const more = { auth_mode: MODES[model.profile], provider: model.profile };
  return made.signedIn({ endsInSeconds: -1, more });
}

test.each([...refreshedModels])(
  "TOK-4/model-providers: $profile is refreshed by its public client, without a secret",
  async (model) => {
    using given = lab(model);
    given.providerAt(ENDPOINTS[model.profile] ?? "", answering(GRANTED));
    await refreshSignIn(given.deps, model, "access-1");
    const body = new URLSearchParams(String(given.http.sent[0]?.body));
    expect(Object.fromEntries(body)).toEqual({
      grant_type: "refresh_token",
      refresh_token: "refresh-1",
      client_id: publicClient(await configOf(), model.auth.provider)?.id ?? "",
    });
    expect(given.http.sent[0]?.headers["authorization"]).toBeUndefined();
    expect(signInOnDisk(given.root, model.profile)).toMatchObject({
      auth_mode: MODES[model.profile],
      tokens: { access_token: "access-2", refresh_token: "refresh-2" },
      status: "ready",
    });
  },
);

test("config.toml may name another public client (DECISIONS 28)", async () => {
  const config = await configOf("[fermix_core.oauth.xai_oauth]", 'client_id = " mine "');
  expect(publicClient(config, "xai_oauth")).toEqual({ id: "mine", secret: undefined });
  expect(publicClient(config, "openai_codex")?.id).toBe("app_EMoamEEZ73f0CkXaXp7hrann");
  expect(publicClient(config, "google")).toBeUndefined();
});

test("COD-1/own-grant: a plugin's sign-in is no provider's, and a provider's is no plugin's", async () => {
  const [codex] = refreshedModels;
  if (codex === undefined) throw new Error("no model provider");
  using plugins = new SignInLab("");
  plugins.plugin = codex;
  plugins.signedIn({ more: { auth_mode: "oauth2" } });
  await expectRefusal(refreshSignIn(plugins.deps, codex, "access-1"), "sign_in_unusable");
  using models = lab(codex);
  const thief: TokenPlugin = { name: "thief", profile: codex.profile, auth: codex.auth };
  await expectRefusal(refreshSignIn(models.deps, thief, "access-1"), "sign_in_unusable");
  expect(models.http.sent).toEqual([]);
});
