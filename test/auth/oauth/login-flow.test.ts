/** Tests of auth/oauth/login-flow.ts: what each provider is asked, and what a sign-in that is answered gives. */
import { describe, expect, test } from "bun:test";
import { requestTokens } from "../../../src/auth/request-tokens.ts";
import { DIRECT } from "../../../src/egress/network-policy.ts";
import { expectRefusal } from "../../expect.ts";
import { reply } from "../../fakes/http.ts";
import { CLIENT, CODE, json, LoginLab, TOKENS } from "./login-lab.ts";

/** FakeRandom counts: the first answer is the verifier's bytes, the second the state's, the third the nonce's. */
const bytes = (length: number, count: number): string =>
  Buffer.from(count.toString(16).padStart(length * 2, "0"), "hex").toString("base64url");
const VERIFIER = bytes(64, 1);
const STATE = bytes(24, 2);
const NONCE = bytes(24, 3);
const CHALLENGE = Buffer.from(new Bun.CryptoHasher("sha256").update(VERIFIER).digest()).toString("base64url");
const CREDENTIALS = `client_id=${CLIENT.id}&client_secret=${CLIENT.secret}`;
const BASIC = `Basic ${btoa(`${CLIENT.id}:${CLIENT.secret}`)}`;

interface Expected {
  readonly id: string;
  /** Where the provider documents it. */
  readonly page: string;
  readonly address: string;
  readonly redirectUri: string;
  /** Members beside those that every provider gets. */
  readonly extras?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** `{code}` stands for the members of every provider. */
  readonly body: string;
}

const form = (uri: string): string =>
  `redirect_uri=${encodeURIComponent(uri)}&code=${CODE}&code_verifier=${VERIFIER}&grant_type=authorization_code`;

const EXPECTED: readonly Expected[] = [
  {
    id: "google",
    page: "developers.google.com/identity/protocols/oauth2/native-app",
    address: "https://accounts.google.com/o/oauth2/v2/auth",
    redirectUri: "http://127.0.0.1:1455/auth/callback",
    extras: "access_type=offline&prompt=consent",
    body: `${form("http://127.0.0.1:1455/auth/callback")}&${CREDENTIALS}`,
  },
  {
    id: "github",
    page: "docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps",
    address: "https://github.com/login/oauth/authorize",
    redirectUri: "http://127.0.0.1:1457/auth/callback",
    body: `${form("http://127.0.0.1:1457/auth/callback")}&${CREDENTIALS}`,
  },
  {
    id: "notion",
    page: "developers.notion.com/docs/authorization",
    address: "https://api.notion.com/v1/oauth/authorize",
    redirectUri: "http://localhost:1458/auth/callback",
    extras: "owner=user",
    headers: { authorization: BASIC, "content-type": "application/json" },
    body: JSON.stringify({
      redirect_uri: "http://localhost:1458/auth/callback",
      code: CODE,
      code_verifier: VERIFIER,
      grant_type: "authorization_code",
    }),
  },
  {
    id: "x",
    page: "docs.x.com/resources/fundamentals/authentication/oauth-2-0/authorization-code",
    address: "https://x.com/i/oauth2/authorize",
    redirectUri: "http://127.0.0.1:1459/auth/callback",
    headers: { authorization: BASIC },
    body: form("http://127.0.0.1:1459/auth/callback"),
  },
  {
    id: "openai_codex",
    page: "spec 8.2",
    address: "https://auth.openai.com/oauth/authorize",
    redirectUri: "http://localhost:1455/auth/callback",
    extras: "codex_cli_simplified_flow=true&id_token_add_organizations=true",
    body: `${form("http://localhost:1455/auth/callback")}&client_id=${CLIENT.id}`,
  },
  {
    id: "xai_oauth",
    page: "spec 8.2",
    address: "https://auth.x.ai/oauth2/authorize",
    redirectUri: "http://127.0.0.1:56121/callback",
    extras: `nonce=${NONCE}&plan=generic`,
    body: `code_challenge=${CHALLENGE}&code_challenge_method=S256&${form("http://127.0.0.1:56121/callback")}&client_id=${CLIENT.id}`,
  },
];

