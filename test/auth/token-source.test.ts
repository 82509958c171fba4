/** Tests of auth/token-source.ts: which token a call sends, when it is refreshed, and what each failure is called. */
import { describe, expect, test } from "bun:test";
import { chmodSync } from "node:fs";
import { changeEntry } from "../../src/auth/change-entry.ts";
import { Credential } from "../../src/auth/credential.ts";
import { HttpFailure } from "../../src/kernel/http-failure.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { reply } from "../fakes/http.ts";
import { answering, CLIENT, GRANTED, pluginOf, SignInLab } from "./sign-in-lab.ts";

const ENDING = { endsInSeconds: 10 };

describe("a token that is still good", () => {
  test("is sent as it is, with the scopes and the region on record", async () => {
    using lab = new SignInLab().signedIn({ grantedScopes: ["mail"], region: "eu", endsInSeconds: 11 });
    const { credential, ...rest } = await lab.source().current();
    expect(credential.headerValue("Bearer")).toBe("Bearer access-1");
    expect(rest).toEqual({ grantedScopes: ["mail"], region: "eu" });
    expect(lab.http.sent).toEqual([]);
  });

  test("one without an end never needs a refresh, and an empty list of scopes means that they are unknown", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: null, refreshToken: null, grantedScopes: [] });
    lab.clock.advance(10 * 365 * 86_400_000);
    const { credential, grantedScopes } = await lab.source().current();
    expect([credential.headerValue("Bearer"), grantedScopes]).toEqual(["Bearer access-1", undefined]);
  });

  test("what another process stored counts at the next call, and a sign-out too", async () => {
    using lab = new SignInLab().signedIn();
    expect(await lab.token()).toBe("Bearer access-1");
    lab.signedIn({ accessToken: "access-9" });
    expect(await lab.token()).toBe("Bearer access-9");
    await changeEntry(lab.deps.ports, lab.home, lab.plugin.profile, () => "remove");
    await expectRefusal(lab.token(), "not_connected", { plugin: "gmail" });
  });
});

describe("AUTH-6/not-connected", () => {
  test("no file, and no entry, give the exact sentence and the exact command", async () => {
    using lab = new SignInLab();
    const refusals = [lab.token()];
    lab.plugin = pluginOf("google", "drive");
    lab.signedIn();
    lab.plugin = pluginOf();
    refusals.push(lab.token());
    for (const refused of refusals) {
      const error = await refused.catch((cause: Error) => cause);
      expect(error).toMatchObject({
        code: "not_connected",
        message: "gmail is enabled but not connected. Run `fermix plugins auth login gmail`.",
        fix: "`fermix plugins auth login gmail`",
        exit: "needs_connecting",
      });
    }
  });
});

describe("AUTH-6/oauth", () => {
  test("a sign-in that the provider ended gives the exact sentence and the exact command, without asking", async () => {
    for (const status of ["reauthorization_required", "invalidated"]) {
      using lab = new SignInLab().signedIn({ status });
      const error = await lab.token().catch((cause: Error) => cause);
      expect(error).toMatchObject({
        code: "reauthorization_required",
        message: "gmail needs reconnection. Run `fermix plugins auth reauthorize gmail`.",
        fix: "`fermix plugins auth reauthorize gmail`",
        exit: "needs_connecting",
      });
    }
  });

  test("a refresh token that is refused marks the sign-in, and the provider is not asked again", async () => {
    using lab = new SignInLab().signedIn(ENDING).provider(answering({ error: "invalid_grant" }, 400));
    await expectRefusal(lab.token(), "reauthorization_required", { plugin: "gmail" });
    await expectRefusal(lab.token(), "reauthorization_required", { plugin: "gmail" });
    expect(lab.http.sent).toHaveLength(1);
    expect(lab.entry).toMatchObject({ status: "reauthorization_required", tokens: { refresh_token: "refresh-1" } });
    expect(lab.debris).toEqual([]);
  });

  test("a token that has ended without a refresh token needs a new sign-in", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: 0, refreshToken: null });
    await expectRefusal(lab.token(), "reauthorization_required", { plugin: "gmail" });
    expect(lab.entry).toMatchObject({ status: "ready" });
  });
});

