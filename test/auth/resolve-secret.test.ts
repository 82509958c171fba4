/** Tests of auth/resolve-secret.ts: who goes before whom, and what is wrong told without the value. */
import { describe, expect, test } from "bun:test";
import { inspect } from "node:util";
import { Credential } from "../../src/auth/credential.ts";
import { type ResolvedSecret, resolveId, resolveSecret } from "../../src/auth/resolve-secret.ts";
import { idPlaces, type SecretPlace, secretPlaceAt, secretPlaces } from "../../src/config/secret-places.ts";
import { configOf, secretsLab } from "./secrets-lab.ts";

function at(...path: readonly string[]): SecretPlace {
  const place = secretPlaceAt(...path);
  if (place === undefined) throw new Error(`no place ${path.join(".")}`);
  return place;
}

/** A found secret with its value, which only a test may see. */
function shown(resolved: ResolvedSecret): unknown {
  if (resolved.state !== "found") return resolved;
  const value = resolved.credential.headerValue("Bearer").slice("Bearer ".length);
  return { value, source: resolved.source };
}

const OPENAI = at("fermix_core", "providers", "openai", "api_key");
const TELEGRAM = at("fermix_channels", "telegram", "bot_token");
const SIGNING = at("fermix_channels", "slack", "signing_secret");
const IN_KEYCHAIN = ["[fermix_core.providers.openai]", 'api_key = "@keyring"'];

describe("the order", () => {
  test("KEY-1/environment-first: the variable goes before config.toml, and the keychain is not asked", async () => {
    const { deps, keychain } = secretsLab({ OPENAI_API_KEY: "sk-variable" });
    const source = { kind: "environment", variable: "OPENAI_API_KEY" };
    for (const lines of [[], IN_KEYCHAIN, ["[fermix_core.providers.openai]", 'api_key = "sk-file"']]) {
      const resolved = await resolveSecret(deps, await configOf(...lines), OPENAI);
      expect(shown(resolved)).toEqual({ value: "sk-variable", source });
    }
    expect(keychain.asked).toEqual([]);
  });

  test("KEY-1/then-config: without the variable, or with a blank one, config.toml's own value", async () => {
    const config = await configOf("[fermix_core.providers.openai]", 'api_key = "sk-file"');
    const source = { kind: "config", key: "fermix_core.providers.openai.api_key" };
    for (const variables of [{}, { OPENAI_API_KEY: "" }, { OPENAI_API_KEY: " \n" }]) {
      const { deps } = secretsLab(variables as Record<string, string>);
      expect(shown(await resolveSecret(deps, config, OPENAI))).toEqual({ value: "sk-file", source });
    }
  });

  test("KEY-1/keyring-means-keychain: the sentinel means the item, in the profile's own part", async () => {
    const { deps, keychain } = secretsLab();
    keychain.item("fermix", "OPENAI_API_KEY", "sk-kept").item("fermix:work", "OPENAI_API_KEY", "sk-work");
    const source = { kind: "keychain", item: "OPENAI_API_KEY" };
    const plain = await resolveSecret(deps, await configOf(...IN_KEYCHAIN), OPENAI);
    expect(shown(plain)).toEqual({ value: "sk-kept", source });
    const work = await configOf("[fermix_core]", 'profile = "work"', ...IN_KEYCHAIN);
    expect(shown(await resolveSecret(deps, work, OPENAI))).toEqual({ value: "sk-work", source });
  });

  test("KEY-1/each-provider: every provider's key is found in all three ways", async () => {
    for (const provider of ["openai", "anthropic", "xai", "mistral", "openrouter"]) {
      const place = at("fermix_core", "providers", provider, "api_key");
      const variable = `${provider.toUpperCase()}_API_KEY`;
      const header = `[fermix_core.providers.${provider}]`;
      const byVariable = secretsLab({ [variable]: "key" });
      expect(await resolveSecret(byVariable.deps, await configOf(), place)).toMatchObject({ state: "found" });
      const { deps, keychain } = secretsLab();
      keychain.item("fermix", variable, "key");
      expect(await resolveSecret(deps, await configOf(header, 'api_key = "key"'), place)).toMatchObject({
        source: { kind: "config" },
      });
      expect(await resolveSecret(deps, await configOf(header, 'api_key = "@keyring"'), place)).toMatchObject({
        source: { kind: "keychain" },
      });
    }
  });

  test("nobody gives one: missing, and the keychain is not asked", async () => {
    const { deps, keychain } = secretsLab();
    for (const place of secretPlaces) {
      expect(await resolveSecret(deps, await configOf(), place)).toEqual({ state: "missing" });
    }
    const blank = await configOf("[fermix_core.providers.openai]", 'api_key = "  "');
    expect(await resolveSecret(deps, blank, OPENAI)).toEqual({ state: "missing" });
    expect(keychain.asked).toEqual([]);
  });
});

