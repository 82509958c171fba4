/** Tests of auth/model-keys.ts: whose key transcription and realtime voice run on. */
import { describe, expect, test } from "bun:test";
import { resolveProviderKey, resolveRealtime, resolveTranscription } from "../../src/auth/model-keys.ts";
import { configOf, secretsLab } from "./secrets-lab.ts";

const OAUTH = ["[fermix_core.providers.xai]", 'auth_mode = "oauth"'];
const backend = (name: string, ...lines: readonly string[]) =>
  configOf("[fermix_core.transcription]", `backend = "${name}"`, ...lines);
const own = (key: string) => ({ source: { kind: "config", key: `fermix_core.transcription.${key}` } });

describe("transcription", () => {
  test("without a backend it is off; one nobody knows is named", async () => {
    const { deps } = secretsLab({ OPENAI_API_KEY: "sk" });
    expect(await resolveTranscription(deps, await configOf())).toEqual({ state: "off" });
    expect(await resolveTranscription(deps, await backend(" "))).toEqual({ state: "off" });
    const unknown = { state: "unknown_backend", backend: "whisper" };
    expect(await resolveTranscription(deps, await backend("whisper"))).toEqual(unknown as never);
  });

  test("KEY-2/overrides: its own key goes before the chat provider's, even before the variable", async () => {
    const { deps } = secretsLab({ OPENAI_API_KEY: "sk-chat", XAI_API_KEY: "xai-chat" });
    for (const name of ["openai", "xai"]) {
      const config = await backend(name, `${name}_api_key = "own"`);
      expect(await resolveTranscription(deps, config)).toMatchObject({
        state: "on",
        backend: name,
        reuses: undefined,
        secret: own(`${name}_api_key`),
      } as never);
    }
  });

  test("KEY-2/falls-through: without one, the chat provider's key in all its ways", async () => {
    const { deps } = secretsLab({ OPENAI_API_KEY: "sk-chat" });
    expect(await resolveTranscription(deps, await backend("openai"))).toMatchObject({
      reuses: "openai",
      secret: { source: { kind: "environment", variable: "OPENAI_API_KEY" } },
    });
    const lab = secretsLab();
    lab.keychain.item("fermix", "XAI_API_KEY", "kept");
    const kept = await backend("xai", "[fermix_core.providers.xai]", 'api_key = "@keyring"');
    expect(await resolveTranscription(lab.deps, kept)).toMatchObject({
      reuses: "xai",
      secret: { source: { kind: "keychain", item: "XAI_API_KEY" } },
    });
  });

  test("an own key that cannot be had is told of, not replaced by another account's", async () => {
    const { deps, keychain } = secretsLab({ OPENAI_API_KEY: "sk-chat" });
    keychain.item("fermix", "TRANSCRIPTION_OPENAI_API_KEY");
    const config = await backend("openai", 'openai_api_key = "@keyring"');
    expect(await resolveTranscription(deps, config)).toMatchObject({
      reuses: undefined,
      secret: { state: "dangling", item: "TRANSCRIPTION_OPENAI_API_KEY" },
    });
  });

  test("KEY-2/deepgram-own: Deepgram has nobody's key to reuse", async () => {
    const { deps } = secretsLab({ OPENAI_API_KEY: "a", XAI_API_KEY: "b", DEEPGRAM_API_KEY: "stray" });
    const missing = { state: "on", backend: "deepgram", reuses: undefined, secret: { state: "missing" } };
    expect(await resolveTranscription(deps, await backend("deepgram"))).toEqual(missing as never);
    const set = await backend("deepgram", 'deepgram_api_key = "dg"');
    expect(await resolveTranscription(deps, set)).toMatchObject({ secret: own("deepgram_api_key") } as never);
  });

  test("KEY-2/xai-never-oauth: a Grok sign-in does not stand in for the key", async () => {
    const { deps } = secretsLab();
    const signedIn = await backend("xai", ...OAUTH);
    expect(await resolveTranscription(deps, signedIn)).toMatchObject({ reuses: "xai", secret: { state: "missing" } });
    const withKey = await backend("xai", ...OAUTH, 'api_key = "xai-key"');
    expect(await resolveTranscription(deps, withKey)).toMatchObject({ secret: { state: "found" } });
  });
});

describe("realtime voice", () => {
  test("KEY-3/own-overrides: its own key goes before the provider's", async () => {
    const { deps, keychain } = secretsLab({ OPENAI_API_KEY: "sk-chat" });
    keychain.item("fermix", "REALTIME_OPENAI_API_KEY", "sk-voice");
    const config = await configOf("[fermix_core.realtime]", 'openai_api_key = "@keyring"');
    expect(await resolveRealtime(deps, config)).toMatchObject({
      reuses: undefined,
      secret: { source: { kind: "keychain", item: "REALTIME_OPENAI_API_KEY" } },
    });
  });

  test("KEY-3/api-key-even-with-codex: an openai_codex sign-in changes nothing: the API key is wanted", async () => {
    const codex = await configOf("[fermix_core.agent]", 'provider = "openai_codex"');
    const none = secretsLab();
    expect(await resolveRealtime(none.deps, codex)).toEqual({ reuses: "openai", secret: { state: "missing" } });
    const { deps } = secretsLab({ OPENAI_API_KEY: "sk-chat" });
    expect(await resolveRealtime(deps, codex)).toMatchObject({ reuses: "openai", secret: { state: "found" } });
  });
});

test("a provider's API key is found whatever its auth_mode", async () => {
  const { deps } = secretsLab({ XAI_API_KEY: "xai-key" });
  expect(await resolveProviderKey(deps, await configOf(...OAUTH), "xai")).toMatchObject({ state: "found" });
});
