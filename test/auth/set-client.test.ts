/** Tests of auth/set-client.ts: the secret in the keychain, the id in config.toml, and the address to register. */
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { readClient } from "../../src/auth/oauth-client.ts";
import { setClient } from "../../src/auth/set-client.ts";
import { readConfig } from "../../src/config/read.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { PluginLab } from "../plugins/lab.ts";

const SECRET = "a client's secret";

let lab: PluginLab;
beforeEach(() => {
  lab = new PluginLab();
});
afterEach(() => lab[Symbol.dispose]());

const config = () => readFileSync(lab.home.configFile, "utf8");
const set = (provider: string, more: { id?: string; secret?: string } = {}) =>
  setClient(lab.app, { provider, id: more.id ?? "an-id", readSecret: async () => more.secret ?? SECRET });

test("KCH-7/keychain AUTH-11/stored the secret is in the keychain, and what is stored is what a refresh reads", async () => {
  lab.config("[fermix_core]", 'profile = "work"');
  lab.keychain.item("fermix:work", "GITHUB_OAUTH_CLIENT_SECRET");
  expect((await set("github")).outcome).toBe("stored");
  expect(lab.keychain.stored()).toEqual({ "fermix:work/GITHUB_OAUTH_CLIENT_SECRET": SECRET });
  expect(config()).toBe(
    '[fermix_core]\nprofile = "work"\n\n[fermix_core.oauth.github]\nclient_id = "an-id"\nclient_secret = "@keyring"\n',
  );
  expect(await readClient(lab.app.ports, await readConfig(lab.home), "github")).toEqual({
    id: "an-id",
    secret: SECRET,
  });
  expect((await set("github", { id: "another" })).outcome).toBe("unchanged");
  expect(config()).toContain('client_id = "another"');
});

test("AUTH-11/redirect-uri the address to register is the one that a sign-in uses, also when config.toml moves it", async () => {
  const uris: Record<string, readonly string[]> = {};
  for (const provider of ["google", "github", "notion", "x"]) {
    lab.keychain.item("fermix", `${provider.toUpperCase()}_OAUTH_CLIENT_SECRET`);
    uris[provider] = (await set(provider)).redirectUris;
  }
  expect(uris["google"]?.slice(0, 2)).toEqual([
    "http://127.0.0.1:1455/auth/callback",
    "http://127.0.0.1:1470/auth/callback",
  ]);
  expect(uris["github"]?.[0]).toBe("http://127.0.0.1:1457/auth/callback");
  expect(uris["notion"]).toEqual(["http://localhost:1458/auth/callback"]);
  expect(uris["x"]).toEqual(["http://127.0.0.1:1459/auth/callback"]);
  lab.config("[fermix_core.oauth.x]", 'redirect_host = "localhost"', "redirect_port = 4000");
  expect((await set("x")).redirectUris).toEqual(["http://localhost:4000/auth/callback"]);
});

describe("what is no client is refused before a secret is asked for", () => {
  const ask = (provider: string, id: string) =>
    setClient(lab.app, { provider, id, readSecret: () => Promise.reject(new Error("unexpected question")) });

  test("a provider that has none, or that Fermix does not know", async () => {
    const known = { known: ["google", "github", "notion", "x"] };
    for (const provider of ["openai_codex", "xai_oauth", "tesla", "__proto__"]) {
      await expectRefusal(() => ask(provider, "id"), "client_provider_unknown", known);
    }
  });

  test("an id that is none, at the limit and one past it", async () => {
    for (const id of ["", "  ", "two words", "a\nb", "\u00e9", "i".repeat(513)]) {
      await expectRefusal(() => ask("x", id), "client_id_unusable", { provider: "x" });
    }
    lab.keychain.item("fermix", "X_OAUTH_CLIENT_SECRET");
    expect((await set("x", { id: "i".repeat(512) })).id).toHaveLength(512);
  });
});

test("KCH-2/client without a keychain a new secret is refused, and one in clear stays with the new id beside it", async () => {
  lab.config("[fermix_core.oauth.x]", `client_secret = "${SECRET}" # mine`);
  lab.keychain.item("fermix", "X_OAUTH_CLIENT_SECRET").trouble = { state: "unavailable", reason: "no bus" };
  const before = snapshotTree(lab.home.root);
  await expectRefusal(() => set("x", { secret: "another" }), "keychain_unavailable");
  expect(snapshotTree(lab.home.root)).toEqual(before);
  expect((await set("x")).outcome).toBe("left_in_clear");
  expect(config()).toBe(`[fermix_core.oauth.x]\nclient_secret = "${SECRET}" # mine\nclient_id = "an-id"\n`);
});

test("KCH-2/client a keychain that is locked or never answers takes no secret, and config.toml stays as it was", async () => {
  lab.config("[fermix_core.oauth.x]", 'client_id = "old-id"');
  const before = snapshotTree(lab.home.root);
  for (const [trouble, code] of [
    [{ state: "locked" }, "keychain_locked"],
    [{ state: "timed_out", afterMs: 3_000 }, "keychain_timed_out"],
  ] as const) {
    lab.keychain.item("fermix", "X_OAUTH_CLIENT_SECRET").trouble = trouble;
    await expectRefusal(() => set("x", { secret: "another" }), code);
    expect(snapshotTree(lab.home.root)).toEqual(before);
  }
});
