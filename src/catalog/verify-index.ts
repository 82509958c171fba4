/** Whether the catalog's index was signed by the key built into this binary (DECISIONS 6), judged in process. */
import { createHash, createPublicKey, verify } from "node:crypto";
import { FermixError } from "../kernel/error.ts";

/** Characters of a key id: 128 bits of SHA-256, beyond any second preimage. */
const KEY_ID_LENGTH = 32;
const PUBLIC_KEY_PEM = /^-----BEGIN PUBLIC KEY-----\n([A-Za-z0-9+/=\n]+)\n-----END PUBLIC KEY-----\n?$/;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * The id of a publisher key: the first 32 hex digits of the SHA-256 of its SPKI DER (DECISIONS 1).
 * undefined when the text is not one PEM public key.
 */
export function keyIdOf(pem: string): string | undefined {
  const body = PUBLIC_KEY_PEM.exec(pem)?.[1];
  if (body === undefined) return undefined;
  return createHash("sha256").update(Buffer.from(body, "base64")).digest("hex").slice(0, KEY_ID_LENGTH);
}

/**
 * Passes when `signature` (base64 of a DER ECDSA P-256 signature over SHA-256, as `cosign sign-blob` writes it)
 * over `index` verifies under the PEM `publicKey`; throws catalog_untrusted otherwise (CAT-2).
 */
export function assertIndexSigned(index: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): void {
  const text = Buffer.from(signature).toString("latin1").trim();
  if (!BASE64.test(text)) throw untrusted("its signature can't be decoded");
  if (!signatureHolds(index, Buffer.from(text, "base64"), Buffer.from(publicKey).toString("latin1"))) {
    throw untrusted("its signature is not by this build's key");
  }
}

function signatureHolds(data: Uint8Array, signature: Uint8Array, pem: string): boolean {
  if (keyIdOf(pem) === undefined) throw untrusted("its key can't be decoded");
  try {
    const key = createPublicKey(pem);
    return key.asymmetricKeyDetails?.namedCurve === "prime256v1" && verify("sha256", data, key, signature);
  } catch (cause) {
    throw untrusted("its key can't be decoded", cause);
  }
}

function untrusted(reason: string, cause?: unknown): FermixError {
  return new FermixError("catalog_untrusted", { reason }, { cause });
}
