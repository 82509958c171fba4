/** Tests of auth/request-tokens.ts: the request each provider documents, and what each of their answers means. */
import { describe, expect, test } from "bun:test";
import { findProvider } from "../../src/auth/oauth-providers.ts";
import { requestTokens, type TokenAnswer } from "../../src/auth/request-tokens.ts";
import { DIRECT } from "../../src/egress/network-policy.ts";
import { HttpFailure, type HttpFailureKind } from "../../src/kernel/http-failure.ts";
import type { HttpReply } from "../../src/kernel/ports.ts";
import { reply, stalledAfter } from "../fakes/http.ts";
import { SignInLab } from "./sign-in-lab.ts";

const CLIENT = { id: "client-1.a_b", secret: "s3cret/+ & more" };
/** What the client above is as HTTP Basic: both halves as a form writes them (RFC 6749, 2.3.1). */
const BASIC = `Basic ${btoa("client-1.a_b:s3cret%2F%2B+%26+more")}`;
const REFRESH = "refresh-token-of-the-test";

function providerNamed(id: string) {
  const provider = findProvider(id);
  if (provider === undefined) throw new Error(`no provider ${id}`);
  return provider;
}

async function ask(id: string, ...answers: readonly (() => HttpReply | Promise<HttpReply>)[]) {
  using lab = new SignInLab();
  const provider = providerNamed(id);
  lab.providerAt(provider.tokenEndpoint, ...answers);
  const asked: Parameters<typeof requestTokens>[1] = {
    provider,
    client: CLIENT,
    grant: { kind: "refresh", refreshToken: REFRESH },
    network: DIRECT,
  };
  const answer = await requestTokens(lab.deps.ports, asked);
  const { sent } = lab.http;
  return { answer, sent, now: lab.clock.now(), slept: lab.clock.slept };
}

const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}) =>
  () =>
    reply(status, JSON.stringify(body), { "content-type": "application/json", ...headers });
const GIVEN = { access_token: "at-2", token_type: "bearer" };

describe("the request", () => {
  const OWN = { "user-agent": "fermix", accept: "application/json", "accept-encoding": "identity" };
  const FORM = { ...OWN, "content-type": "application/x-www-form-urlencoded;charset=UTF-8" };
  const CREDENTIALS = "client_id=client-1.a_b&client_secret=s3cret%2F%2B+%26+more";
  const form = `refresh_token=${REFRESH}&grant_type=refresh_token`;
  // https://developers.google.com/identity/protocols/oauth2/native-app (Refreshing an access token)
  // https://docs.github.com/en/apps/creating-github-apps/authenticating-with-a-github-app/refreshing-user-access-tokens
  // https://developers.notion.com/reference/refresh-a-token
  // https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code (Refresh tokens, confidential clients)
  const expected = {
    google: ["https://oauth2.googleapis.com/token", FORM, `${form}&${CREDENTIALS}`],
    github: ["https://github.com/login/oauth/access_token", FORM, `${form}&${CREDENTIALS}`],
    notion: [
      "https://api.notion.com/v1/oauth/token",
      { ...OWN, authorization: BASIC, "content-type": "application/json" },
      `{"refresh_token":"${REFRESH}","grant_type":"refresh_token"}`,
    ],
    x: ["https://api.x.com/2/oauth2/token", { ...FORM, authorization: BASIC }, form],
  } as const;
  for (const [id, [url, headers, body]] of Object.entries(expected)) {
    test(`to ${id} is the one its documentation shows`, async () => {
      const { sent } = await ask(id, json(GIVEN));
      expect(sent.map((request) => [request.method, request.url.href, request.headers, request.body])).toEqual([
        ["POST", url, headers, body],
      ]);
      // An answer lost to a kept connection would leave it open whether the token is spent.
      expect(sent[0]?.ownConnection).toBe(true);
    });
  }
});