describe("the request", () => {
  test.each([...EXPECTED])(
    "AUTH-2/pkce CASE-47: $id is asked as $page says, with one redirect URI letter by letter",
    async (at) => {
      using lab = new LoginLab(at.id);
      const attempt = await lab.start();
      const given = Object.fromEntries(attempt.url.searchParams);
      expect(lab.opened).toEqual([attempt.url.href]);
      expect(attempt.url.origin + attempt.url.pathname).toBe(at.address);
      expect(given).toEqual({
        response_type: "code",
        client_id: CLIENT.id,
        redirect_uri: at.redirectUri,
        scope: "read write",
        state: STATE,
        code_challenge: CHALLENGE,
        code_challenge_method: "S256",
        ...Object.fromEntries(new URLSearchParams(at.extras)),
      });
      // Not every provider reads a plus as a space.
      expect(attempt.url.search).toContain("scope=read%20write");
      const page = await attempt.answer();
      expect(await attempt.outcome).toBe("kept");
      expect(page.status).toBe(200);
      expect(lab.asked).toEqual([at.body]);
      const [token] = lab.http.sent;
      expect({ method: token?.method, own: token?.ownConnection, headers: token?.headers }).toEqual({
        method: "POST",
        own: true,
        headers: {
          "user-agent": "fermix",
          accept: "application/json",
          "accept-encoding": "identity",
          "content-type": "application/x-www-form-urlencoded;charset=UTF-8",
          ...at.headers,
        },
      });
    },
  );

  test("a plugin without scopes asks for none, and the account to offer goes where the provider takes it", async () => {
    using notion = new LoginLab("notion");
    const none = await notion.start({ scopes: [], account: "ada@example.org" });
    expect(none.url.searchParams.has("scope")).toBe(false);
    expect(none.url.href).not.toContain("ada");
    using google = new LoginLab("google");
    expect((await google.start({ account: "ada@example.org" })).url.searchParams.get("login_hint")).toBe(
      "ada@example.org",
    );
    using github = new LoginLab("github");
    expect((await github.start({ account: "ada" })).url.searchParams.get("login")).toBe("ada");
  });

  test("AUTH-9/own-port no two providers share a port by default but Google and Codex, whose ports the spec gives", async () => {
    const ports = EXPECTED.map(({ redirectUri }) => new URL(redirectUri).port);
    expect(ports).toEqual(["1455", "1457", "1458", "1459", "1455", "56121"]);
  });
});

describe("what comes of it", () => {
  test("tokens, their end and the scopes that were granted are handed over, and the browser is told after they are kept", async () => {
    using lab = new LoginLab("google");
    lab.on("https://oauth2.googleapis.com/token", json({ ...TOKENS, scope: "openid read" }));
    lab.on(
      "https://openidconnect.googleapis.com/v1/userinfo",
      json({ sub: "7", email: "ada@example.org", name: "Ada" }),
    );
    const order: string[] = [];
    const attempt = await lab.start({}, async () => {
      order.push("kept");
    });
    const page = await attempt.answer();
    order.push("page");
    expect(order).toEqual(["kept", "page"]);
    expect(attempt.kept).toEqual([
      {
        accessToken: "access-1",
        refreshToken: "refresh-1",
        expiresAt: lab.clock.now() + 3_600_000,
        scopes: ["openid", "read"],
        account: { subject: "7", email: "ada@example.org", display_name: "Ada" },
      },
    ]);
    expect(page.body).toContain("Fermix is signed in with Google.");
    await attempt.outcome;
    expect(lab.loopback.open).toEqual([]);
    expect(lab.debris).toEqual([]);
  });

  test("scopes are split as the provider writes them, and those that were asked for stand where it says none", async () => {
    using lab = new LoginLab("github");
    lab.on("https://github.com/login/oauth/access_token", json({ ...TOKENS, scope: "repo,read:user" }), json(TOKENS));
    const first = await lab.start();
    await first.answer();
    const second = await lab.start();
    await second.answer();
    expect([...first.kept, ...second.kept].map(({ scopes }) => scopes)).toEqual([
      ["repo", "read:user"],
      ["read", "write"],
    ]);
  });

  test("when it is not kept, the browser and the caller get the reason, and nothing listens any more", async () => {
    using lab = new LoginLab();
    const broken = new Error("the disk is gone");
    const attempt = await lab.start({}, () => Promise.reject(broken));
    const page = await attempt.answer();
    expect(await attempt.outcome.catch((error) => error)).toBe(broken);
    expect([page.status, page.body.includes("Something went wrong")]).toEqual([400, true]);
    expect(page.body).not.toContain("disk");
    expect([lab.loopback.open, lab.debris]).toEqual([[], []]);
  });
});

