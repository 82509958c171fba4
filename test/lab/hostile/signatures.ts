/** Packages whose signature is wrong in one way each, by key and keyless, and one of each kind that is right. */
import { type KeylessWorld, keylessWorld } from "../../forge/keyless.ts";
import { newPublisher } from "../../forge/sign.ts";
import { packageOf, type Release } from "../test-catalog.ts";

export const IDENTITY = "https://github.com/acme/plugins/.github/workflows/release.yml@refs/tags/bundle/v1.0.0";
const ISSUER = "https://token.actions.githubusercontent.com";
export const us = newPublisher();
export const rival = newPublisher();
const stranger = newPublisher();

export type SignatureRow = readonly [
  name: string,
  what: string,
  code: string,
  release: (archive: Buffer) => Partial<Release>,
];

/** Name, what is wrong, the code it is refused with, and how it is made so. */
export const KEYED: readonly SignatureRow[] = [
  [
    "swapped",
    "INS-1/mismatch-refused one byte of the package differs",
    "artifact_digest_mismatch",
    (archive) => ({ served: flipped(archive, archive.length >> 1) }),
  ],
  [
    "replaced",
    "INS-1/mismatch-refused another package of the same publisher",
    "artifact_digest_mismatch",
    () => ({ served: packageOf("replaced", {}, { a: "2" }) }),
  ],
  ["unsigned", "INS-2/signature-required no signature file", "signature_missing", () => ({ signature: null })],
  [
    "not_listed",
    "INS-2/signature-required the catalog names no signature",
    "signature_missing",
    () => ({ artifact: { sig_url: null } }),
  ],
  ["empty", "INS-2/signature-required an empty signature file", "signature_missing", () => ({ signature: "" })],
  [
    "prose",
    "INS-2/signature-required a signature file with something else in it",
    "signature_missing",
    () => ({ signature: "-----BEGIN SIGNATURE-----" }),
  ],
  [
    "huge",
    "INS-2/signature-required a signature file of 300 KB",
    "signature_missing",
    () => ({ signature: "A".repeat(300_000) }),
  ],
  [
    "other_bytes",
    "INS-2/signature-required our signature over another package",
    "signature_invalid",
    () => ({ signature: us.sign(packageOf("good")) }),
  ],
  [
    "flipped",
    "INS-2/signature-required one bit of the signature differs",
    "signature_invalid",
    (archive) => ({ signature: flipped(Buffer.from(us.sign(archive), "base64"), 60).toString("base64") }),
  ],
  [
    "stranger",
    "INS-2/exact-publisher a valid signature of nobody we know",
    "signature_invalid",
    (archive) => ({ signature: stranger.sign(archive) }),
  ],
  [
    "rival",
    "INS-2/wrong-signer-differs a valid signature of another publisher of this catalog",
    "publisher_mismatch",
    (archive) => ({ signature: rival.sign(archive) }),
  ],
];

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy.writeUInt8(copy.readUInt8(at) ^ 1, at);
  return copy;
}

const keyed = KEYED.map(([name, , , make]): Release => {
  const archive = packageOf(name);
  return { name, archive, publisher: us, ...make(archive) };
});

const BUNDLES = [
  "bundle",
  "bundle_evil",
  "bundle_issuer",
  "bundle_other",
  "bundle_unlogged",
  "bundle_gone",
  "bundle_prose",
];

/** The keyless packages of one world of Sigstore, and the files beside them. */
async function keylessReleases(world: KeylessWorld): Promise<{ releases: Release[]; files: Record<string, string> }> {
  const files: Record<string, string> = { "trusted_root.json": world.trustedRoot };
  const releases = BUNDLES.map((name): Release => {
    const publisher = { kind: "keyless", identity: IDENTITY, issuer: ISSUER };
    const artifact = { sig_url: null, bundle_url: `embedded:artifacts/${name}.sigstore.json`, publisher };
    return { name, archive: packageOf(name), signature: null, artifact };
  });
  const sign = async (name: string, signer: { identity?: string; issuer?: string }, bytes = packageOf(name)) => {
    const bundle = await world.sign(bytes, { identity: IDENTITY, issuer: ISSUER, ...signer });
    files[`artifacts/${name}.sigstore.json`] = bundle;
    return bundle;
  };
  await sign("bundle", {});
  await sign("bundle_evil", { identity: `${IDENTITY}-evil` });
  await sign("bundle_issuer", { issuer: "https://issuer.evil.example" });
  await sign("bundle_other", {}, packageOf("good"));
  const unlogged = JSON.parse(await sign("bundle_unlogged", {})) as {
    verificationMaterial: { tlogEntries: unknown[] };
  };
  unlogged.verificationMaterial.tlogEntries = [];
  files["artifacts/bundle_unlogged.sigstore.json"] = JSON.stringify(unlogged);
  files["artifacts/bundle_prose.sigstore.json"] = '{"mediaType":"text/plain"}';
  const pair: Release = {
    name: "pair",
    archive: packageOf("pair"),
    artifact: {
      cert_url: "embedded:artifacts/pair.pem",
      publisher: { kind: "keyless", identity: IDENTITY, issuer: ISSUER },
    },
  };
  files["artifacts/pair.pem"] = "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n";
  return { releases: [...releases, pair], files };
}

/** Every package of this file, the key of a publisher that signs none of them, and the files beside them. */
export async function signedPackages(): Promise<{
  releases: Release[];
  others: (typeof rival)[];
  files: Record<string, string>;
}> {
  const world = await keylessWorld();
  const { releases, files } = await keylessReleases(world);
  await world.stop();
  const good = ["good", "good_too"].map((name): Release => ({ name, archive: packageOf(name), publisher: us }));
  return { releases: [...good, ...keyed, ...releases], others: [rival], files };
}
