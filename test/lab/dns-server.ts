/** A DNS server that answers from a script: `dns-server.ts SCRIPT`, on port 53 of the namespace's loopback. */
import { createSocket } from "node:dgram";
import { obey, say } from "./line-server.ts";

/** One answer: addresses of the asked type, or no such name, or a broken server, or never an answer. */
export type DnsAnswer =
  | readonly string[]
  | "nxdomain"
  | "servfail"
  | "silence"
  | { readonly afterMs: number; readonly then: readonly string[] };

/** What a name answers: the n-th query of a type gets the n-th answer, later ones the last; a type left out has none. */
export interface DnsName {
  readonly A?: readonly DnsAnswer[];
  readonly AAAA?: readonly DnsAnswer[];
}
/** By name; any other name does not exist. */
export type DnsScript = Readonly<Record<string, DnsName>>;
/** One query as it arrived, such as `A rebind.example`. */
export type DnsQuery = string;

const TYPES: ReadonlyMap<number, "A" | "AAAA"> = new Map([
  [1, "A"],
  [28, "AAAA"],
]);
const RESPONSE = 0x8180;
const SERVFAIL = 2;
const NXDOMAIN = 3;

const script: DnsScript = JSON.parse(process.argv[2] ?? "");
const seen = new Map<DnsQuery, number>();
const socket = createSocket("udp4");

socket.on("message", (query, from) => {
  const { name, type, end } = questionOf(query);
  const answer = type === undefined ? [] : answerFor(name, type);
  const send = (rcode: number, addresses: readonly string[]): void => {
    socket.send(
      reply(query.subarray(0, end), rcode, type === "AAAA" ? addresses.map(v6) : addresses.map(v4)),
      from.port,
      from.address,
    );
  };
  if (answer === "silence") return;
  if (answer === "nxdomain") send(NXDOMAIN, []);
  else if (answer === "servfail") send(SERVFAIL, []);
  else if ("afterMs" in answer) setTimeout(() => send(0, answer.then), answer.afterMs);
  else send(0, answer);
});

function answerFor(name: string, type: "A" | "AAAA"): DnsAnswer {
  const query = `${type} ${name}`;
  const earlier = seen.get(query) ?? 0;
  seen.set(query, earlier + 1);
  say<DnsQuery>({ fact: query });
  const known = script[name];
  if (known === undefined) return "nxdomain";
  const answers = known[type] ?? [];
  return answers[Math.min(earlier, answers.length - 1)] ?? [];
}

/** The first question (RFC 1035 4.1.2): labels, then type and class. */
function questionOf(query: Buffer): { name: string; type: "A" | "AAAA" | undefined; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length !== 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: TYPES.get(query.readUInt16BE(at + 1)), end: at + 5 };
}

/** The question again with these records, each pointing at the question's name; no time to live. */
function reply(question: Buffer, rcode: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(question);
  head.writeUInt16BE(RESPONSE | rcode, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  return Buffer.concat([
    head,
    ...records.map((data) => {
      const record = Buffer.alloc(12);
      record.writeUInt16BE(0xc00c, 0);
      record.writeUInt16BE(data.length === 4 ? 1 : 28, 2);
      record.writeUInt16BE(1, 4);
      record.writeUInt16BE(data.length, 10);
      return Buffer.concat([record, data]);
    }),
  ]);
}

const v4 = (address: string): Buffer => Buffer.from(address.split(".").map(Number));

function v6(address: string): Buffer {
  const embedded = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(address);
  if (embedded !== null) {
    const hex = v4(embedded[2] ?? "").toString("hex");
    return v6(`${embedded[1]}${hex.slice(0, 4)}:${hex.slice(4)}`);
  }
  const [head = "", tail] = address.split("::");
  const before = head === "" ? [] : head.split(":");
  const after = tail === undefined || tail === "" ? [] : tail.split(":");
  const groups = [...before, ...Array.from({ length: 8 - before.length - after.length }, () => "0"), ...after];
  return Buffer.from(groups.map((group) => group.padStart(4, "0")).join(""), "hex");
}

socket.bind(53, "127.0.0.1", () => say({ up: true }));
await obey(() => undefined);
