/** Opens the catalog inside the binary: signature first, then shape, then the publisher keys it names. */
import { FermixError } from "../kernel/error.ts";
import type { EmbeddedFiles } from "../kernel/ports.ts";
import type { Catalog, CatalogEntry } from "./catalog.ts";
import { readIndex } from "./read-index.ts";
import { assertIndexSigned, keyIdOf } from "./verify-index.ts";

const opened = new WeakMap<EmbeddedFiles, Catalog>();

/**
 * The catalog, proved once per process: `index.json` must be signed by `index.pub` (CAT-2), and every publisher key
 * it names must be embedded under its own id, so the index signature covers the keys too (DECISIONS 1).
 * Throws catalog_untrusted, unsupported_index_schema, catalog_invalid.
 */
export function openCatalog(embedded: EmbeddedFiles): Catalog {
  const known = opened.get(embedded);
  if (known !== undefined) return known;
  const index = need(embedded, "index.json");
  assertIndexSigned(index, need(embedded, "index.json.sig"), need(embedded, "index.pub"));
  const { generatedAt, entries } = readIndex(Buffer.from(index).toString("utf8"));
  const catalog: Catalog = { generatedAt, entries, publishers: publishersOf(embedded, entries) };
  opened.set(embedded, catalog);
  return catalog;
}

function need(embedded: EmbeddedFiles, name: string): Uint8Array {
  const bytes = embedded.read(name);
  if (bytes === undefined) throw new FermixError("catalog_untrusted", { reason: `it has no ${name}` });
  return bytes;
}

function publishersOf(embedded: EmbeddedFiles, entries: readonly CatalogEntry[]): ReadonlyMap<string, string> {
  const publishers = new Map<string, string>();
  for (const id of namedKeys(entries)) {
    const pem = Buffer.from(need(embedded, `publishers/${id}.pub`)).toString("latin1");
    if (keyIdOf(pem) !== id) {
      throw new FermixError("catalog_untrusted", { reason: `the publisher key ${id} is not the one the index names` });
    }
    publishers.set(id, pem);
  }
  return publishers;
}

function namedKeys(entries: readonly CatalogEntry[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { versions } of entries) {
    for (const { artifacts } of versions) {
      for (const { publisher } of artifacts) if (publisher.kind === "key") ids.add(publisher.keyId);
    }
  }
  return ids;
}
