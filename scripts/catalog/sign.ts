/** The key that signs a catalog: a maintainer's, or a fresh one whose private half is never written. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { readFileSync } from "node:fs";
import { keyIdOf } from "../../src/catalog/verify-index.ts";

export interface Signer {
  readonly keyId: string;
  /** PEM (SPKI) of the public half. */
  readonly publicPem: string;
  /** What `cosign sign-blob --key` writes: base64 of a DER ECDSA P-256 signature over SHA-256. */
  sign(data: Uint8Array): string;
}

/**
 * The signer of a maintainer's private key: the text of an unencrypted PEM (PKCS 8 or SEC 1, P-256) or a path to one.
 * Without it a fresh pair, whose private half lives only in this process (DECISIONS 1).
 */
export function openSigner(key: string | undefined): Signer {
  if (key === undefined || key === "") return signerOf(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
  const pem = key.includes("-----BEGIN") ? key : readFileSync(key, "utf8");
  if (pem.includes("ENCRYPTED")) {
    throw new Error("the catalog key is encrypted: decrypt it first (an unencrypted P-256 PEM is what signs)");
  }
  return signerOf(createPrivateKey(pem));
}

function signerOf(privateKey: KeyObject): Signer {
  if (privateKey.asymmetricKeyDetails?.namedCurve !== "prime256v1") throw new Error("the catalog key must be P-256");
  const publicPem = createPublicKey(privateKey).export({ type: "spki", format: "pem" }).toString();
  const keyId = keyIdOf(publicPem);
  if (keyId === undefined) throw new Error("the public half could not be written as PEM");
  return { keyId, publicPem, sign: (data) => sign("sha256", data, privateKey).toString("base64") };
}

/** Whether a base64 signature over these bytes holds under this PEM key. */
export function signedBy(publicPem: string, data: Uint8Array, signature: string): boolean {
  return verify("sha256", data, createPublicKey(publicPem), Buffer.from(signature.trim(), "base64"));
}
