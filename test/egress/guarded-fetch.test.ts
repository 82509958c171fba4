/** The network floor: what is judged is what is dialled, and nothing is followed, unpacked or waited for too long. */

import { afterEach, describe, expect, test } from "bun:test";
import { guardedFetch } from "../../src/egress/guarded-fetch.ts";
import { MAX_REQUESTS_PER_HOST } from "../../src/egress/host-slots.ts";
import { DIRECT, type NetworkPolicy } from "../../src/egress/network-policy.ts";
import { readCapped } from "../../src/egress/read-capped.ts";
import type { ByteBody } from "../../src/egress/watched-body.ts";
import { FermixError } from "../../src/kernel/error.ts";
import { HttpFailure } from "../../src/kernel/http-failure.ts";
import type { HttpReply } from "../../src/kernel/ports.ts";
import { expectRefusal } from "../expect.ts";
import { FakeDns } from "../fakes/dns.ts";
import { FakeHttp, reply, stalledAfter, streamOf } from "../fakes/http.ts";
import { ManualClock } from "../fakes/manual-clock.ts";

const URL_ASKED = "https://api.example.com/v1";
const HOST = "api.example.com";

function world(...answers: readonly (readonly string[])[]) {
  const clock = new ManualClock();
  const dns = new FakeDns().answer(HOST, ...(answers.length === 0 ? [["93.184.216.34"]] : answers));
  const http = new FakeHttp();
  return { clock, dns, http };
}

const text = async (body: ByteBody | null): Promise<string> =>
  Buffer.from(await readCapped(body, 1_000_000, () => new Error("too large"))).toString();

describe("which address is dialled", () => {
  test("the judged one, although the name would resolve to another a moment later", async () => {
    const ports = world(["93.184.216.34"], ["127.0.0.1"]);
    ports.http.on(URL_ASKED, () => reply(200, "hello"));
    const answer = await guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    expect(await text(answer.body)).toBe("hello");
    expect(ports.http.sent.map(({ address }) => address)).toEqual(["93.184.216.34"]);
    expect(ports.dns.asked).toEqual([HOST]);
  });

  for (const answers of [
    ["127.0.0.1"],
    ["93.184.216.34", "10.0.0.1"],
    ["2606:4700::1111", "fd00::1"],
    ["::ffff:10.0.0.1"],
  ]) {
    test(`none, when one of the answers is not public: ${answers.join(" ")}`, async () => {
      const ports = world(answers);
      await expectRefusal(guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT }), "blocked_address");
      expect(ports.http.sent).toEqual([]);
    });
  }

  test("none, when a fake-ip proxy answers, and the message says so", async () => {
    const ports = world(["198.18.0.7"]);
    await expectRefusal(guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT }), "blocked_address", {
      host: HOST,
      address: "198.18.0.7",
      reason: "which is a range that fake-ip VPNs and proxies answer with",
    });
  });

  test("none, when the name has no address", async () => {
    await expectRefusal(guardedFetch(world([]), { url: URL_ASKED }, { network: DIRECT }), "dns_failed", { host: HOST });
  });

  test("none, and nothing is resolved, when the URL itself is refused", async () => {
    const ports = world();
    await expectRefusal(guardedFetch(ports, { url: "https://127.0.0.1/" }, { network: DIRECT }), "blocked_url");
    expect([ports.dns.asked, ports.http.sent]).toEqual([[], []]);
  });

  test("IPv4 first, and the next one only when nothing was sent to the one before", async () => {
    const ports = world(["2606:4700::1111", "1.1.1.1"]);
    ports.http.on(URL_ASKED, ({ address }) => {
      if (address !== "2606:4700::1111") throw new HttpFailure("connect", "refused");
      return reply(200, "v6");
    });
    expect(await text((await guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT })).body)).toBe("v6");
    expect(ports.http.sent.map(({ address }) => address)).toEqual(["1.1.1.1", "2606:4700::1111"]);
  });

  test("no second one after a broken connection or a refused certificate", async () => {
    for (const kind of ["reset", "tls"] as const) {
      const ports = world(["1.1.1.1", "1.0.0.1"]);
      ports.http.on(URL_ASKED, () => {
        throw new HttpFailure(kind, "it broke");
      });
      await expectRefusal(guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT }), "network_failed", {
        host: HOST,
        reason: "it broke",
      });
      expect(ports.http.sent).toHaveLength(1);
    }
  });

  test("a refused certificate is told with what is wrong with it, so that the fix can help", async () => {
    for (const [code, certificate] of [
      ["CERT_HAS_EXPIRED", "time"],
      ["CERT_NOT_YET_VALID", "time"],
      ["ERR_TLS_CERT_ALTNAME_INVALID", "identity"],
      ["UNABLE_TO_GET_ISSUER_CERT_LOCALLY", "identity"],
      ["UNABLE_TO_VERIFY_LEAF_SIGNATURE", "identity"],
      ["DEPTH_ZERO_SELF_SIGNED_CERT", "identity"],
      ["SELF_SIGNED_CERT_IN_CHAIN", "identity"],
    ] as const) {
      const ports = world();
      ports.http.on(URL_ASKED, () => {
        throw new HttpFailure("tls", "refused", { cause: Object.assign(new Error("refused"), { code }) });
      });
      const details = { host: HOST, reason: "refused", certificate };
      await expectRefusal(guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT }), "network_failed", details);
    }
  });

  test("four at most, however many the name has", async () => {
    const ports = world(["1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4", "1.0.0.5"]);
    ports.http.on(URL_ASKED, () => {
      throw new HttpFailure("connect", "refused");
    });
    await expectRefusal(guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT }), "network_failed");
    expect(ports.http.sent.map(({ address }) => address)).toEqual(["1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4"]);
  });
});

