/** Which addresses of a name are given, in which order, and for how long the judgement stands. */
import { describe, expect, test } from "bun:test";
import { forgetAddresses, publicAddresses, rememberAnswer } from "../../src/egress/public-addresses.ts";
import { expectRefusal } from "../expect.ts";
import { FakeDns } from "../fakes/dns.ts";
import { ManualClock } from "../fakes/manual-clock.ts";

const HOST = "api.example.com";

function world(...answers: readonly (readonly string[])[]) {
  return { clock: new ManualClock(), dns: new FakeDns().answer(HOST, ...answers) };
}

describe("the order", () => {
  test("is IPv4 first, each once, four at most", async () => {
    const ports = world(["2606:4700::1111", "1.0.0.1", "1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4"]);
    expect(await publicAddresses(ports, HOST)).toEqual(["1.0.0.1", "1.0.0.2", "1.0.0.3", "1.0.0.4"]);
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