describe("the token endpoint", () => {
  const outcomes: readonly (readonly [string, string, () => ReturnType<typeof reply>, string, string])[] = [
    [
      "google",
      "a code that is no good",
      () => reply(400, '{"error":"invalid_grant","error_description":"Bad Request"}'),
      "login_failed",
      '"invalid_grant: Bad Request"',
    ],
    [
      "google",
      "a refused client",
      () => reply(401, '{"error":"invalid_client"}'),
      "login_client_rejected",
      '"invalid_client"',
    ],
    [
      "x",
      "a refused client",
      () => reply(401, '{"error":"unauthorized_client"}'),
      "login_client_rejected",
      '"unauthorized_client"',
    ],
    [
      "github",
      "a refusal with status 200",
      () =>
        reply(200, '{"error":"bad_verification_code","error_description":"The code passed is incorrect or expired."}'),
      "login_failed",
      '"bad_verification_code: The code passed is incorrect or expired."',
    ],
    [
      "github",
      "a refused client with status 200",
      () => reply(200, '{"error":"incorrect_client_credentials"}'),
      "login_client_rejected",
      '"incorrect_client_credentials"',
    ],
    [
      "google",
      "a page in HTML",
      () => reply(200, "<html>Sign in to the guest network</html>"),
      "login_failed",
      "HTTP 200 without tokens",
    ],
    ["google", "an answer that broke", () => reply(500, "oops"), "login_failed", "HTTP 500"],
    [
      "google",
      "an answer that repeats what it was sent",
      () =>
        reply(
          400,
          JSON.stringify({ error: "invalid_request", error_description: `bad ${CODE} ${VERIFIER} ${CLIENT.secret}` }),
        ),
      "login_failed",
      '"invalid_request: bad [REDACTED] [REDACTED] [REDACTED]"',
    ],
  ];
  test.each([...outcomes])(
    "%s: %s is named, in the browser too, and the code is spent once",
    async (id, _what, answer, code, reason) => {
      using lab = new LoginLab(id);
      lab.on(lab.provider.tokens.tokenEndpoint, answer);
      const attempt = await lab.start();
      const page = await attempt.answer();
      const details = { provider: lab.provider.name, id, reason };
      if (code === "login_failed") await expectRefusal(attempt.outcome, "login_failed", details);
      else await expectRefusal(attempt.outcome, "login_client_rejected", details);
      expect(page.status).toBe(400);
      for (const secret of [CODE, VERIFIER, CLIENT.secret]) expect(page.body).not.toContain(secret);
      expect([lab.asked.length, attempt.kept, lab.loopback.open, lab.debris]).toEqual([1, [], [], []]);
    },
  );

  test("that is busy is asked again, because it certainly did nothing", async () => {
    using lab = new LoginLab();
    lab.on(
      lab.provider.tokens.tokenEndpoint,
      () => reply(429),
      () => reply(503),
      json(TOKENS),
    );
    const attempt = await lab.start();
    const page = attempt.answer();
    for (let pause = 0; pause < 3; pause += 1) await lab.clock.advance(1_000);
    expect((await page).status).toBe(200);
    expect(lab.asked.length).toBe(3);
    expect(new Set(lab.asked).size).toBe(1);
  });

  test("that gives another issuer's answer to a caller without a validated callback is never asked", async () => {
    using lab = new LoginLab();
    const grant = {
      kind: "code",
      callback: new URLSearchParams({ code: CODE }),
      redirectUri: "http://127.0.0.1:1455/",
      verifier: VERIFIER,
      extras: {},
    } as const;
    const asked = { provider: lab.provider.tokens, client: CLIENT, grant, network: DIRECT };
    expect(await requestTokens(lab.ports, asked).catch((error) => error)).toBeInstanceOf(TypeError);
    expect(lab.http.sent).toEqual([]);
  });
});