describe("through the operator's proxy", () => {
  const network: NetworkPolicy = { proxy: "http://proxy.example.net:3128", totalMs: undefined };

  test("the name is judged, and nothing is resolved", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => reply(200, "hello"));
    expect(await text((await guardedFetch(ports, { url: URL_ASKED }, { network })).body)).toBe("hello");
    expect(ports.dns.asked).toEqual([]);
    expect(ports.http.sent.map(({ proxy, address }) => [proxy, address])).toEqual([[network.proxy, undefined]]);
    for (const url of ["https://127.0.0.1/", "https://printer.local/", "http://api.example.com/"]) {
      await expectRefusal(guardedFetch(ports, { url }, { network }), "blocked_url");
    }
  });

  test("a failure names it", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => {
      throw new HttpFailure("connect", "the connection was refused");
    });
    await expectRefusal(guardedFetch(ports, { url: URL_ASKED }, { network }), "network_failed", {
      host: HOST,
      reason: "through the proxy http://proxy.example.net:3128: the connection was refused",
    });
  });
});

describe("what is sent and what comes back", () => {
  test("a redirect is handed back, not followed", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => reply(302, null, { location: "https://evil.example.net/" }));
    const answer = await guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    expect([answer.status, answer.headers.get("location")]).toEqual([302, "https://evil.example.net/"]);
    expect(ports.dns.asked).toEqual([HOST]);
  });

  test("host and encoding are the transport's own, whatever the caller says", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => reply(204));
    const headers = { Host: "evil.example.net", "Accept-Encoding": "br", Connection: "upgrade", "x-own": "1" };
    await guardedFetch(ports, { url: URL_ASKED, method: "POST", headers, body: "{}" }, { network: DIRECT });
    const [sent] = ports.http.sent;
    expect(sent?.headers).toEqual({ "user-agent": "fermix", "x-own": "1", "accept-encoding": "identity" });
    expect([sent?.method, sent?.body]).toEqual(["POST", "{}"]);
  });
});

