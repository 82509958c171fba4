/** The table of the network floor: nothing in it is ever connected to, however it is written or resolved (HTTP-2). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { guardedFetch } from "../../src/egress/guarded-fetch.ts";
import { DIRECT } from "../../src/egress/network-policy.ts";
import { isFermixError } from "../../src/kernel/error.ts";
import { expectRefusal } from "../expect.ts";
import { FakeDns } from "../fakes/dns.ts";
import { FakeHttp, reply } from "../fakes/http.ts";
import { ManualClock } from "../fakes/manual-clock.ts";
import { HOSTILE_ADDRESSES, spellings } from "../forge/hostile-addresses.ts";
import { HOSTILE_URLS } from "../forge/hostile-urls.ts";

const HOST = "api.example.com";
const URL_ASKED = `https://${HOST}/v1`;
const PUBLIC = ["93.184.216.34", "2606:4700::1111"] as const;
/** Nothing answers here: a lookup or a request is a failure of the test. */
const closed = () => ({ clock: new ManualClock(), dns: new FakeDns(), http: new FakeHttp() });

test("the table holds at least 25 kinds of address, and at least 150 hostile URLs and addresses", () => {
  expect(new Set(HOSTILE_ADDRESSES.map(({ kind }) => kind)).size).toBeGreaterThanOrEqual(25);
  expect(new Set(HOSTILE_ADDRESSES.map(({ address }) => address)).size).toBe(HOSTILE_ADDRESSES.length);
  const urls = new Set(HOSTILE_URLS.map(([url]) => url));
  expect(urls.size + HOSTILE_ADDRESSES.length).toBeGreaterThanOrEqual(150);
});

describe("HTTP-2/literals a URL of the table is refused before a name is resolved", () => {
  for (const [url, host, reason] of HOSTILE_URLS) {
    test(JSON.stringify(url), async () => {
      await expectRefusal(guardedFetch(closed(), { url }, { network: DIRECT }), "blocked_url", { host, reason });
    });
  }
});

describe("HTTP-2/literals an address is refused in every spelling", () => {
  for (const { kind, address } of HOSTILE_ADDRESSES) {
    test(`${kind} ${address}`, async () => {
      for (const host of spellings(address)) {
        for (const url of [`https://${host}/`, `https://${host}:8443/x?y#z`]) {
          const { reason } = await expectRefusal(guardedFetch(closed(), { url }, { network: DIRECT }), "blocked_url");
          expect({ url, reason }).toEqual({ url, reason: "it is an IP address, not a name" });
        }
      }
    });
  }
});

describe("HTTP-2/dns-answers an address is refused as an answer, alone and among public ones", () => {
  for (const { kind, address, why } of HOSTILE_ADDRESSES) {
    test(`${kind} ${address}`, async () => {
      for (const answers of [[address], [...PUBLIC, address], [address, ...PUBLIC], [PUBLIC[0], address, PUBLIC[1]]]) {
        const ports = { ...closed(), dns: new FakeDns().answer(HOST, answers) };
        await expectRefusal(guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT }), "blocked_address", {
          host: HOST,
          address,
          reason: `which is ${why}`,
        });
      }
    });
  }
});

test("HTTP-2/dialled-is-checked an answer that changes to a hostile one after the check changes nothing", async () => {
  for (const { address } of HOSTILE_ADDRESSES) {
    const dns = new FakeDns().answer(HOST, [PUBLIC[0]], [address]);
    const ports = { ...closed(), dns, http: new FakeHttp().on(URL_ASKED, () => reply(204)) };
    await guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    expect(ports.http.sent.map((sent) => sent.address)).toEqual([PUBLIC[0]]);
  }
});

describe("whatever a URL says", () => {
  const anyHost = fc.oneof(
    fc.ipV4(),
    fc.ipV4Extended(),
    fc.ipV6().map((address) => `[${address}]`),
    fc.domain(),
    fc.constantFrom("localhost", "a.local", "x.internal", "b.localhost", "127.1", "0x7f.1"),
    fc.string({ unit: "binary", maxLength: 20 }),
  );
  const anyUrl = fc
    .tuple(
      fc.constantFrom("https://", "https:", "http://", "https:///", "HTTPS://", "https:\\\\", "//", ""),
      fc.oneof({ weight: 3, arbitrary: fc.constant("") }, fc.constantFrom("user@", "a:b@", "@", `${HOST}@`)),
      anyHost,
      fc.oneof({ weight: 2, arbitrary: fc.constant("") }, fc.constantFrom(":443", ":0", ":99999", ":x", "#", "?@")),
      fc.oneof(fc.constant("/"), fc.webPath(), fc.string({ maxLength: 10 })),
    )
    .map((parts) => parts.join(""));

  test("HTTP-2/dialled-is-checked what is asked is the very host of the URL, over https, at the judged address", async () => {
    await fc.assert(
      fc.asyncProperty(anyUrl, async (url) => {
        const asked: string[] = [];
        const sent: string[] = [];
        const ports = {
          clock: new ManualClock(),
          dns: {
            lookup: async (host: string) => {
              asked.push(host);
              return [PUBLIC[0]];
            },
          },
          http: {
            send: async (request: { readonly url: URL; readonly address?: string | undefined }) => {
              sent.push(`${request.url.protocol} ${request.url.hostname} ${request.address}`);
              return reply(204);
            },
          },
        };
        const outcome = await guardedFetch(ports, { url }, { network: DIRECT }).then(
          (answer) => answer.url,
          (error: unknown) => error,
        );
        if (outcome instanceof URL) {
          const host = URL.parse(url)?.hostname ?? "";
          expect([asked, sent]).toEqual([[host], [`https: ${host} ${PUBLIC[0]}`]]);
          expect(host).toMatch(/^[a-z0-9.-]+\.[a-z0-9-]*[a-z-][a-z0-9-]*$/);
          expect(url.toLowerCase()).toStartWith(`https://${host}`);
        } else {
          expect(isFermixError(outcome, "blocked_url")).toBe(true);
          expect([asked, sent]).toEqual([[], []]);
        }
      }),
      { numRuns: 2_000 },
    );
  });
});
