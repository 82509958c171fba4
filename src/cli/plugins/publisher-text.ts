/** A publisher as one word for people and JSON. */
import type { Publisher } from "../../catalog/catalog.ts";

/** `key <id>`, or the exact identity of a keyless publisher. */
export function publisherText(publisher: Publisher): string {
  return publisher.kind === "key" ? `key ${publisher.keyId}` : publisher.identity;
}
