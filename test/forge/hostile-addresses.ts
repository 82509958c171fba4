/** One address of every kind that must never be dialled, and every way to write it as the host of a URL. */

/** A kind of address, one of its kind, and why it is refused (DECISIONS 15). */
export interface HostileAddress {
  /** Lower case, words joined by `_`: also the end of a tool's name and the first label of a host name. */
  readonly kind: string;
  readonly address: string;
  readonly why: string;
}

const V6 = "not a public IPv6 address";

export const HOSTILE_ADDRESSES: readonly HostileAddress[] = [
  { kind: "this_network", address: "0.0.0.0", why: "this network" },
  { kind: "private_10", address: "10.0.0.1", why: "a private network" },
  { kind: "carrier_nat", address: "100.64.0.1", why: "carrier-grade NAT" },
  { kind: "alibaba_metadata", address: "100.100.100.200", why: "carrier-grade NAT" },
  { kind: "loopback", address: "127.0.0.1", why: "this machine" },
  { kind: "other_loopback", address: "127.8.8.8", why: "this machine" },
  { kind: "azure_host", address: "168.63.129.16", why: "a cloud's host agent" },
  { kind: "link_local", address: "169.254.1.1", why: "link-local or cloud metadata" },
  { kind: "cloud_metadata", address: "169.254.169.254", why: "link-local or cloud metadata" },
  { kind: "private_172", address: "172.17.0.1", why: "a private network" },
  { kind: "oracle_metadata", address: "192.0.0.192", why: "protocol assignments" },
  { kind: "documentation_1", address: "192.0.2.1", why: "documentation" },
  { kind: "relay_6to4", address: "192.88.99.1", why: "a 6to4 relay" },
  { kind: "private_192", address: "192.168.1.1", why: "a private network" },
  { kind: "fake_ip", address: "198.18.0.7", why: "a range that fake-ip VPNs and proxies answer with" },
  { kind: "documentation_2", address: "198.51.100.1", why: "documentation" },
  { kind: "documentation_3", address: "203.0.113.1", why: "documentation" },
  { kind: "multicast", address: "224.0.0.1", why: "multicast" },
  { kind: "reserved", address: "240.0.0.1", why: "reserved or broadcast" },
  { kind: "broadcast", address: "255.255.255.255", why: "reserved or broadcast" },
  { kind: "v6_unspecified", address: "::", why: V6 },
  { kind: "v6_loopback", address: "::1", why: V6 },
  { kind: "v6_compatible", address: "::7f00:1", why: V6 },
  { kind: "v6_compatible_public", address: "::8.8.8.8", why: V6 },
  { kind: "v6_mapped_loopback", address: "::ffff:127.0.0.1", why: "this machine" },
  { kind: "v6_mapped_private", address: "::ffff:10.0.0.1", why: "a private network" },
  { kind: "v6_translated", address: "::ffff:0:127.0.0.1", why: V6 },
  { kind: "nat64_metadata", address: "64:ff9b::169.254.169.254", why: "link-local or cloud metadata" },
  { kind: "nat64_private", address: "64:ff9b::10.0.0.1", why: "a private network" },
  { kind: "nat64_local_use", address: "64:ff9b:1::8.8.8.8", why: V6 },
  { kind: "tunnel_6to4", address: "2002:7f00:1::1", why: "this machine" },
  { kind: "teredo", address: "2001::1", why: "protocol assignments (Teredo, benchmarking, ORCHID)" },
  { kind: "v6_benchmark", address: "2001:2::1", why: "protocol assignments (Teredo, benchmarking, ORCHID)" },
  { kind: "orchid", address: "2001:20::1", why: "protocol assignments (Teredo, benchmarking, ORCHID)" },
  { kind: "v6_documentation", address: "2001:db8::1", why: "documentation" },
  { kind: "v6_documentation_2", address: "3fff::1", why: "documentation" },
  { kind: "as112", address: "2620:4f:8000::1", why: "AS112 sinks" },
  { kind: "v6_discard", address: "100::1", why: V6 },
  { kind: "v6_private", address: "fd12:3456::1", why: V6 },
  { kind: "v6_aws_metadata", address: "fd00:ec2::254", why: V6 },
  { kind: "v6_link_local", address: "fe80::1", why: V6 },
  { kind: "v6_site_local", address: "fec0::1", why: V6 },
  { kind: "v6_multicast", address: "ff02::1", why: V6 },
  { kind: "v6_segment_routing", address: "5f00::1", why: V6 },
  { kind: "v6_unallocated", address: "4000::1", why: V6 },
];

/** The host part of a URL that leads there: as usual first, then each other spelling that a URL parser reads alike. */
export function spellings(address: string): readonly string[] {
  if (!address.includes(":")) return v4Spellings(address.split(".").map(Number));
  const [host, upper] = [`[${address}]`, `[${address.toUpperCase()}]`];
  return upper === host ? [host] : [host, upper];
}

function v4Spellings(bytes: readonly number[]): readonly string[] {
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const whole = ((a << 24) | (b << 16) | (c << 8) | d) >>> 0;
  const hex = (value: number): string => `0x${value.toString(16)}`;
  const octal = (value: number): string => `0${value.toString(8)}`;
  return [
    bytes.join("."),
    String(whole),
    hex(whole),
    octal(whole),
    bytes.map(hex).join("."),
    bytes.map(octal).join("."),
    `${bytes.join(".")}.`,
    `${a}.${(b << 16) | (c << 8) | d}`,
    `${a}.${b}.${(c << 8) | d}`,
    `${hex(a)}.${octal(b)}.${c}.${d}`,
  ];
}