describe("a grant", () => {
  const granted = async (body: unknown, id = "google") => {
    const { answer, now } = await ask(id, json(body));
    if (answer.kind !== "granted") throw new Error(JSON.stringify(answer));
    const { expiresAt, answer: _whole, ...tokens } = answer.tokens;
    return { ...tokens, seconds: expiresAt === undefined ? undefined : (expiresAt - now) / 1000 };
  };
  const LEAST = { accessToken: "at-2", refreshToken: undefined, scopes: undefined, seconds: undefined };

  test("is read with everything in it, or with the least there can be", async () => {
    const whole = { ...GIVEN, refresh_token: "rt-2", expires_in: 3599, scope: "a b" };
    expect(await granted(whole)).toEqual({
      accessToken: "at-2",
      refreshToken: "rt-2",
      scopes: ["a", "b"],
      seconds: 3599,
    });
    expect(await granted(GIVEN)).toEqual(LEAST);
    expect(await granted({ ...GIVEN, scope: "repo,read:user" }, "github")).toMatchObject({
      scopes: ["repo", "read:user"],
    });
  });

  test("that does not say when it ends has the end that its token names, where that is a JSON Web Token", async () => {
    const jwt = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
    const { answer } = await ask("google", json({ ...GIVEN, access_token: jwt({ exp: 1_900_000_000 }) }));
    expect(answer.kind === "granted" && answer.tokens.expiresAt).toBe(1_900_000_000_000);
    for (const exp of [undefined, "soon", -1, 1e300]) {
      const access_token = jwt({ exp });
      expect(await granted({ ...GIVEN, access_token })).toEqual({ ...LEAST, accessToken: access_token });
    }
  });

  test("is not lost for a slip of the provider: the tokens are good whatever else is wrong", async () => {
    const slips = [
      { refresh_token: null, scope: null, expires_in: null },
      { refresh_token: "", scope: "" },
      { refresh_token: 7, scope: ["a"] },
      { token_type: undefined },
      { expires_in: -1 },
      { expires_in: "soon" },
      { id_token: "no.jwt.at-all" },
      { id_token: 7 },
    ];
    for (const slip of slips) expect(await granted({ ...GIVEN, ...slip })).toEqual(LEAST);
    expect(await granted({ ...GIVEN, expires_in: "60" })).toEqual({ ...LEAST, seconds: 60 });
    expect(await granted({ ...GIVEN, expires_in: 0 })).toEqual({ ...LEAST, seconds: 0 });
    expect(await granted({ ...GIVEN, expires_in: 1e300 })).toEqual({ ...LEAST, seconds: 10 * 366 * 24 * 3600 });
  });
});

describe("a refusal", () => {
  const cases: readonly (readonly [id: string, status: number, body: unknown, TokenAnswer])[] = [
    ["google", 400, { error: "invalid_grant" }, { kind: "ended", reason: '"invalid_grant"' }],
    [
      "google",
      400,
      { error: "invalid_grant", error_description: "Token has been expired or revoked." },
      { kind: "ended", reason: '"invalid_grant: Token has been expired or revoked."' },
    ],
    ["google", 401, { error: "invalid_client" }, { kind: "client_rejected", reason: '"invalid_client"' }],
    ["google", 401, { error: "deleted_client" }, { kind: "client_rejected", reason: '"deleted_client"' }],
    ["google", 400, { error: "unauthorized_client" }, { kind: "client_rejected", reason: '"unauthorized_client"' }],
    ["github", 200, { error: "bad_refresh_token" }, { kind: "ended", reason: '"bad_refresh_token"' }],
    [
      "github",
      200,
      { error: "incorrect_client_credentials" },
      { kind: "client_rejected", reason: '"incorrect_client_credentials"' },
    ],
    ["google", 400, { error: "bad_refresh_token" }, { kind: "failed", reason: '"bad_refresh_token"' }],
    ["notion", 400, { error: "invalid_grant", request_id: "1" }, { kind: "ended", reason: '"invalid_grant"' }],
    [
      "x",
      400,
      { error: "invalid_request", error_description: "Value passed for the token was invalid." },
      { kind: "ended", reason: '"invalid_request: Value passed for the token was invalid."' },
    ],
    [
      "x",
      400,
      { error: "invalid_request", error_description: "Missing required parameter [client_id]." },
      { kind: "failed", reason: '"invalid_request: Missing required parameter [client_id]."' },
    ],
    [
      "x",
      401,
      { error: "unauthorized_client", error_description: "Missing valid authorization header" },
      { kind: "client_rejected", reason: '"unauthorized_client: Missing valid authorization header"' },
    ],
    ["google", 401, { message: "no" }, { kind: "client_rejected", reason: "HTTP 401" }],
    ["google", 403, "<html>", { kind: "failed", reason: "HTTP 403" }],
    ["google", 302, {}, { kind: "failed", reason: "HTTP 302" }],
    ["google", 500, { error: "invalid_grant" }, { kind: "unanswered", reason: "HTTP 500" }],
    ["google", 502, {}, { kind: "unanswered", reason: "HTTP 502" }],
    ["google", 200, {}, { kind: "unanswered", reason: "HTTP 200 without tokens" }],
    ["google", 200, [GIVEN], { kind: "unanswered", reason: "HTTP 200 without tokens" }],
    ["google", 200, { ...GIVEN, access_token: "a b" }, { kind: "unanswered", reason: "HTTP 200 without tokens" }],
    ["google", 200, { ...GIVEN, token_type: "mac" }, { kind: "unanswered", reason: "HTTP 200 without tokens" }],
  ];
  for (const [id, status, body, expected] of cases) {
    test(`${id} ${status} ${JSON.stringify(body)}`, async () => {
      // A challenge beside the body must not hide what the body says.
      const { answer, sent } = await ask(id, json(body, status, { "www-authenticate": 'Basic realm="x"' }));
      expect(answer).toEqual(expected);
      expect(sent).toHaveLength(1);
    });
  }

  test("no reason repeats a secret that was sent, nor one that looks like any", async () => {
    const description = `${REFRESH} of ${CLIENT.secret} and ghp_${"a".repeat(36)}`;
    const { answer } = await ask("google", json({ error: "invalid_grant", error_description: description }, 400));
    expect(answer).toEqual({
      kind: "ended",
      reason: '"invalid_grant: [REDACTED] of [REDACTED] and [REDACTED:github]"',
    });
  });
});