describe("CASE-40: a refresh on use", () => {
  test("at ten seconds the token is refreshed, stored whole, and then sent", async () => {
    using lab = new SignInLab()
      .signedIn({ ...ENDING, provider: "google", more: { note: [1.5] } })
      .provider(answering(GRANTED));
    const before = lab.entry;
    expect(await lab.token()).toBe("Bearer access-2");
    expect(lab.entry).toEqual({
      ...before,
      tokens: { access_token: "access-2", refresh_token: "refresh-2" },
      expires_at: new Date(lab.clock.now() + 3_600_000).toISOString(),
      last_refresh: new Date(lab.clock.now()).toISOString(),
      status: "ready",
    });
    expect(await lab.token()).toBe("Bearer access-2");
    expect(lab.http.sent).toHaveLength(1);
    expect(lab.debris).toEqual([]);
  });

  test("an answer without a new refresh token keeps the old one; without a life, the token has no end; scopes are taken", async () => {
    using lab = new SignInLab()
      .signedIn({ ...ENDING, grantedScopes: ["old"] })
      .provider(answering({ access_token: "access-2", token_type: "bearer", scope: "mail  send" }));
    const { grantedScopes } = await lab.source().current();
    expect(grantedScopes).toEqual(["mail", "send"]);
    expect(lab.entry).toMatchObject({
      tokens: { access_token: "access-2", refresh_token: "refresh-1" },
      expires_at: null,
      granted_scopes: ["mail", "send"],
    });
  });

  test("many calls at once make one request, and a life of seconds makes no circle", async () => {
    using lab = new SignInLab().signedIn(ENDING).provider(answering({ ...GRANTED, expires_in: 3 }));
    const sources = [lab.source(), lab.source()];
    const tokens = await Promise.all(Array.from({ length: 20 }, (_, at) => sources[at % 2]?.current()));
    expect(new Set(tokens.map((grant) => grant?.credential.headerValue("Bearer")))).toEqual(
      new Set(["Bearer access-2"]),
    );
    expect(lab.http.sent).toHaveLength(1);
  });

  test("the client's secret comes from the keychain where config.toml holds the sentinel", async () => {
    using lab = new SignInLab(`[fermix_core]\nprofile = "dev"\n${CLIENT.replace("the-client-secret", "@keyring")}`);
    lab.keychain.item("fermix:dev", "GOOGLE_OAUTH_CLIENT_SECRET", "kept-secret");
    lab.signedIn(ENDING).provider(answering(GRANTED));
    expect(await lab.token()).toBe("Bearer access-2");
    expect(lab.keychain.asked).toEqual([["fermix:dev/GOOGLE_OAUTH_CLIENT_SECRET"]]);
    expect(String(lab.http.sent[0]?.body)).toContain("client_secret=kept-secret");
  });
});

describe("renew", () => {
  const rejected = new Credential("access-1");

  test("refreshes a token that the provider refused though it has time to run", async () => {
    using lab = new SignInLab().signedIn().provider(answering(GRANTED));
    const renewed = await lab.source().renew(rejected);
    expect(renewed?.credential.headerValue("Bearer")).toBe("Bearer access-2");
  });

  test("takes the token that somebody stored meanwhile, without asking", async () => {
    using lab = new SignInLab().signedIn({ accessToken: "access-9" });
    const renewed = await lab.source().renew(rejected);
    expect(renewed?.credential.headerValue("Bearer")).toBe("Bearer access-9");
  });

  test("has nothing to give without a refresh token", async () => {
    using lab = new SignInLab().signedIn({ refreshToken: null, endsInSeconds: null });
    expect(await lab.source().renew(rejected)).toBeUndefined();
  });

  test("gives nothing when the provider gives the same token again", async () => {
    using lab = new SignInLab().signedIn().provider(answering({ ...GRANTED, access_token: "access-1" }));
    expect(await lab.source().renew(rejected)).toBeUndefined();
  });

  test("says so when the grant has ended", async () => {
    using lab = new SignInLab().signedIn().provider(answering({ error: "invalid_grant" }, 400));
    await expectRefusal(lab.source().renew(rejected), "reauthorization_required", { plugin: "gmail" });
  });
});

