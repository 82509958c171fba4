/** Makes publisher key pairs and signatures as `cosign sign-blob --key` writes them. */
import { generateKeyPairSync, sign as signBytes } from "node:crypto";
import { keyIdOf } from "../../src/catalog/verify-index.ts";

export interface TestPublisher {
  readonly keyId: string;
  readonly publicKey: string;
  /** The content of a signature file: base64 of DER. */
  sign(bytes: Uint8Array): string;
}

/** A publisher with a fresh P-256 key pair. */
export function newPublisher(): TestPublisher {
  const keys = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const publicKey = keys.publicKey.export({ type: "spki", format: "pem" }).toString();
  const keyId = keyIdOf(publicKey);
  if (keyId === undefined) throw new Error("node made a key that is no PEM public key");
  return { keyId, publicKey, sign: (bytes) => signBytes("sha256", bytes, keys.privateKey).toString("base64") };
}
