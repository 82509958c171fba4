/** Hostile URLs never reach the resolver. */
import { describe, expect, test } from "bun:test";
import { assertPublicUrl } from "../../src/egress/url-policy.ts";
import { expectRefusal } from "../expect.ts";
import { HOSTILE_URLS } from "../forge/hostile-urls.ts";

describe("a URL is refused before anything is resolved", () => {
  for (const [url, host, reason] of HOSTILE_URLS) {
    test(JSON.stringify(url), () => expectRefusal(() => assertPublicUrl(url), "blocked_url", { host, reason }));
  }
});

test("the refusal never shows the path or the query, which may hold a secret", async () => {
  const details = await expectRefusal(() => assertPublicUrl("http://api.example.com/key-123?token=abc"), "blocked_url");
  expect(JSON.stringify(details)).not.toMatch(/key-123|abc/);
});

test("a plain public https URL passes as it is, port, path, query and an xn-- name included", () => {
  for (const url of [
    "https://api.example.com/v1/items?limit=2#part",
    "https://API.Example.com:8443/",
    "https://xn--bcher-kva.example/",
    "https://a.bc/%2e%2e/x",
    "https://localhost.example.com/",
    "https://mylocal.example/",
  ]) {
    expect(assertPublicUrl(url).href).toBe(new URL(url).href);
  }
});

test("lengths are judged at the limit and one past it", async () => {
  const base = "https://api.example.com/";
  const longest = base + "a".repeat(16_384 - base.length);
  expect(assertPublicUrl(longest).href).toHaveLength(16_384);
  await expectRefusal(() => assertPublicUrl(`${longest}a`), "blocked_url", {
    host: "api.example.com",
    reason: "the URL is longer than 16384 characters",
  });
  const label = "a".repeat(63);
  const host253 = `${label}.${label}.${label}.${"b".repeat(61)}`;
  expect(assertPublicUrl(`https://${host253}/`).hostname).toHaveLength(253);
  await expectRefusal(() => assertPublicUrl(`https://${host253}b/`), "blocked_url");
  await expectRefusal(() => assertPublicUrl(`https://${label}a.example/`), "blocked_url");
});
