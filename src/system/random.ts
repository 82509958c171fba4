/** Real randomness. */
import type { Random } from "../kernel/ports.ts";

/** Bytes of the system's cryptographic generator; the global one, because loading node:crypto costs every start 2 ms. */
export function systemRandom(): Random {
  return { hex: (bytes) => Buffer.from(crypto.getRandomValues(new Uint8Array(bytes))).toString("hex") };
}
