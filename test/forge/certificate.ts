/** Makes a throwaway certificate authority and server certificates, so that TLS in tests is checked for real. */
import { createHash, generateKeyPairSync, type KeyObject, sign } from "node:crypto";

/** A server certificate (PEM) and its key. */
export interface ServerIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface TestAuthority {
  /** PEM of the root. */
  readonly certificate: string;
  /** A server certificate and its key for these DNS names. */
  issue(...names: readonly string[]): ServerIdentity;
  /** The same, valid in this time alone; both ends as `YYMMDD`. */
  issueFor(time: Validity, ...names: readonly string[]): ServerIdentity;
}

interface Validity {
  readonly from: string;
  readonly until: string;
}

const LONG: Validity = { from: "200101", until: "490101" };

const OID = {
  commonName: [2, 5, 4, 3],
  subjectAltName: [2, 5, 29, 17],
  basicConstraints: [2, 5, 29, 19],
  ecdsaWithSha256: [1, 2, 840, 10045, 4, 3, 2],
} as const;

/** A fresh authority; everything it issues is valid from 2020 to 2049. */
export function newAuthority(name = "Fermix test root"): TestAuthority {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const isAuthority = extension(OID.basicConstraints, sequence(boolean(true)), true);
  const issueFor = (time: Validity, ...names: readonly string[]): ServerIdentity => {
    const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const parties = { subject: names[0] ?? "", issuer: name };
    return {
      cert: certificate(parties, own.publicKey, keys.privateKey, [namesOf(names)], time),
      key: pemOf(own.privateKey),
    };
  };
  return {
    certificate: certificate({ subject: name, issuer: name }, keys.publicKey, keys.privateKey, [isAuthority]),
    issue: (...names) => issueFor(LONG, ...names),
    issueFor,
  };
}

/** A server certificate that nobody but itself vouches for. */
export function selfSigned(...names: readonly string[]): ServerIdentity {
  const own = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const parties = { subject: names[0] ?? "", issuer: names[0] ?? "" };
  return {
    cert: certificate(parties, own.publicKey, own.privateKey, [namesOf(names)]),
    key: pemOf(own.privateKey),
  };
}

function namesOf(names: readonly string[]): Buffer {
  return extension(OID.subjectAltName, sequence(...names.map((dns) => der(0x82, Buffer.from(dns)))), false);
}

function pemOf(key: KeyObject): string {
  return key.export({ type: "pkcs8", format: "pem" }).toString();
}

/** An X.509 version 3 certificate (RFC 5280 4.1). */
function certificate(
  { subject, issuer }: { readonly subject: string; readonly issuer: string },
  publicKey: KeyObject,
  signer: KeyObject,
  extensions: readonly Buffer[],
  { from, until }: Validity = LONG,
): string {
  const spki = publicKey.export({ type: "spki", format: "der" });
  const algorithm = sequence(oid(OID.ecdsaWithSha256));
  const serial = createHash("sha256").update(spki).digest().subarray(0, 8);
  const tbs = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.concat([Buffer.from([1]), serial])),
    algorithm,
    nameOf(issuer),
    sequence(der(0x17, Buffer.from(`${from}000000Z`)), der(0x17, Buffer.from(`${until}000000Z`))),
    nameOf(subject),
    spki,
    der(0xa3, sequence(...extensions)),
  );
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", tbs, signer)]));
  const body = sequence(tbs, algorithm, signature).toString("base64");
  return `-----BEGIN CERTIFICATE-----\n${body.replace(/.{64}(?=.)/g, "$&\n")}\n-----END CERTIFICATE-----\n`;
}

function nameOf(text: string): Buffer {
  return sequence(der(0x31, sequence(oid(OID.commonName), der(0x0c, Buffer.from(text)))));
}

function extension(id: readonly number[], value: Buffer, critical: boolean): Buffer {
  return sequence(oid(id), ...(critical ? [boolean(true)] : []), der(0x04, value));
}

function boolean(value: boolean): Buffer {
  return der(0x01, Buffer.from([value ? 0xff : 0]));
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts));
}

function oid([first = 0, second = 0, ...rest]: readonly number[]): Buffer {
  const base128 = (value: number): number[] => {
    const digits = [value & 0x7f];
    for (let left = value >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80);
    return digits;
  };
  return der(0x06, Buffer.from([first * 40 + second, ...rest.flatMap(base128)]));
}

/** Tag, length, content (X.690). */
function der(tag: number, content: Buffer): Buffer {
  const size = content.byteLength;
  const length = size < 0x80 ? [size] : size < 0x100 ? [0x81, size] : [0x82, size >> 8, size & 0xff];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}
