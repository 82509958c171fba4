/** Tests of auth/oauth/callback-answer.ts: whose answer came back, and what it says. */
import { describe, expect, test } from "bun:test";
import { readCallback } from "../../../src/auth/oauth/callback-answer.ts";
import type { FermixCode } from "../../../src/kernel/codes.ts";
import { expectRefusal } from "../../expect.ts";
import { LoginLab, loginProvider } from "./login-lab.ts";

const read = (id: string, query: string) => readCallback(loginProvider(id), "client", new URLSearchParams(query), "s1");
const at = { provider: "Google", id: "google" } as const;

describe("an answer", () => {
  test("with the code and this sign-in's state is taken as it is", async () => {
    expect((await read("google", "code=c&state=s1&scope=a&authuser=0")).get("code")).toBe("c");
  });

  const strangers = [
    "code=c",
    "code=c&state=",
    "code=c&state=s2",
    "code=c&state=s1&state=s1",
    "code=c&state=S1",
    "state=s10&code=c",
    "error=access_denied",
  ];
  test.each(strangers)("that is not to this sign-in is refused: %s", async (query) => {
    await expectRefusal(read("google", query), "login_state_mismatch", { provider: "Google" });
  });

  const refusals: readonly (readonly [string, FermixCode, unknown])[] = [
    ["state=s1", "login_code_missing", { provider: "Google" }],
    ["state=s1&code=", "login_code_missing", { provider: "Google" }],
    ["state=s1&error=access_denied", "login_denied", { provider: "Google" }],
    ["state=s1&error=access_denied&code=c", "login_denied", { provider: "Google" }],
    [
      "state=s1&error=server_error&error_description=Try+later",
      "login_failed",
      { ...at, reason: 'OAuth error: "server_error" ("Try later")' },
    ],
    ["state=s1&error=invalid_scope", "login_failed", { ...at, reason: 'OAuth error: "invalid_scope"' }],
    [
      "state=s1&error=unauthorized_client",
      "login_client_rejected",
      { ...at, reason: 'OAuth error: "unauthorized_client"' },
    ],
    ["state=s1&code=c&code=d", "login_failed", { ...at, reason: "its answer is not one to this sign-in" }],
    ["state=s1&response=jarm", "login_failed", { ...at, reason: "its answer is not one to this sign-in" }],
    ["state=s1&error=%1b%5b31mred%e2%80%ae", "login_failed", { ...at, reason: 'OAuth error: "\\u001b[31mred\\u202e"' }],
  ];
  test.each([...refusals])("that gives no code is named: %s", async (query, code, details) => {
    await expectRefusal(read("google", query), code, details as never);
  });
});

describe("the issuer that an answer names (RFC 9207)", () => {
  const good = [
    ["google", "https://accounts.google.com"],
    ["github", "https://github.com/login/oauth"],
    ["x", "https://x.com"],
    ["x", "https://x.com/i/oauth2"],
    ["notion", "https://api.notion.com/"],
    ["openai_codex", "https://auth.openai.com"],
    ["xai_oauth", "https://auth.x.ai"],
  ] as const;
  test.each([...good])("%s may be %s", async (id, iss) => {
    expect((await read(id, `${new URLSearchParams({ code: "c", state: "s1", iss })}`)).get("code")).toBe("c");
  });

  const bad = [
    ["google", "https://accounts.google.com/"],
    ["google", "https://accounts.google.com.evil.example"],
    ["github", "https://github.com"],
    ["x", "https://x.com.evil.example"],
    ["x", "https://evil.example/x.com"],
    ["notion", "not a URL"],
    ["xai_oauth", "https://auth.openai.com"],
  ] as const;
  test.each([...bad])("%s must not be %s", async (id, iss) => {
    const { name } = loginProvider(id);
    const details = { provider: name, id, reason: "its answer is not one to this sign-in" };
    await expectRefusal(read(id, `${new URLSearchParams({ code: "c", state: "s1", iss })}`), "login_failed", details);
    await expectRefusal(read(id, `code=c&state=s1&iss=${encodeURIComponent(iss)}&iss=b`), "login_failed", details);
  });
});

test("each refusal is a clean page in the browser: the words of the terminal, no script, no member of the answer run as HTML", async () => {
  using lab = new LoginLab();
  const attempt = await lab.start();
  const page = await attempt.answer({
    error: "<script>alert(1)</script>",
    error_description: "\"'&<img src=x>",
    state: attempt.state,
  });
  const { message, fix } = await attempt.outcome.catch((error) => error);
  expect(page.status).toBe(400);
  expect(page.body).not.toMatch(/<script|<img/);
  const text = page.body
    .replace(/<style>.*<\/style>|<[^>]*>/g, " ")
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
  expect(text).toContain("Not connected");
  expect(text).toContain(message);
  expect(text).toContain(`What helps: ${fix}.`);
  expect(page.headers).toEqual({
    "content-type": "text/html; charset=utf-8",
    "content-security-policy":
      "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "cache-control": "no-store",
  });
});