describe("what keeps a sign-in from being refreshed", () => {
  const OVER = { endsInSeconds: -5 };

  test("AUTH-8/refused-client a refused client leaves the sign-in as it is, and works again once it is corrected", async () => {
    using lab = new SignInLab().signedIn(OVER);
    lab.provider(answering({ error: "invalid_client", error_description: "No such client." }, 401), answering(GRANTED));
    const before = snapshotTree(lab.root);
    const details = { plugin: "gmail", provider: "google", reason: '"invalid_client: No such client."' };
    await expectRefusal(lab.token(), "oauth_client_rejected", details);
    expect(snapshotTree(lab.root)).toEqual(before);
    expect(await lab.token()).toBe("Bearer access-2");
  });

  test("a client that the ecosystem marked as refused is tried again", async () => {
    using lab = new SignInLab().signedIn({ ...OVER, status: "client_rejected" }).provider(answering(GRANTED));
    expect(await lab.token()).toBe("Bearer access-2");
    expect(lab.entry).toMatchObject({ status: "ready" });
  });

  test("a missing client is named, and nobody is asked", async () => {
    for (const config of ["", CLIENT.replace("the-client-secret", " "), CLIENT.replace('"the-client"', '""')]) {
      using lab = new SignInLab(config).signedIn(OVER);
      await expectRefusal(lab.token(), "oauth_client_missing", { plugin: "gmail", provider: "google" });
    }
    using lab = new SignInLab(CLIENT.replace("the-client-secret", "@keyring")).signedIn(OVER);
    lab.keychain.item("fermix", "GOOGLE_OAUTH_CLIENT_SECRET");
    await expectRefusal(lab.token(), "oauth_client_missing", { plugin: "gmail", provider: "google" });
    lab.keychain.trouble = { state: "locked" };
    await expectRefusal(lab.token(), "keychain_locked");
    expect(lab.debris).toEqual([]);
  });

  test("an unknown provider's token is sent while it lives, and cannot be refreshed", async () => {
    using lab = new SignInLab();
    lab.plugin = pluginOf("tesla", "car");
    lab.signedIn();
    expect(await lab.token()).toBe("Bearer access-1");
    lab.signedIn(OVER);
    await expectRefusal(lab.token(), "sign_in_unusable", {
      plugin: "car",
      profile: "car:primary",
      reason: 'it has to be refreshed, and Fermix does not know how "tesla" does that',
    });
  });

  test("AUTH-8/wrong-kind a sign-in of another kind, provider or region, or with a later word for its state, is never sent", async () => {
    const faults = [
      [{ more: { auth_mode: "chatgpt" } }, 'it is a sign-in of the kind "chatgpt", which is not one of a plugin'],
      [{ provider: "github" }, 'it is a sign-in with "github", not with "google"'],
      [{ status: "wrong_region" }, "the account belongs to another region"],
      [{ status: "later_word" }, 'auth.json has the status "later_word"'],
      [{ accessToken: " " }, "its entry in auth.json has no access token"],
      [{ accessToken: "two\r\nlines" }, "its access_token in auth.json has characters that no token has"],
      [{ more: { expires_at: "soon" } }, "its expires_at in auth.json is no time"],
    ] as const;
    for (const [given, reason] of faults) {
      using lab = new SignInLab().signedIn(given);
      await expectRefusal(lab.token(), "sign_in_unusable", { plugin: "gmail", profile: "gmail:primary", reason });
    }
  });

  test("an auth.json that others may read is refused with the command that mends it", async () => {
    using lab = new SignInLab().signedIn();
    expect(await lab.token()).toBe("Bearer access-1");
    chmodSync(lab.home.authFile, 0o640);
    const error = await lab.token().catch((cause: Error) => cause);
    expect(error).toMatchObject({
      code: "auth_file_exposed",
      details: { path: lab.home.authFile, mode: "0o640" },
      fix: `\`chmod 600 "${lab.home.authFile}"\``,
    });
    chmodSync(lab.home.authFile, 0o600);
    expect(await lab.token()).toBe("Bearer access-1");
  });
});

describe("DECISIONS 30: a refresh without a clear answer", () => {
  const OVER = { endsInSeconds: -5 };
  const broken = () => Promise.reject(new HttpFailure("reset", "the socket was closed"));

  test("is not repeated at once; the next use tries once more, and then says reauthorize without giving the sign-in up", async () => {
    using lab = new SignInLab().signedIn(OVER).provider(broken, broken, answering(GRANTED));
    const before = lab.entry;
    const reason = expect.stringContaining("the socket was closed");
    await expectRefusal(lab.token(), "token_refresh_failed", { plugin: "gmail", provider: "google", reason });
    expect(lab.http.sent).toHaveLength(1);
    expect(lab.entry).toEqual({ ...before, refresh_unanswered_since: new Date(lab.clock.now()).toISOString() });
    await expectRefusal(lab.token(), "reauthorization_required", { plugin: "gmail" });
    expect(lab.http.sent).toHaveLength(2);
    expect(lab.entry).toMatchObject({ status: "ready" });
    expect(await lab.token()).toBe("Bearer access-2");
    expect(lab.entry).not.toHaveProperty("refresh_unanswered_since");
  });

  test("one that certainly was not done is repeated up to three times, with pauses, and leaves no mark", async () => {
    using lab = new SignInLab().signedIn(OVER).provider(() => reply(503));
    const before = snapshotTree(lab.root);
    const details = { plugin: "gmail", provider: "google", reason: "HTTP 503" };
    await expectRefusal(lab.token(), "token_refresh_failed", details);
    expect(lab.http.sent).toHaveLength(3);
    expect(lab.clock.slept.filter((ms) => ms % 350 === 0)).toEqual([350, 700]);
    expect(snapshotTree(lab.root)).toEqual(before);
  });

  test("a token with seconds to live is sent when no new one can be had, and not a second longer", async () => {
    using lab = new SignInLab().signedIn({ endsInSeconds: 9 }).provider(() => reply(404));
    expect(await lab.token()).toBe("Bearer access-1");
    lab.clock.advance(9000);
    await expectRefusal(lab.token(), "token_refresh_failed");
  });
});
