/** Hostile URLs never reach the resolver. */
import { describe, expect, test } from "bun:test";
import { assertPublicUrl } from "../../src/egress/url-policy.ts";
import { expectRefusal } from "../expect.ts";

const REFUSED: readonly (readonly [url: string, host: string, reason: string])[] = [
  ["", "", "the URL is empty"],
  ["http://api.example.com/", "api.example.com", "only https is allowed, not http"],
  ["ftp://api.example.com/", "api.example.com", "only https is allowed, not ftp"],
  ["file:///etc/passwd", "", "only https is allowed, not file"],
  ["javascript:alert(1)", "", "only https is allowed, not javascript"],
  ["https://user@api.example.com/", "api.example.com", "the URL carries a user name or password"],
  ["https://api.example.com:secret@evil.example.net/", "evil.example.net", "the URL carries a user name or password"],
  ["https://@api.example.com/", "api.example.com", "the URL carries a user name or password"],
  ["https:api.example.com/", "api.example.com", "the URL has no host of its own"],
  ["https:///api.example.com/", "api.example.com", "the URL has no host of its own"],
  ["https://", "", "it is not a URL"],
  ["https://api.example.com/a b", "api.example.com", "the URL has whitespace or control characters"],
  ["https://api.example.com/\n", "api.example.com", "the URL has whitespace or control characters"],
  ["https://api.exa\tmple.com/", "api.exa\tmple.com", "the URL has whitespace or control characters"],
  [" https://api.example.com/", "", "the URL has whitespace or control characters"],
  ["https://api.example.com\\@evil.example.net/", "evil.example.net", "the URL has a backslash"],
  ["https://127.0.0.1/", "127.0.0.1", "it is an IP address, not a name"],
  ["https://8.8.8.8/", "8.8.8.8", "it is an IP address, not a name"],
  ["https://0x7f.1/", "127.0.0.1", "it is an IP address, not a name"],
  ["https://2130706433/", "127.0.0.1", "it is an IP address, not a name"],
  ["https://017700000001/", "127.0.0.1", "it is an IP address, not a name"],
  ["https://[::1]/", "[::1]", "it is an IP address, not a name"],
  ["https://[2001:4860:4860::8888]/", "[2001:4860:4860::8888]", "it is an IP address, not a name"],
  ["https://[::ffff:10.0.0.1]/", "[::ffff:a00:1]", "it is an IP address, not a name"],
  ["https://localhost/", "localhost", 'names under "localhost" are never public'],
  ["https://LOCALHOST/", "localhost", 'names under "localhost" are never public'],
  ["https://api.localhost/", "api.localhost", 'names under "localhost" are never public'],
  ["https://printer.local/", "printer.local", 'names under "local" are never public'],
  ["https://metadata.google.internal/", "metadata.google.internal", 'names under "internal" are never public'],
  ["https://router.home.arpa/", "router.home.arpa", 'names under "home.arpa" are never public'],
  ["https://nas.lan/", "nas.lan", 'names under "lan" are never public'],
  ["https://secret.onion/", "secret.onion", 'names under "onion" are never public'],
  ["https://intranet/", "intranet", 'names under "intranet" are never public'],
  ["https://wiki/", "wiki", "it is a name without a domain"],
  ["https://api.example.com./", "api.example.com.", "the host ends in a dot"],
  ["https://localhost./", "localhost.", "the host ends in a dot"],
  ["https://api..example.com/", "api..example.com", "it is not a valid DNS name"],
  ["https://-api.example.com/", "-api.example.com", "it is not a valid DNS name"],
  ["https://api_1.example.com/", "api_1.example.com", "it is not a valid DNS name"],
  ["https://api.example.com%2f@evil.example.net/", "evil.example.net", "the URL carries a user name or password"],
  ["https://%6cocalhost/", "localhost", "the host is percent-encoded"],
  ["https://api%2eexample.com/", "api.example.com", "the host is percent-encoded"],
  ["https://bücher.example/", "xn--bcher-kva.example", "the host must be written in its ASCII (xn--) form"],
  ["https://ⓛocalhost/", "localhost", "the host must be written in its ASCII (xn--) form"],
  ["https://api.example。com/", "api.example.com", "the host must be written in its ASCII (xn--) form"],
  ["https://api.example.com:0/", "api.example.com", "port 0 is no port"],
  ["https://api.example.com:99999/", "api.example.com:99999", "it is not a URL"],
];

describe("a URL is refused before anything is resolved", () => {
  for (const [url, host, reason] of REFUSED) {
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
