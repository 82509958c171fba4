/** The hash by which a hosted tool's descriptor is signed and judged (spec 1.9). */
import { canonicalJson } from "../kernel/canonical-json.ts";
import type { JsonObject } from "../kernel/json.ts";
import type { Sha256 } from "../kernel/names.ts";

/** What the hash covers; the tool's description, title and `_meta` are outside it. */
export interface Descriptor {
  /** The upstream tool's own name. */
  readonly name: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null | undefined;
  readonly annotations: JsonObject | null | undefined;
}

/**
 * Lower-hex SHA-256 of the RFC 8785 text of exactly these four members, absent ones as null. Raises
 * CanonicalJsonError when a schema has no canonical text.
 */
export function descriptorSha256(descriptor: Descriptor): Sha256 {
  const text = canonicalJson({
    name: descriptor.name,
    inputSchema: descriptor.inputSchema,
    outputSchema: descriptor.outputSchema ?? null,
    annotations: descriptor.annotations ?? null,
  });
  return new Bun.CryptoHasher("sha256").update(text).digest("hex") as Sha256;
}
