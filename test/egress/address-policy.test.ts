/** The golden table of addresses: the edges of every refused range, and their public neighbours (DECISIONS 15). */
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { addressProblem } from "../../src/egress/address-policy.ts";

const REFUSED: readonly (readonly [address: string, why: string])[] = [
  ["0.0.0.0", "this network"],
  ["0.255.255.255", "this network"],
  ["10.0.0.0", "a private network"],
  ["10.255.255.255", "a private network"],
  ["100.64.0.0", "carrier-grade NAT"],
  ["100.127.255.255", "carrier-grade NAT"],
  ["127.0.0.1", "this machine"],
  ["127.255.255.255", "this machine"],
  ["168.63.129.16", "a cloud's host agent"],
  ["169.254.0.0", "link-local or cloud metadata"],
  ["169.254.169.254", "link-local or cloud metadata"],
  ["172.16.0.0", "a private network"],
  ["172.31.255.255", "a private network"],
  ["192.0.0.0", "protocol assignments"],
  ["192.0.0.255", "protocol assignments"],
  ["192.0.2.1", "documentation"],
  ["192.88.99.1", "a 6to4 relay"],
  ["192.168.0.0", "a private network"],
  ["192.168.255.255", "a private network"],
  ["198.18.0.0", "a range that fake-ip VPNs and proxies answer with"],
  ["198.19.255.255", "a range that fake-ip VPNs and proxies answer with"],
  ["198.51.100.7", "documentation"],
  ["203.0.113.7", "documentation"],
  ["224.0.0.0", "multicast"],
  ["239.255.255.255", "multicast"],
  ["240.0.0.0", "reserved or broadcast"],
  ["255.255.255.255", "reserved or broadcast"],
  ["::", "not a public IPv6 address"],
  ["::1", "not a public IPv6 address"],
  ["::7f00:1", "not a public IPv6 address"],
  ["::127.0.0.1", "not a public IPv6 address"],
  ["::8.8.8.8", "not a public IPv6 address"],
  ["64:ff9b:1::8.8.8.8", "not a public IPv6 address"],
  ["100::1", "not a public IPv6 address"],
  ["1fff:ffff::1", "not a public IPv6 address"],
  ["4000::1", "not a public IPv6 address"],
  ["5f00::1", "not a public IPv6 address"],
  ["fc00::1", "not a public IPv6 address"],
  ["fd00:ec2::254", "not a public IPv6 address"],
  ["fe80::1", "not a public IPv6 address"],
  ["fec0::1", "not a public IPv6 address"],
  ["ff02::1", "not a public IPv6 address"],
  ["2001::1", "protocol assignments (Teredo, benchmarking, ORCHID)"],
  ["2001:1ff:ffff::1", "protocol assignments (Teredo, benchmarking, ORCHID)"],
  ["2001:db8::1", "documentation"],
  ["2620:4f:8000::1", "AS112 sinks"],
  ["3fff::1", "documentation"],
  ["3fff:fff:ffff::1", "documentation"],
  ["::ffff:127.0.0.1", "this machine"],
  ["::ffff:7f00:1", "this machine"],
  ["::ffff:169.254.169.254", "link-local or cloud metadata"],
  ["64:ff9b::10.0.0.1", "a private network"],
  ["64:ff9b::a9fe:a9fe", "link-local or cloud metadata"],
  ["2002:7f00:1::1", "this machine"],
  ["2002:c0a8:101::", "a private network"],
];

const PUBLIC = [
  ...["1.0.0.0", "1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "93.184.216.34", "100.63.255.255", "100.128.0.0"],
  ...["126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255", "169.255.0.0"],
  ...["172.15.255.255", "172.32.0.0", "192.0.1.0", "192.0.3.0", "192.88.98.255", "192.88.100.0", "192.167.255.255"],
  ...[
    "192.169.0.0",
    "198.17.255.255",
    "198.20.0.0",
    "198.51.99.255",
    "203.0.112.255",
    "203.0.114.0",
    "223.255.255.255",
  ],
  ...["2000::1", "2001:200::1", "2001:4860:4860::8888", "2606:4700::1111", "2620:4f:8001::1", "3ffe:ffff::1"],
  ...["3fff:1000::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"],
];

describe("an address that is not public for certain is not dialled", () => {
  for (const [address, why] of REFUSED) {
    test(address, () => expect(addressProblem(address)).toBe(`which is ${why}`));
  }
});

test("public addresses, and the neighbours of every refused range, are dialled", () => {
  expect(PUBLIC.filter((address) => addressProblem(address) !== undefined)).toEqual([]);
});

test("what is no address, or names an interface, is refused", () => {
  for (const text of ["", "localhost", "1.2.3", "1.2.3.4.5", "fe80::1%eth0", "8.8.8.8%1", "[::1]", "0x7f.1", "::g"]) {
    expect(addressProblem(text)).toBeDefined();
  }
});

test("an IPv4 address is judged alike in each form that carries it", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const plain = addressProblem(bytes.join("."));
      const hex = Buffer.from(bytes).toString("hex");
      const [high, low] = [hex.slice(0, 4), hex.slice(4)];
      expect(addressProblem(`::ffff:${bytes.join(".")}`)).toBe(plain);
      expect(addressProblem(`64:ff9b::${high}:${low}`)).toBe(plain);
      expect(addressProblem(`2002:${high}:${low}::1`)).toBe(plain);
    }),
  );
});
