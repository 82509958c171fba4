/** Tests of auth/stale.ts: at an hour past its end a token is not stale yet, a millisecond later it is. */
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isStale, reconnections, STALE_AFTER_MS, staleProfiles } from "../../src/auth/stale.ts";
import { homeAt } from "../../src/files/home.ts";
import { expectRefusal } from "../expect.ts";

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

test("STA-1/past-an-hour: more than an hour past its end, and never without an end", () => {
  expect(STALE_AFTER_MS).toBe(3_600_000);
  const ends = [NOW + 1, NOW, NOW - STALE_AFTER_MS, NOW - STALE_AFTER_MS - 1, undefined];
  expect(ends.map((end) => isStale(end, NOW))).toEqual([false, false, false, true, false]);
});

test("the stale profiles of a file, in its order; what can't be read is none", async () => {
  const root = mkdtempSync(join(tmpdir(), "fermix-stale-"));
  const home = homeAt(root);
  expect(staleProfiles(home, NOW)).toEqual([]);
  const entry = (expires_at: unknown) => ({ tokens: { access_token: "at" }, expires_at });
  const old = new Date(NOW - STALE_AFTER_MS - 1).toISOString();
  const providers = {
    "x:primary": entry(old),
    "broken:primary": { expires_at: old },
    openai_codex: entry(old),
    "github:primary": entry(new Date(NOW).toISOString()),
    anthropic_oauth: entry(null),
    "odd:primary": entry("soon"),
  };
  const write = (text: string) => writeFileSync(home.authFile, text, { mode: 0o600 });
  write(JSON.stringify({ version: 2, providers }));
  expect(staleProfiles(home, NOW)).toEqual(["x:primary", "openai_codex"]);
  expect(staleProfiles(home, NOW - 1)).toEqual([]);
  write("{");
  await expectRefusal(() => staleProfiles(home, NOW), "auth_file_malformed").finally(() =>
    rmSync(root, { recursive: true, force: true }),
  );
});

test("a provider is connected anew by its login, a plugin by reauthorize, each under its own name", () => {
  const login = (provider: string) => `\`fermix auth login --provider ${provider}\``;
  const reauthorize = (name: string) => ({ name, command: `\`fermix plugins auth reauthorize ${name}\`` });
  expect(reconnections("openai_codex", [])).toEqual([{ name: "openai_codex", command: login("codex") }]);
  expect(reconnections("anthropic_oauth", [])).toEqual([{ name: "anthropic", command: login("anthropic") }]);
  expect(reconnections("xai_oauth", ["odd"])).toEqual([{ name: "xai", command: login("xai") }]);
  expect(reconnections("google:primary", ["gmail", "google_drive"])).toEqual([
    reauthorize("gmail"),
    reauthorize("google_drive"),
  ]);
  expect(reconnections("github:primary", [])).toEqual([reauthorize("github")]);
  expect(reconnections("$(id)\n:primary", [])).toEqual([
    { name: '"$(id)\\n:primary"', command: "sign in again with the program that made it" },
  ]);
});
