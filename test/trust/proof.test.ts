/** Each stage of proof has one maker: no other file may claim that bytes were proved. */
import { expect, test } from "bun:test";
import { join } from "node:path";

const MAKERS: Readonly<Record<string, string>> = {
  DownloadedArtifact: "src/trust/download.ts",
  VerifiedArtifact: "src/trust/signature.ts",
  UnpackedTree: "src/trust/unpack.ts",
  VerifiedTree: "src/trust/content-policy.ts",
};

test("a proof is asserted by its maker and nowhere else (INS-2/signature-required)", async () => {
  const root = join(import.meta.dir, "../..");
  const claims: Record<string, string[]> = {};
  let read = 0;
  for await (const path of new Bun.Glob("src/**/*.ts").scan(root)) {
    read += 1;
    const source = await Bun.file(join(root, path)).text();
    for (const type of Object.keys(MAKERS)) {
      if (new RegExp(`\\bas\\s+${type}\\b`).test(source)) claims[type] = [...(claims[type] ?? []), path];
    }
  }
  expect(read).toBeGreaterThan(50);
  expect(claims).toEqual(Object.fromEntries(Object.entries(MAKERS).map(([type, path]) => [type, [path]])));
});
