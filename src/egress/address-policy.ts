/** Which resolved addresses Fermix may dial: only ones that are public for certain (spec 3.2, DECISIONS 15). */
import { IPv4, IPv6 } from "ipaddr.js";

type Range4 = readonly [cidr: string, why: string];

/** IPv4 ranges that are refused; the golden table of DECISIONS 15. */
const REFUSED_V4: readonly Range4[] = [
  ["0.0.0.0/8", "this network"],
  ["10.0.0.0/8", "a private network"],
  ["100.64.0.0/10", "carrier-grade NAT"],
  ["127.0.0.0/8", "this machine"],
  ["168.63.129.16/32", "a cloud's host agent"],
  ["169.254.0.0/16", "link-local or cloud metadata"],
  ["172.16.0.0/12", "a private network"],
  ["192.0.0.0/24", "protocol assignments"],
  ["192.0.2.0/24", "documentation"],
  ["192.88.99.0/24", "a 6to4 relay"],
  ["192.168.0.0/16", "a private network"],
  ["198.18.0.0/15", "a range that fake-ip VPNs and proxies answer with"],
  ["198.51.100.0/24", "documentation"],
  ["203.0.113.0/24", "documentation"],
  ["224.0.0.0/4", "multicast"],
  ["240.0.0.0/4", "reserved or broadcast"],
];

/** The special ranges inside 2000::/3, the only block IANA allocates to the public (IANA IPv6 special registry). */
const REFUSED_V6: readonly Range4[] = [
  ["2001::/23", "protocol assignments (Teredo, benchmarking, ORCHID)"],
  ["2001:db8::/32", "documentation"],
  ["2620:4f:8000::/48", "AS112 sinks"],
  ["3fff::/20", "documentation"],
];

const GLOBAL_UNICAST = IPv6.parseCIDR("2000::/3");
/** Forms that carry an IPv4 address, and the byte it starts at: IPv4-mapped, NAT64 (RFC 6052), 6to4 (RFC 3056). */
const EMBEDDING: readonly { readonly range: [IPv6, number]; readonly at: number }[] = [
  { range: IPv6.parseCIDR("::ffff:0:0/96"), at: 12 },
  { range: IPv6.parseCIDR("64:ff9b::/96"), at: 12 },
  { range: IPv6.parseCIDR("2002::/16"), at: 2 },
];

const V4_TABLE = REFUSED_V4.map(([cidr, why]) => ({ range: IPv4.parseCIDR(cidr), why }));
const V6_TABLE = REFUSED_V6.map(([cidr, why]) => ({ range: IPv6.parseCIDR(cidr), why }));

/** Why an address must not be dialled, as a phrase; undefined when it is public. */
export function addressProblem(address: string): string | undefined {
  if (address.includes(":")) {
    const dialled = asDialled(address);
    return dialled === undefined ? "which is not an address" : problemOfV6(IPv6.parse(dialled));
  }
  // The library also reads 1.2.3 and 0x7f.1, as C does.
  return IPv4.isValidFourPartDecimal(address) ? problemOfV4(IPv4.parse(address)) : "which is not an address";
}

/** An IPv6 address as the URL parser reads it, which is how it is dialled: the library takes ::1.2.3.4 for another one. */
function asDialled(address: string): string | undefined {
  return URL.parse(`https://[${address}]/`)?.hostname.slice(1, -1);
}

/** Whether an address is IPv4, which is dialled first: a broken IPv6 route fails only by waiting. */
export function isV4(address: string): boolean {
  return IPv4.isValid(address);
}

function problemOfV4(address: IPv4): string | undefined {
  const hit = V4_TABLE.find(({ range }) => address.match(range));
  return hit && `which is ${hit.why}`;
}

function problemOfV6(address: IPv6): string | undefined {
  const carrier = EMBEDDING.find(({ range }) => address.match(range));
  if (carrier !== undefined) return problemOfV4(new IPv4(address.toByteArray().slice(carrier.at, carrier.at + 4)));
  if (!address.match(GLOBAL_UNICAST)) return "which is not a public IPv6 address";
  const hit = V6_TABLE.find(({ range }) => address.match(range));
  return hit && `which is ${hit.why}`;
}
