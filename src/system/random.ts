/** Real randomness. */
import { randomBytes } from "node:crypto";
import type { Random } from "../kernel/ports.ts";

/** Bytes of the system's cryptographic generator. */
export function systemRandom(): Random {
  return { hex: (bytes) => randomBytes(bytes).toString("hex") };
}
