/** Tries to verify an offer with the real cosign or a stand-in, and checks that a refusal leaves the folder as it was. */

import { expect } from "bun:test";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DIRECT } from "../../src/egress/network-policy.ts";
import type { RunResult } from "../../src/kernel/ports.ts";
import type { VerifiedArtifact } from "../../src/trust/proof.ts";
import { type SignaturePorts, verifySignature } from "../../src/trust/signature.ts";
import { snapshotTree } from "../expect.ts";
import { FakeProcesses } from "../fakes/processes.ts";
import type { TestPublisher } from "../forge/sign.ts";
import { download, environment, noNetwork, type Offered, offer, offlinePorts, realCosign } from "./stages.ts";

/** Absolute path of the cosign that this machine has. */
export const cosign = realCosign();
export const ARCHIVE = "artifacts/notes-1.0.0.tar.gz";
const SIG = `${ARCHIVE}.sig`;

export interface Attempt {
  readonly offered?: Offered;
  readonly publishers?: readonly TestPublisher[];
  readonly ports?: Partial<SignaturePorts>;
  readonly cacheDir?: string;
  readonly cosignPlaces?: readonly string[];
}

/** Downloads and verifies in `folder`; a refusal must leave the folder as the download left it. */
export async function attempt(
  folder: string,
  { offered = offer(), publishers = [], ports, ...more }: Attempt = {},
): Promise<VerifiedArtifact> {
  const downloaded = await download(offered, folder);
  const before = snapshotTree(folder);
  const known = [...publishers, offered.publisher].map((one) => [one.keyId, one.publicKey] as const);
  try {
    return await verifySignature({ ...offlinePorts(offered.files), ...noNetwork(), ...ports }, environment(), {
      downloaded,
      publishers: new Map(known),
      workDir: folder,
      network: DIRECT,
      ...more,
    });
  } catch (error) {
    expect(snapshotTree(folder)).toEqual(before);
    throw error;
  }
}

export function withSignature(signature: string | Uint8Array | undefined, offered = offer()): Offered {
  const { [SIG]: _, ...others } = offered.files;
  return { ...offered, files: signature === undefined ? others : { ...others, [SIG]: signature } };
}

/** The folder of a program named cosign that does what the script says. */
export function standIn(folder: string, script: string): readonly string[] {
  const bin = join(folder, "bin");
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, "cosign"), `#!/bin/sh\n${script}\n`);
  chmodSync(join(bin, "cosign"), 0o755);
  return [bin];
}

/** A process port that answers for cosign as the test says. */
export function scripted(answer: (args: readonly string[]) => Partial<RunResult>): FakeProcesses {
  return new FakeProcesses().allowRun(cosign, ({ args }) => answer(args));
}
