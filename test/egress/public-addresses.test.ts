/** Which addresses of a name are given, in which order, and for how long the judgement stands. */
import { describe, expect, test } from "bun:test";
import { forgetAddresses, publicAddresses, rememberAnswer } from "../../src/egress/public-addresses.ts";
import type { Dns } from "../../src/kernel/ports.ts";
import { expectRefusal } from "../expect.ts";
import { FakeDns } from "../fakes/dns.ts";
import { ManualClock } from "../fakes/manual-clock.ts";

const HOST = "api.example.com";

function world(...answers: readonly (readonly string[])[]) {
  return { clock: new ManualClock(), dns: new FakeDns().answer(HOST, ...answers) };
}

describe("the order", () => {
  test("is IPv4 first, each once, four at most", async () => {
    const ports = world(["1.0.0.1", "1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4", "1.0.0.5"]);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4"]);
  });

  test("has an IPv6 address second, so that a network without IPv4 reaches a name that has much of it", async () => {
    const [v6, other] = ["2606:4700::1111", "2606:4700::1112"];
    const ports = world([v6, "1.0.0.1", other, "1.0.0.2", "1.0.0.3", "1.0.0.4"], [other, v6], [v6, other, "1.0.0.1"]);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.1", v6, "1.0.0.2", "1.0.0.3"]);
    await ports.clock.advance(30_000);
    expect(await publicAddresses(ports, HOST)).toEqual([other, v6]);
    await ports.clock.advance(30_000);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.1", v6, other]);
  });

  test("starts with the address that answered last, also after the name was resolved again", async () => {
    const ports = world(["1.0.0.1", "1.0.0.2"], ["1.0.0.3", "1.0.0.2"], ["1.0.0.4"]);
    await publicAddresses(ports, HOST);
    rememberAnswer(ports, HOST, "1.0.0.2");
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.2", "1.0.0.1"]);
    await ports.clock.advance(30_000);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.2", "1.0.0.3"]);
    await ports.clock.advance(30_000);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.4"]);
  });
});

describe("a resolver that takes its time", () => {
  /** Answers when the test says so. */
  class SlowDns implements Dns {
    readonly asked: PromiseWithResolvers<readonly string[]>[] = [];

    lookup(): Promise<readonly string[]> {
      const answer = Promise.withResolvers<readonly string[]>();
      this.asked.push(answer);
      return answer.promise;
    }
  }

  const slow = () => ({ clock: new ManualClock(), dns: new SlowDns() });

  async function judgedOnce(ports: ReturnType<typeof slow>): Promise<void> {
    const first = publicAddresses(ports, HOST);
    ports.dns.asked[0]?.resolve(["1.0.0.1"]);
    expect(await first).toEqual(["1.0.0.1"]);
  }

  test("is asked once for a name at a time, although the name was given up meanwhile", async () => {
    const ports = slow();
    const first = publicAddresses(ports, HOST);
    forgetAddresses(ports, HOST);
    const second = publicAddresses(ports, HOST);
    ports.dns.asked[0]?.resolve(["1.0.0.1"]);
    expect([await first, await second, ports.dns.asked.length]).toEqual([["1.0.0.1"], ["1.0.0.1"], 1]);
    forgetAddresses(ports, HOST);
    const third = publicAddresses(ports, HOST);
    ports.dns.asked[1]?.resolve(["1.0.0.2"]);
    expect(await third).toEqual(["1.0.0.2"]);
  });

  test("holds up nobody for more than a second whose name was judged in the last ten minutes", async () => {
    const ports = slow();
    await judgedOnce(ports);
    await ports.clock.advance(599_998);
    let given: readonly string[] | undefined;
    const waiting = publicAddresses(ports, HOST).then((addresses) => {
      given = addresses;
    });
    await ports.clock.advance(999);
    expect(given).toBeUndefined();
    await ports.clock.advance(1);
    await waiting;
    expect(given).toEqual(["1.0.0.1"]);
    ports.dns.asked[1]?.resolve(["1.0.0.2"]);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.2"]);
    expect(ports.clock.sleeping).toBe(0);
  });

  test("is waited for after those ten minutes, and where it answers within the second", async () => {
    const ports = slow();
    await judgedOnce(ports);
    await ports.clock.advance(30_000);
    const soon = publicAddresses(ports, HOST);
    ports.dns.asked[1]?.resolve(["1.0.0.2"]);
    expect([await soon, ports.clock.sleeping]).toEqual([["1.0.0.2"], 0]);
    await ports.clock.advance(600_000);
    const late = publicAddresses(ports, HOST);
    expect(ports.clock.sleeping).toBe(0);
    ports.dns.asked[2]?.resolve(["1.0.0.3"]);
    expect(await late).toEqual(["1.0.0.3"]);
  });

  test("cannot keep a name alive that it then says is private", async () => {
    const ports = slow();
    await judgedOnce(ports);
    await ports.clock.advance(30_000);
    const stood = publicAddresses(ports, HOST);
    await ports.clock.advance(1_000);
    expect(await stood).toEqual(["1.0.0.1"]);
    ports.dns.asked[1]?.resolve(["10.0.0.1"]);
    await ports.clock.advance(0);
    const after = publicAddresses(ports, HOST);
    ports.dns.asked[2]?.resolve(["10.0.0.1"]);
    await expectRefusal(after, "blocked_address");
  });
});

describe("a judgement stands", () => {
  test("for 30 s and not a moment longer", async () => {
    const ports = world(["1.0.0.1"], ["127.0.0.1"]);
    await publicAddresses(ports, HOST);
    await ports.clock.advance(29_999);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.1"]);
    expect(ports.dns.asked).toEqual([HOST]);
    await ports.clock.advance(1);
    await expectRefusal(publicAddresses(ports, HOST), "blocked_address", {
      host: HOST,
      address: "127.0.0.1",
      reason: "which is this machine",
    });
  });

  test("for requests that come while the name is being resolved", async () => {
    const ports = world(["1.0.0.1"], ["127.0.0.1"]);
    const both = await Promise.all([publicAddresses(ports, HOST), publicAddresses(ports, HOST)]);
    expect([both, ports.dns.asked]).toEqual([[["1.0.0.1"], ["1.0.0.1"]], [HOST]]);
  });

  test("not when it was a refusal or there was no answer", async () => {
    const ports = world(["10.0.0.1"], [], ["1.0.0.1"]);
    await expectRefusal(publicAddresses(ports, HOST), "blocked_address");
    await expectRefusal(publicAddresses(ports, HOST), "dns_failed", { host: HOST });
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.1"]);
  });

  test("not after the name could not be reached", async () => {
    const ports = world(["1.0.0.1"], ["1.0.0.2"]);
    await publicAddresses(ports, HOST);
    forgetAddresses(ports, HOST);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.2"]);
  });

  test("for 256 names; one more makes the oldest go", async () => {
    const dns = new FakeDns();
    const ports = { clock: new ManualClock(), dns };
    const names = Array.from({ length: 257 }, (_, at) => `n${at}.example.com`);
    for (const name of names) await publicAddresses({ ...ports, dns: dns.answer(name, ["1.0.0.1"]) }, name);
    await publicAddresses(ports, names[1] ?? "");
    expect(dns.asked).toHaveLength(257);
    await publicAddresses(ports, names[0] ?? "");
    expect(dns.asked).toHaveLength(258);
  });
});
