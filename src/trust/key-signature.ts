/** Judges a cosign key signature in process, with node:crypto: Fermix's own opinion beside cosign's (DECISIONS 5). */
import { createVerify } from "node:crypto";
import { closeSync, openSync, readSync } from "node:fs";

const READ_CHUNK = 1 << 20;
/** ECDSA signatures of the curves cosign makes are at most 141 bytes of DER (P-521). */
const MAX_DER_BYTES = 141;
const DER_SEQUENCE = 0x30;

/** The DER bytes of a signature file as cosign writes it (base64); undefined when it is not one. */
export function decodeKeySignature(text: string): Uint8Array | undefined {
  const trimmed = text.trim();
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(trimmed) || trimmed.length % 4 !== 0) return undefined;
  const der = Buffer.from(trimmed, "base64");
  const looksRight = der.length >= 8 && der.length <= MAX_DER_BYTES && der[0] === DER_SEQUENCE;
  return looksRight ? der : undefined;
}

/** Whether the public key (PEM) made this signature (DER, ECDSA over SHA-256) of the file. */
export function keyAccepts(path: string, publicKey: string, signature: Uint8Array): boolean {
  const verify = createVerify("sha256");
  const buffer = new Uint8Array(READ_CHUNK);
  const file = openSync(path, "r");
  try {
    for (let read = readSync(file, buffer); read > 0; read = readSync(file, buffer)) {
      verify.update(buffer.subarray(0, read));
    }
  } finally {
    closeSync(file);
  }
  return verify.verify(publicKey, signature);
}
