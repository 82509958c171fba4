/** Unpacks archives that nobody signed, and checks that a refused one leaves nothing. */
import { expect } from "bun:test";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { ArchiveRule } from "../../src/kernel/codes/trust.ts";
import type { UnpackedTree, VerifiedArtifact } from "../../src/trust/proof.ts";
import { unpackVerified } from "../../src/trust/unpack.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { offer, PLUGIN, sha256Of, VERSION, withFolder } from "./stages.ts";

/** These bytes as if their signature had been verified, which is not what is tested here. */
export function assumeVerified(bytes: Uint8Array, dir: string): VerifiedArtifact {
  const path = join(dir, "artifact.tgz");
  writeFileSync(path, bytes);
  const signature = { form: "key", signature: "", keyId: "" } as const;
  const proof = { plugin: PLUGIN, version: VERSION, artifact: offer(bytes).artifact, path, bytes: bytes.byteLength };
  return { ...proof, sha256: sha256Of(bytes), signature } as VerifiedArtifact;
}

/** For what writes thousands of files or 100 MiB, on a busy machine. */
export const PATIENCE_MS = 60_000;

export function unpack(bytes: Uint8Array, dir: string): Promise<UnpackedTree> {
  return unpackVerified(assumeVerified(bytes, dir), join(dir, "tree"));
}

export async function refuses(bytes: Uint8Array, rule: ArchiveRule, shown?: string): Promise<void> {
  await withFolder(async (dir) => {
    writeFileSync(join(dir, "beside"), "untouched");
    const work = unpack(bytes, dir);
    const details = await expectRefusal(work, "archive_unsafe");
    expect({ rule: details.rule, ...(shown === undefined ? {} : { entry: details.entry }) }).toEqual({
      rule,
      ...(shown === undefined ? {} : { entry: shown }),
    });
    rmSync(join(dir, "artifact.tgz"));
    expect(Object.keys(snapshotTree(dir))).toEqual(["beside"]);
  });
}
