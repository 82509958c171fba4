/** Unpacking beside cosign saves time and changes no verdict: nothing stays unless both checks accept. */

import { expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DIRECT } from "../../src/egress/network-policy.ts";
import type { UnpackedTree } from "../../src/trust/proof.ts";
import { verifyAndUnpack } from "../../src/trust/unpack.ts";
import { expectRefusal, snapshotTree } from "../expect.ts";
import { newPublisher } from "../forge/sign.ts";
import { file, MANIFEST, tarball } from "../forge/tar.ts";
import { type Attempt, scripted, standIn, withSignature } from "./attempt.ts";
import { artifactOf, download, environment, offer, offlinePorts, withFolder } from "./stages.ts";

setDefaultTimeout(60_000);

async function attempt(
  folder: string,
  { offered = offer(), ports, cosignPlaces }: Attempt = {},
  onVerified: () => void = () => undefined,
): Promise<UnpackedTree> {
  const downloaded = await download(offered, folder);
  const before = snapshotTree(folder);
  const publishers = new Map([[offered.publisher.keyId, offered.publisher.publicKey]]);
  const into = join(folder, "tree");
  const request = { downloaded, publishers, workDir: folder, network: DIRECT, cosignPlaces, into, onVerified };
  try {
    return await verifyAndUnpack({ ...offlinePorts(offered.files), ...ports }, environment(), request);
  } catch (error) {
    expect({ after: Object.keys(snapshotTree(folder)).filter((name) => name !== "artifact.sig") }).toEqual({
      after: Object.keys(before),
    });
    throw error;
  }
}

test("what both accept is unpacked, and cosign's word is heard", () =>
  withFolder(async (folder) => {
    let heard = 0;
    const tree = await attempt(folder, {}, () => {
      heard += 1;
    });
    expect([heard, tree.files.map(({ path }) => path)]).toEqual([1, ["plugin.json"]]);
    expect(readFileSync(join(tree.root, "plugin.json"), "utf8")).toContain("notes");
    expect(readdirSync(folder).sort()).toEqual(["artifact.sig", "artifact.tgz", "tree"]);
  }));

test("what Fermix's own check refuses is not unpacked at all, not even for a moment (INS-2/signature-required)", () =>
  withFolder(async (folder) => {
    const good = offer();
    const offered = withSignature(newPublisher().sign(good.bytes), good);
    let unpackedWhenAsked = false;
    const processes = scripted(() => {
      unpackedWhenAsked ||= existsSync(join(folder, "tree"));
      return { exitCode: 1 };
    });
    await expectRefusal(attempt(folder, { offered, ports: { processes } }), "signature_invalid");
    expect(unpackedWhenAsked).toBe(false);
  }));

test("what cosign refuses in the end is gone again (INS-12/disagreement-refused)", () =>
  withFolder(async (folder) => {
    const work = join(folder, "work");
    mkdirSync(work);
    await expectRefusal(attempt(work, { cosignPlaces: standIn(folder, "exit 1") }), "cosign_untrusted");
  }));

test("a yes-sayer is caught although it was asked both things at once (INS-12/yes-sayer-refused)", () =>
  withFolder(async (folder) => {
    const work = join(folder, "work");
    mkdirSync(work);
    await expectRefusal(attempt(work, { cosignPlaces: standIn(folder, "exit 0") }), "cosign_untrusted");
  }));

test("a hostile archive is refused although its publisher signed it (INS-6/traversal)", () =>
  withFolder(async (folder) => {
    const offered = offer(tarball(MANIFEST, file("../evil")));
    expect((await expectRefusal(attempt(folder, { offered }), "archive_unsafe")).rule).toBe("traversal");
  }));

test("of two refusals the signature's is told", () =>
  withFolder(async (folder) => {
    const offered = offer(tarball(MANIFEST, file("../evil")));
    const processes = scripted(() => ({ exitCode: 1 }));
    await expectRefusal(attempt(folder, { offered, ports: { processes } }), "cosign_untrusted");
  }));

test("a publisher without a key waits for cosign", () =>
  withFolder(async (folder) => {
    const bytes = tarball(MANIFEST);
    const publisher = { kind: "keyless", identity: "https://id.example", issuer: "https://issuer.example" } as const;
    const offered = {
      ...offer(bytes),
      files: { "artifacts/notes-1.0.0.tar.gz": bytes, "trusted_root.json": "{}", bundle: BUNDLE },
      artifact: artifactOf(bytes, publisher, { bundleUrl: "embedded:bundle" }),
    };
    const seen: boolean[] = [];
    const processes = scripted((args) => {
      seen.push(existsSync(join(folder, "tree")));
      return args.includes("--help")
        ? { stdout: "--trusted-root" }
        : { exitCode: args.at(-1)?.endsWith("-bytes") ? 1 : 0 };
    });
    const tree = await attempt(folder, { offered, ports: { processes } });
    expect([new Set(seen), tree.files.length]).toEqual([new Set([false]), 1]);
  }));

const BUNDLE = JSON.stringify({ verificationMaterial: {}, messageSignature: {} });
