/** Opening the catalog: signature first, keys bound to the index, proved once. */
import { describe, expect, test } from "bun:test";
import { openSigner } from "../../scripts/catalog/sign.ts";
import { openCatalog } from "../../src/catalog/open.ts";
import type { EmbeddedFiles } from "../../src/kernel/ports.ts";
import { expectRefusal } from "../expect.ts";
import { embeddedOf } from "../fakes/embedded.ts";
import { artifactOf, indexOf, signedIndex } from "../forge/catalog.ts";

const publisher = openSigner(undefined);
const entry = (keyId: string) => ({
  name: "notes",
  latest: "1.0.0",
  versions: [{ version: "1.0.0", artifacts: [artifactOf({ publisher: { kind: "key", key_id: keyId } })] }],
});
const files = signedIndex(indexOf([entry(publisher.keyId)]), [publisher]);

describe("a catalog", () => {
  test("that verifies gives its entries and the publisher keys they name", () => {
    const catalog = openCatalog(embeddedOf(files));
    expect(catalog.generatedAt).toBe("2026-11-30T00:00:00Z");
    expect(catalog.entries.map(({ name }) => String(name))).toEqual(["notes"]);
    expect([...catalog.publishers]).toEqual([[publisher.keyId, publisher.publicPem]]);
  });

  test("is proved once for each set of files", () => {
    let reads = 0;
    const inner = embeddedOf(files);
    const counted: EmbeddedFiles = {
      ...inner,
      read(name) {
        reads += 1;
        return inner.read(name);
      },
    };
    const first = openCatalog(counted);
    const seen = reads;
    expect(openCatalog(counted)).toBe(first);
    expect(reads).toBe(seen);
  });

  test("CAT-2/tampered-refuses-install: whose index, signature or key is missing or altered is refused before it is read", async () => {
    for (const missing of ["index.json", "index.json.sig", "index.pub"]) {
      const { [missing]: _gone, ...rest } = files;
      await expectRefusal(() => openCatalog(embeddedOf(rest)), "catalog_untrusted", { reason: `it has no ${missing}` });
    }
    const reason = "its signature is not by this build's key";
    const tampered = { ...files, "index.json": "{ not even JSON" };
    await expectRefusal(() => openCatalog(embeddedOf(tampered)), "catalog_untrusted", { reason });
    const rekeyed = { ...files, "index.pub": openSigner(undefined).publicPem };
    await expectRefusal(() => openCatalog(embeddedOf(rekeyed)), "catalog_untrusted", { reason });
  });

  test("whose publisher key is missing, swapped or altered is refused: the index signature covers the keys", async () => {
    const name = `publishers/${publisher.keyId}.pub`;
    const { [name]: _gone, ...rest } = files;
    await expectRefusal(() => openCatalog(embeddedOf(rest)), "catalog_untrusted", { reason: `it has no ${name}` });
    for (const pem of [
      openSigner(undefined).publicPem,
      `${publisher.publicPem}\n${publisher.publicPem}`,
      "",
      "no key",
    ]) {
      await expectRefusal(() => openCatalog(embeddedOf({ ...files, [name]: pem })), "catalog_untrusted", {
        reason: `the publisher key ${publisher.keyId} is not the one the index names`,
      });
    }
  });

  test("that is signed but of another schema or shape is refused as such", async () => {
    const newer = signedIndex(indexOf([], { schema_version: 2 }));
    await expectRefusal(() => openCatalog(embeddedOf(newer)), "unsupported_index_schema", { found: "2" });
    const odd = signedIndex(indexOf([{ name: "Notes" }]));
    await expectRefusal(() => openCatalog(embeddedOf(odd)), "catalog_invalid");
  });
});
