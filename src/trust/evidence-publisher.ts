/** The record, beside a hosted plugin's evidence, of who signed it. */
import type { Publisher } from "../catalog/catalog.ts";
import { isJsonObject } from "../kernel/json.ts";

/** The publisher as JSON, in the catalog's own words (`key_id`, `identity`, `issuer`). */
export function formatPublisher(publisher: Publisher): string {
  const record =
    publisher.kind === "key"
      ? { kind: "key", key_id: publisher.keyId }
      : { kind: "keyless", identity: publisher.identity, issuer: publisher.issuer };
  return `${JSON.stringify(record)}\n`;
}

/** The publisher of a record; undefined when it is not one. */
export function parsePublisher(text: string): Publisher | undefined {
  const record = parse(text);
  if (!isJsonObject(record)) return undefined;
  const { kind, key_id: keyId, identity, issuer } = record;
  if (kind === "key" && typeof keyId === "string") return { kind, keyId };
  if (kind === "keyless" && typeof identity === "string" && typeof issuer === "string")
    return { kind, identity, issuer };
  return undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined;
    throw cause;
  }
}