describe("channels", () => {
  test("CHN-2/telegram-config-only: a stray variable neither overrides config.toml nor stands in for it", async () => {
    const { deps, keychain } = secretsLab({ TELEGRAM_BOT_TOKEN: "1:stray" });
    expect(await resolveSecret(deps, await configOf(), TELEGRAM)).toEqual({ state: "missing" });
    const inFile = await configOf("[fermix_channels.telegram]", 'bot_token = "1:own"');
    expect(shown(await resolveSecret(deps, inFile, TELEGRAM))).toMatchObject({ value: "1:own" });
    keychain.item("fermix", "TELEGRAM_BOT_TOKEN", "1:kept");
    const kept = await configOf("[fermix_channels.telegram]", 'bot_token = "@keyring"');
    expect(shown(await resolveSecret(deps, kept, TELEGRAM))).toMatchObject({ value: "1:kept" });
  });

  test("CHN-2/others-from-variables: WhatsApp, Discord, Slack and Signal may come from theirs", async () => {
    const config = await configOf();
    const places = secretPlaces.filter(({ path, variable }) => path[0] === "fermix_channels" && variable !== undefined);
    expect(new Set(places.map(({ path }) => path[1]))).toEqual(new Set(["whatsapp", "discord", "slack"]));
    for (const place of places) {
      const variable = place.variable ?? "";
      const { deps } = secretsLab({ [variable]: "given" });
      expect(shown(await resolveSecret(deps, config, place))).toEqual({
        value: "given",
        source: { kind: "environment", variable },
      });
    }
    for (const place of idPlaces) {
      const { deps } = secretsLab({ [place.variable]: " 42 " });
      const source = { kind: "environment", variable: place.variable } as const;
      expect(resolveId(deps.env, config, place)).toEqual({ value: "42", source });
    }
    expect(idPlaces.map(({ path }) => path[1])).toContain("signal");
  });

  test("an id stands in config.toml with and without quotes", async () => {
    const { deps } = secretsLab();
    const config = await configOf("[fermix_channels]", "discord.bot_user_id = 42", 'signal.account = "+1555"');
    const found = idPlaces.map((place) => resolveId(deps.env, config, place)?.value);
    expect(found).toEqual([undefined, "42", "+1555"]);
  });

  test("CHN-1/resolve-at-boot: the sentinel of every channel secret is resolved from its item", async () => {
    const { deps, keychain } = secretsLab();
    for (const place of secretPlaces.filter(({ path }) => path[0] === "fermix_channels")) {
      const [block, channel, key = ""] = place.path;
      keychain.item("fermix", place.item, `kept-${place.item}`);
      const config = await configOf(`[${block}.${channel}]`, `${key} = "@keyring"`);
      const source = { kind: "keychain", item: place.item };
      expect(shown(await resolveSecret(deps, config, place))).toEqual({ value: `kept-${place.item}`, source });
    }
  });
});

describe("what is wrong", () => {
  test("a sentinel without its item, or with an empty one, is told apart from no secret", async () => {
    const { deps, keychain } = secretsLab();
    const config = await configOf(...IN_KEYCHAIN);
    keychain.item("fermix", "OPENAI_API_KEY");
    expect(await resolveSecret(deps, config, OPENAI)).toEqual({ state: "dangling", item: "OPENAI_API_KEY" });
    keychain.item("fermix", "OPENAI_API_KEY", " \n");
    expect(await resolveSecret(deps, config, OPENAI)).toEqual({ state: "dangling", item: "OPENAI_API_KEY" });
  });

  test("a keychain that cannot be asked is an answer with the named failure", async () => {
    const { deps, keychain } = secretsLab();
    const config = await configOf(...IN_KEYCHAIN);
    for (const [trouble, code] of [
      [{ state: "locked" }, "keychain_locked"],
      [{ state: "unavailable", reason: "no bus" }, "keychain_unavailable"],
      [{ state: "timed_out", afterMs: 3000 }, "keychain_timed_out"],
    ] as const) {
      keychain.trouble = trouble;
      expect(await resolveSecret(deps, config, OPENAI)).toMatchObject({ state: "unreadable", error: { code } });
    }
  });

  test("one line end is dropped; a break inside is refused where the value is sent, kept where it signs", async () => {
    const { deps } = secretsLab({ OPENAI_API_KEY: "sk-a\r\n", SLACK_SIGNING_SECRET: "a\nb\n" });
    const config = await configOf();
    expect(shown(await resolveSecret(deps, config, OPENAI))).toMatchObject({ value: "sk-a" });
    expect(shown(await resolveSecret(deps, config, SIGNING))).toMatchObject({ value: "a\nb" });
    const broken = secretsLab({ OPENAI_API_KEY: "sk-a\nb" });
    expect(await resolveSecret(broken.deps, config, OPENAI)).toEqual({
      state: "unusable",
      source: { kind: "environment", variable: "OPENAI_API_KEY" },
      reason: "it holds a line break",
    });
  });

  test("CASE-13: a placeholder and another store's sentinel are no values", async () => {
    const { deps } = secretsLab({ OPENAI_API_KEY: ["$", "{OPENAI}"].join("") });
    const reason = "it still holds a placeholder";
    expect(await resolveSecret(deps, await configOf(), OPENAI)).toMatchObject({ state: "unusable", reason });
    const { deps: kept, keychain } = secretsLab();
    keychain.item("fermix", "OPENAI_API_KEY", "@keyring");
    const referring = await configOf("[fermix_core.providers.openai]", 'api_key = "@keyring"');
    expect(await resolveSecret(kept, referring, OPENAI)).toMatchObject({
      state: "unusable",
      reason: "it is only the word by which config.toml refers to the keychain",
    });
    const { deps: none } = secretsLab();
    const elsewhere = await configOf("[fermix_core.providers.openai]", 'api_key = "@file"');
    expect(await resolveSecret(none, elsewhere, OPENAI)).toMatchObject({
      state: "unusable",
      reason: "it names a file store, which Fermix does not have",
    });
  });

  test("an answer shows its value to nobody", async () => {
    const { deps } = secretsLab({ OPENAI_API_KEY: "sk-canary" });
    const resolved = await resolveSecret(deps, await configOf(), OPENAI);
    expect(resolved.state === "found" && resolved.credential.equals(new Credential("sk-canary"))).toBe(true);
    expect(`${JSON.stringify(resolved)} ${inspect(resolved, { depth: 9 })}`).not.toContain("canary");
  });
});
