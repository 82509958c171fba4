/** The index signature: what holds, and every way in which it doesn't. */
import { describe, expect, test } from "bun:test";
import { generateKeyPairSync, sign } from "node:crypto";
import { openSigner } from "../../scripts/catalog/sign.ts";
import { assertIndexSigned, keyIdOf } from "../../src/catalog/verify-index.ts";
import { expectRefusal } from "../expect.ts";

const INDEX = Buffer.from('{"schema_version":1}\n');
const signer = openSigner(undefined);
const signature = signer.sign(INDEX);
const NOT_OURS = { reason: "its signature is not by this build's key" };
const UNDECODABLE = { reason: "its signature can't be decoded" };
const BAD_KEY = { reason: "its key can't be decoded" };

const judge = (index: string | Uint8Array, sig: string, key: string) => () =>
  assertIndexSigned(Buffer.from(index), Buffer.from(sig), Buffer.from(key));

describe("CAT-2/signed: the index signature", () => {
  test("of the build's own key holds, with or without a final newline", () => {
    judge(INDEX, signature, signer.publicPem)();
    judge(INDEX, `${signature}\n`, signer.publicPem)();
  });

  test("is refused when one bit of the index differs", async () => {
    for (const at of [0, 10, INDEX.length - 1]) {
      const tampered = Buffer.from(INDEX);
      tampered.writeUInt8(tampered.readUInt8(at) ^ 1, at);
      await expectRefusal(judge(tampered, signature, signer.publicPem), "catalog_untrusted", NOT_OURS);
    }
    await expectRefusal(
      judge(Buffer.concat([INDEX, Buffer.from(" ")]), signature, signer.publicPem),
      "catalog_untrusted",
      NOT_OURS,
    );
  });

  test("by another key is refused", async () => {
    const other = openSigner(undefined);
    await expectRefusal(judge(INDEX, other.sign(INDEX), signer.publicPem), "catalog_untrusted", NOT_OURS);
    await expectRefusal(judge(INDEX, signature, other.publicPem), "catalog_untrusted", NOT_OURS);
  });

  test("that is empty, no base64 or no DER is refused", async () => {
    for (const bad of ["", "\n", "not base64!", `${signature}\n${signature}`, "é"]) {
      await expectRefusal(judge(INDEX, bad, signer.publicPem), "catalog_untrusted", UNDECODABLE);
    }
    for (const bad of ["AAAA", Buffer.alloc(64).toString("base64"), signature.slice(0, -4)]) {
      await expectRefusal(judge(INDEX, bad, signer.publicPem), "catalog_untrusted", NOT_OURS);
    }
  });

  test("under a key of another kind or no key is refused", async () => {
    for (const bad of [
      "",
      "-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n",
      signer.publicPem.repeat(2),
    ]) {
      await expectRefusal(judge(INDEX, signature, bad), "catalog_untrusted", BAD_KEY);
    }
    const p384 = generateKeyPairSync("ec", { namedCurve: "P-384" });
    const pem = p384.publicKey.export({ type: "spki", format: "pem" }).toString();
    const strong = sign("sha256", INDEX, p384.privateKey).toString("base64");
    await expectRefusal(judge(INDEX, strong, pem), "catalog_untrusted", NOT_OURS);
  });
});

test("a key's id is the start of the SHA-256 of its SPKI DER", () => {
  const pem = `-----BEGIN PUBLIC KEY-----
MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEe3ZsnNxOFQ1bTzDF8F2fFOAZBsGz
pV3rGGMGNPvUC7ZxvWSa9Q3W6tDNTkMmuj3Ra0hsTfiDO3zkFdlXrS3XyQ==
-----END PUBLIC KEY-----
`;
  const der = Buffer.from(pem.split("\n").slice(1, 3).join(""), "base64");
  expect(keyIdOf(pem)).toBe(new Bun.CryptoHasher("sha256").update(der).digest("hex").slice(0, 32));
  expect(keyIdOf(`${pem}x`)).toBeUndefined();
  expect(keyIdOf(pem.replace("PUBLIC", "PRIVATE"))).toBeUndefined();
});
