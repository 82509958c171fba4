/** Tests of auth/entry-status.ts: what auth.json says of a sign-in, in each of its shapes. */
import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readSignIns, type SignIn } from "../../src/auth/entry-status.ts";
import { homeAt } from "../../src/files/home.ts";

function signIn(text: string | undefined, profile = "github:primary"): SignIn {
  const root = mkdtempSync(join(tmpdir(), "fermix-auth-"));
  try {
    if (text !== undefined) writeFileSync(join(root, "auth.json"), text, { mode: 0o600 });
    return readSignIns(homeAt(root)).of(profile);
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

function entry(more: Record<string, unknown>): string {
  const tokens = { access_token: "at", refresh_token: "rt" };
  return JSON.stringify({ version: 2, providers: { "github:primary": { auth_mode: "oauth2", tokens, ...more } } });
}

const ABSENT: SignIn = { state: "absent" };
const NO_ACCOUNT = { account: undefined };

test("no file, no such entry, and a flat file of the oldest layout mean that nobody signed in", () => {
  expect(signIn(undefined)).toEqual(ABSENT);
  expect(signIn(JSON.stringify({ version: 2, providers: {} }))).toEqual(ABSENT);
  expect(signIn(JSON.stringify({ tokens: { access_token: "codex" } }))).toEqual(ABSENT);
  expect(signIn(entry({}), "notion:primary")).toEqual(ABSENT);
  expect(signIn(entry({}), "constructor")).toEqual(ABSENT);
});

test("an entry without a status, or with ready, is connected", () => {
  expect(signIn(entry({}))).toEqual({ state: "connected", ...NO_ACCOUNT });
  expect(signIn(entry({ status: "ready" }))).toEqual({ state: "connected", ...NO_ACCOUNT });
});

test("the account is the mail address, else the name, else the subject", () => {
  const account = { subject: "17", display_name: "Ada", email: "ada@example.com" };
  const accounts = [account, { ...account, email: " " }, { subject: "17" }, { login: "x" }, "ada"];
  const labels = accounts.map((given) => signIn(entry({ account: given })));
  expect(labels).toEqual([
    { state: "connected", account: "ada@example.com" },
    { state: "connected", account: "Ada" },
    { state: "connected", account: "17" },
    { state: "connected", ...NO_ACCOUNT },
    { state: "connected", ...NO_ACCOUNT },
  ]);
});

test("a dead grant asks for a new sign-in; a refused client, another region and an unknown status are told apart", () => {
  expect(signIn(entry({ status: "reauthorization_required" }))).toEqual({ state: "reauthorize", ...NO_ACCOUNT });
  expect(signIn(entry({ status: "invalidated" }))).toEqual({ state: "reauthorize", ...NO_ACCOUNT });
  const refusals = ["client_rejected", "wrong_region", "later_word"].map((status) => signIn(entry({ status })));
  expect(refusals).toEqual([
    { state: "client_rejected", ...NO_ACCOUNT, reason: "auth.json has the status client_rejected" },
    { state: "refused", ...NO_ACCOUNT, reason: "the account belongs to another region" },
    { state: "refused", ...NO_ACCOUNT, reason: 'auth.json has the status "later_word"' },
  ]);
});

test("an entry without an access token, and a file that is no such document, say so and are never a sign-in", () => {
  const noToken = { state: "refused", ...NO_ACCOUNT, reason: "its entry in auth.json has no access token" } as const;
  expect(signIn(entry({ tokens: { access_token: " " } }))).toEqual(noToken);
  expect(signIn(entry({ tokens: null }))).toEqual(noToken);
  expect(signIn(JSON.stringify({ providers: { "github:primary": 1 } }))).toEqual(noToken);
  for (const text of ["{", "[]", "{}"]) expect(signIn(text)).toMatchObject({ state: "unreadable" });
});

test("a file that can't be used says why, and what to do", () => {
  const root = mkdtempSync(join(tmpdir(), "fermix-auth-"));
  const path = join(root, "auth.json");
  const error = () => {
    const found = readSignIns(homeAt(root)).of("github:primary");
    if (found.state !== "unreadable") throw new Error(found.state);
    return { code: found.error.code, fix: found.error.fix };
  };
  writeFileSync(path, "[]", { mode: 0o600 });
  const repair = `repair "${path}" by hand, or move it away and sign in anew`;
  expect(error()).toEqual({ code: "auth_file_malformed", fix: repair });
  chmodSync(path, 0o644);
  expect(error()).toEqual({ code: "auth_file_exposed", fix: `\`chmod 600 "${path}"\`` });
  rmSync(root, { recursive: true });
});

test("AUTH-8: a sign-in of another kind or provider is told from one of its own", () => {
  const of = (more: Record<string, unknown>) => {
    const root = mkdtempSync(join(tmpdir(), "fermix-auth-"));
    writeFileSync(join(root, "auth.json"), entry(more), { mode: 0o600 });
    const found = readSignIns(homeAt(root)).of("github:primary", "github");
    rmSync(root, { recursive: true });
    return found;
  };
  expect(of({ provider: "github" }).state).toBe("connected");
  expect(of({}).state).toBe("connected");
  const codex = 'it is a sign-in of the kind "chatgpt", which is not one of a plugin';
  expect(of({ auth_mode: "chatgpt" })).toEqual({ state: "refused", ...NO_ACCOUNT, reason: codex });
  const notion = 'it is a sign-in with "notion", not with "github"';
  expect(of({ provider: "notion" })).toEqual({ state: "refused", ...NO_ACCOUNT, reason: notion });
});

test("when an access token ends is told, in milliseconds", () => {
  const end = "2026-01-02T03:04:05Z";
  expect(signIn(entry({ expires_at: end }))).toEqual({ state: "connected", ...NO_ACCOUNT, expiresAt: Date.parse(end) });
});