describe("deadlines", () => {
  const never = <T>(): Promise<T> => new Promise<T>(() => undefined);

  test("10 s to find the address", async () => {
    const ports = { ...world(), dns: { lookup: () => never<readonly string[]>() } };
    const asked = guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    asked.catch(() => undefined);
    await ports.clock.advance(0);
    await ports.clock.advance(9_999);
    expect(ports.clock.sleeping).toBe(2);
    await ports.clock.advance(1);
    await expectRefusal(asked, "network_timeout", { host: HOST, phase: "connect", afterMs: 10_000 });
  });

  test("10 s to have a connection, then the next address has its turn; 30 s for all of them", async () => {
    const ports = world(["1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4"]);
    ports.http.on(URL_ASKED, ({ onConnection }) => {
      onConnection?.("opening");
      return never<HttpReply>();
    });
    const asked = guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    asked.catch(() => undefined);
    await ports.clock.advance(0);
    for (const dialled of [1, 2, 3]) {
      expect(ports.http.sent).toHaveLength(dialled);
      await ports.clock.advance(9_999);
      expect(ports.http.sent).toHaveLength(dialled);
      await ports.clock.advance(1);
    }
    await expectRefusal(asked, "network_timeout", { host: HOST, phase: "first_byte", afterMs: 30_000 });
    expect(ports.http.sent.map(({ signal }) => signal?.aborted)).toEqual([true, true, true]);
    expect(ports.clock.sleeping).toBe(0);
  });

  test("a connection that took too long is named when there is no other address", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, ({ onConnection }) => {
      onConnection?.("opening");
      return never<HttpReply>();
    });
    const asked = guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    asked.catch(() => undefined);
    await ports.clock.advance(0);
    await ports.clock.advance(10_000);
    await expectRefusal(asked, "network_timeout", { host: HOST, phase: "connect", afterMs: 10_000 });
  });

  test("an open connection may be silent until the first byte is due", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, ({ onConnection }) => {
      onConnection?.("opening");
      onConnection?.("open");
      return never<HttpReply>();
    });
    const asked = guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    asked.catch(() => undefined);
    await ports.clock.advance(0);
    await ports.clock.advance(29_999);
    expect(ports.http.sent[0]?.signal?.aborted).toBe(false);
    await ports.clock.advance(1);
    await expectRefusal(asked, "network_timeout", { host: HOST, phase: "first_byte", afterMs: 30_000 });
  });

  test("the operator's time replaces the 60 s, and the caller's replaces the operator's", async () => {
    for (const [deadlines, afterMs] of [
      [{}, 5_000],
      [{ totalMs: 7_000 }, 7_000],
    ] as const) {
      const ports = world();
      ports.http.on(URL_ASKED, () => never<HttpReply>());
      const network = { ...DIRECT, totalMs: 5_000 };
      const asked = guardedFetch(ports, { url: URL_ASKED }, { network, deadlines });
      asked.catch(() => undefined);
      await ports.clock.advance(0);
      await ports.clock.advance(afterMs - 1);
      expect(ports.http.sent[0]?.signal?.aborted).toBe(false);
      await ports.clock.advance(1);
      await expectRefusal(asked, "network_timeout", { host: HOST, phase: "total", afterMs });
    }
  });

  test("30 s to the head of the answer, and the request is aborted", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => never<HttpReply>());
    const asked = guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    asked.catch(() => undefined);
    await ports.clock.advance(0);
    await ports.clock.advance(30_000);
    await expectRefusal(asked, "network_timeout", { host: HOST, phase: "first_byte", afterMs: 30_000 });
    expect(ports.http.sent[0]?.signal?.aborted).toBe(true);
  });

  test("where no answer came in time, the next request asks where the name leads now", async () => {
    const ports = world(["1.1.1.1"], ["1.0.0.1"]);
    ports.http.on(URL_ASKED, ({ address }) => (address === "1.1.1.1" ? never<HttpReply>() : reply(200, "x")));
    const asked = guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    asked.catch(() => undefined);
    await ports.clock.advance(0);
    await ports.clock.advance(30_000);
    await expectRefusal(asked, "network_timeout", { host: HOST, phase: "first_byte", afterMs: 30_000 });
    await text((await guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT })).body);
    expect(ports.http.sent.map(({ address }) => address)).toEqual(["1.1.1.1", "1.0.0.1"]);
  });

  test("60 s to the last byte", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => ({ status: 200, headers: new Headers(), body: stalledAfter(["one"]) }));
    const answer = await guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    const body = text(answer.body);
    body.catch(() => undefined);
    await ports.clock.advance(60_000);
    await expectRefusal(body, "network_timeout", { host: HOST, phase: "total", afterMs: 60_000 });
  });

  test("no timer is left behind by a request that ended", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => reply(200, "x"));
    await text((await guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT })).body);
    expect(ports.clock.sleeping).toBe(0);
  });

  test("the caller's own abort ends it with the caller's reason", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => never<HttpReply>());
    const stop = new AbortController();
    const asked = guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT, signal: stop.signal });
    stop.abort(new Error("enough"));
    await expect(asked).rejects.toThrow("enough");
    expect(ports.clock.sleeping).toBe(0);
  });
});

describe("requests at once", () => {
  const bodies: (ByteBody | null)[] = [];
  afterEach(async () => {
    for (const body of bodies.splice(0)) await body?.cancel();
  });

  test("eight to one host; the ninth starts when one has ended", async () => {
    const ports = world();
    ports.http.on(URL_ASKED, () => reply(200, "x"));
    for (let at = 0; at < 8; at += 1) {
      bodies.push((await guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT })).body);
    }
    const ninth = guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT });
    await ports.clock.advance(0);
    expect(ports.http.sent).toHaveLength(8);
    await bodies.shift()?.cancel();
    bodies.push((await ninth).body);
    expect(ports.http.sent).toHaveLength(9);
  });

  test("a request that was refused gives its place back", async () => {
    const ports = world(["127.0.0.1"]);
    for (let at = 0; at <= MAX_REQUESTS_PER_HOST; at += 1) {
      await expectRefusal(guardedFetch(ports, { url: URL_ASKED }, { network: DIRECT }), "blocked_address");
    }
  });
});

describe("reading with a cap", () => {
  const tooLarge = (): FermixError => new FermixError("reply_too_large", { host: HOST, limit: 6 });

  test("takes a body of exactly the cap", async () => {
    expect(await readCapped(streamOf(["abc", "def"]), 6, tooLarge)).toEqual(Buffer.from("abcdef"));
    expect(await readCapped(null, 6, tooLarge)).toEqual(new Uint8Array(0));
  });

  test("refuses one byte more, and cancels what is left", async () => {
    let cancelled = false;
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => controller.enqueue(Buffer.from("abc")),
      cancel: () => {
        cancelled = true;
      },
    });
    await expectRefusal(readCapped(endless, 6, tooLarge), "reply_too_large", { host: HOST, limit: 6 });
    expect(cancelled).toBe(true);
  });
});
