/** Tests of auth/oauth/account.ts: whose sign-in it is, by whatever the provider says, and never at the cost of the sign-in. */
import { describe, expect, test } from "bun:test";
import { reply, stalledAfter } from "../../fakes/http.ts";
import { type Answer, CLIENT, json, LoginLab, TOKENS } from "./login-lab.ts";

const jwt = (claims: unknown): string => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
const GOOGLE = "https://openidconnect.googleapis.com/v1/userinfo";

/** The account that a sign-in with this provider finds. */
async function accountOf(id: string, tokens: unknown, userinfo?: Answer) {
  using lab = new LoginLab(id);
  lab.on(lab.provider.tokens.tokenEndpoint, json(tokens));
  if (lab.provider.userinfoEndpoint !== undefined && userinfo !== undefined)
    lab.on(lab.provider.userinfoEndpoint, userinfo);
  const attempt = await lab.start();
  const page = attempt.answer();
  for (let step = 0; step < 8; step += 1) await lab.clock.advance(2_000);
  expect((await page).status).toBe(200);
  const asked = lab.http.sent.find(({ url }) => url.href === lab.provider.userinfoEndpoint);
  return { account: attempt.kept[0]?.account, asked, nonce: attempt.url.searchParams.get("nonce") };
}

describe("the account", () => {
  test("is what the userinfo page says, asked with the new token", async () => {
    const { account, asked } = await accountOf("google", TOKENS, json({ sub: "1", email: "ada@example.org" }));
    expect(account).toEqual({ subject: "1", email: "ada@example.org" });
    expect(asked?.url.href).toBe(GOOGLE);
    expect(asked?.headers["authorization"]).toBe("Bearer access-1");
  });

  test("of GitHub is its login, its number and its address where that is public", async () => {
    const { account } = await accountOf(
      "github",
      TOKENS,
      json({ id: 583231, login: "octocat", name: "The Octocat", email: null }),
    );
    expect(account).toEqual({ subject: "583231", display_name: "octocat" });
  });

  test("of Notion is the workspace that came with the tokens", async () => {
    const { account } = await accountOf("notion", { ...TOKENS, workspace_id: "w-1", workspace_name: "Lab" });
    expect(account).toEqual({ subject: "w-1", display_name: "Lab" });
  });

  test("is what the id token says where there is no such page, if it is for this client and this attempt", async () => {
    const claims = { aud: CLIENT.id, sub: "2", email: "bob@example.org" };
    expect((await accountOf("openai_codex", { ...TOKENS, id_token: jwt(claims) })).account).toEqual({
      subject: "2",
      email: "bob@example.org",
    });
    const listed = await accountOf("openai_codex", {
      ...TOKENS,
      id_token: jwt({ ...claims, aud: ["other", CLIENT.id] }),
    });
    expect(listed.account).toMatchObject({ subject: "2" });
    for (const id_token of [jwt({ ...claims, aud: "another" }), "no.jwt", "a.b.c", jwt(null), 7]) {
      expect((await accountOf("openai_codex", { ...TOKENS, id_token })).account).toBeUndefined();
    }
    const { nonce } = await accountOf("xai_oauth", TOKENS);
    expect((await accountOf("xai_oauth", { ...TOKENS, id_token: jwt({ ...claims, nonce }) })).account).toMatchObject({
      subject: "2",
    });
    expect(
      (await accountOf("xai_oauth", { ...TOKENS, id_token: jwt({ ...claims, nonce: "another" }) })).account,
    ).toBeUndefined();
  });

  const useless: readonly (readonly [string, Answer])[] = [
    ["a refusal", json({ sub: "1" }, 403)],
    ["a page", () => reply(200, "<html>")],
    ["a list", json(["sub"])],
    ["nothing to call it by", json({ sub: "", email: 7, name: { first: "Ada" } })],
    ["64 KiB and a byte", () => reply(200, JSON.stringify({ sub: "x".repeat(64 * 1024 - 9) }))],
    ["a redirect", () => reply(302, null, { location: "https://elsewhere.example/" })],
    ["an answer that never ends", () => ({ ...reply(200), body: stalledAfter(['{"sub":']) })],
  ];
  test.each([...useless])("is unknown after %s, and the sign-in stands", async (_what, userinfo) => {
    expect((await accountOf("google", TOKENS, userinfo)).account).toBeUndefined();
  });

  test("of 64 KiB is still read, its label cut", async () => {
    const { account } = await accountOf("google", TOKENS, () =>
      reply(200, JSON.stringify({ sub: "x".repeat(64 * 1024 - 10) })),
    );
    expect(account).toEqual({ subject: "x".repeat(200) });
  });
});