describe("DECISIONS 30: asking again", () => {
  const broken = (kind: HttpFailureKind) => () => Promise.reject(new HttpFailure(kind, `It was a ${kind}.`));

  test("only after what certainly was not done: no connection, 429 and 503, three times in all", async () => {
    for (const answer of [broken("connect"), json({}, 429), json({ error: "temporarily_unavailable" }, 503)]) {
      const once = await ask("google", answer, json(GIVEN));
      expect([once.answer.kind, once.sent.length, once.slept]).toEqual(["granted", 2, [350]]);
      const never = await ask("google", answer);
      expect([never.answer.kind, never.sent.length, never.slept]).toEqual(["failed", 3, [350, 700]]);
    }
  });

  test("never after what may have been done", async () => {
    const tooMuch = () => reply(200, "x".repeat(256 * 1024 + 1));
    const cut = () => ({
      ...reply(200),
      body: new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("cut")) }),
    });
    for (const answer of [broken("reset"), tooMuch, cut, json({}, 500), () => reply(200, "<html>")]) {
      const { answer: outcome, sent } = await ask("google", answer, json(GIVEN));
      expect([outcome.kind, sent.length]).toEqual(["unanswered", 1]);
    }
  });

  test("never for a certificate that is not the provider's, or an address that is not public", async () => {
    const tls = await ask("google", broken("tls"), json(GIVEN));
    expect([tls.answer.kind, tls.sent.length]).toEqual(["failed", 1]);
    using lab = new SignInLab();
    lab.dns.answer("oauth2.googleapis.com", ["127.0.0.1"]);
    const asked: Parameters<typeof requestTokens>[1] = {
      provider: providerNamed("google"),
      client: CLIENT,
      grant: { kind: "refresh", refreshToken: REFRESH },
      network: DIRECT,
    };
    expect((await requestTokens(lab.deps.ports, asked)).kind).toBe("failed");
    expect(lab.http.sent).toEqual([]);
  });

  test("a body that stalls is given up after twenty seconds, as something that may have been done", async () => {
    using lab = new SignInLab();
    const provider = providerNamed("google");
    lab.providerAt(provider.tokenEndpoint, () => ({ ...reply(200), body: stalledAfter(["{"]) }));
    const asked: Parameters<typeof requestTokens>[1] = {
      provider,
      client: CLIENT,
      grant: { kind: "refresh", refreshToken: REFRESH },
      network: DIRECT,
    };
    const ports = { ...lab.deps.ports, clock: lab.hurry };
    expect(await requestTokens(ports, asked)).toEqual({
      kind: "unanswered",
      reason: 'request failed: "oauth2.googleapis.com" took longer than 20 s to answer in full',
    });
  });
});
