/** Who signed it: each way to be wrong has a code of its own, judged by the real cosign on the compiled binary. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { type KeylessWorld, keylessWorld } from "../forge/keyless.ts";
import { newPublisher } from "../forge/sign.ts";
import { FlowHome } from "../lab/binary.ts";
import { BARE_PATH, pathWith, withoutCosign } from "../lab/cosign.ts";
import { refused } from "../lab/refusal.ts";
import { fermixOffering, packageOf, type Release } from "../lab/test-catalog.ts";

const IDENTITY = "https://github.com/acme/plugins/.github/workflows/release.yml@refs/tags/bundle/v1.0.0";
const ISSUER = "https://token.actions.githubusercontent.com";
/** No network at all, for whatever wanted to ask one. */
const OFFLINE = ["unshare", "--net", "--map-root-user"];

const us = newPublisher();
const rival = newPublisher();
const stranger = newPublisher();

type Row = readonly [name: string, what: string, code: string, release: (archive: Buffer) => Partial<Release>];

const KEYED: readonly Row[] = [
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

const lab = new FlowHome("lab");
let binary: string;
beforeAll(async () => {
  const world = await keylessWorld();
  const { releases, files } = await keylessReleases(world);
  await world.stop();
  const good: Release[] = ["good", "good_too", "good_three"].map((name) => ({
    name,
    archive: packageOf(name),
    publisher: us,
  }));
  binary = await fermixOffering(lab.folder, [...good, ...keyed, ...releases], { others: [rival], files });
}, 120_000);
afterAll(() => lab[Symbol.dispose]());

/** A home with one good plugin, so that there is something to lose. */
async function homeInUse(): Promise<FlowHome> {
  const home = new FlowHome();
  expect(await home.fermix("plugins install good_too", { binary })).toMatchObject({ code: 0 });
  return home;
}

describe("CASE-1 a key publisher", () => {
  let home: FlowHome;
  beforeAll(async () => {
    home = await homeInUse();
  }, 60_000);
  afterAll(() => home[Symbol.dispose]());

  for (const [name, what, code] of KEYED) {
    test(`${what}: ${code}`, async () => {
      const { exit, ...error } = await refused(home, `plugins install ${name}`, { binary });
      expect({ exit, code: error.code, plugin: error.details["plugin"] }).toEqual({ exit: 5, code, plugin: name });
      if (code === "publisher_mismatch") {
        expect(error.details).toMatchObject({ expected: us.keyId, actual: rival.keyId });
      }
    }, 30_000);
  }

  test("INS-3/missing-cosign-hint no cosign anywhere is not a bad signature, and says how to get one", async () => {
    const options = { binary, env: { PATH: BARE_PATH }, through: withoutCosign() };
    for (const name of ["good", "rival", "other_bytes"]) {
      const { exit, code, details, fix, message } = await refused(home, `plugins install ${name}`, options);
      expect({ exit, code }).toEqual({ exit: 5, code: "cosign_missing" });
      expect(details["lookedIn"]).toContain(join(home.folder, "user/.local/bin"));
      expect(message).toStartWith("cosign not found.");
      expect(fix).toMatch(/cosign/);
    }
  }, 60_000);

  test("the five ends of CASE-1 are five different codes, and the good one installs", async () => {
    using fresh = new FlowHome();
    const answer = await fresh.fermix("plugins install good --json", { binary });
    expect(answer).toMatchObject({ code: 0 });
    expect(JSON.parse(answer.stdout)).toMatchObject({
      installed: "good",
      status: "installed",
      publisher: `key ${us.keyId}`,
    });
    expect(new Set(KEYED.map(([, , code]) => code)).size).toBe(4);
  }, 60_000);
});

describe("CASE-4 a keyless publisher, with no network at all", () => {
  let home: FlowHome;
  beforeAll(async () => {
    home = await homeInUse();
  }, 60_000);
  afterAll(() => home[Symbol.dispose]());

  test("INS-2/exact-publisher the exact identity is installed, from a bundle and the embedded root alone", async () => {
    const answer = await home.fermix("plugins install bundle --json", { binary, through: OFFLINE });
    expect(answer).toMatchObject({ code: 0 });
    expect(JSON.parse(answer.stdout).publisher).toContain(IDENTITY);
    expect((await home.fermix("plugins uninstall bundle", { binary })).code).toBe(0);
  }, 30_000);

  const rows: readonly (readonly [name: string, what: string, code: string])[] = [
    ["bundle_evil", "INS-2/wrong-signer-differs an identity that only begins like it", "publisher_mismatch"],
    ["bundle_issuer", "INS-2/wrong-signer-differs another issuer", "publisher_mismatch"],
    ["bundle_other", "a bundle over another package", "signature_invalid"],
    ["bundle_unlogged", "CASE-6 a bundle without its log entry", "signature_invalid"],
    ["bundle_gone", "INS-2/signature-required no bundle", "signature_missing"],
    ["bundle_prose", "INS-2/signature-required a bundle that is none", "signature_missing"],
    ["pair", "a signature with a separate certificate", "verification_unavailable"],
  ];
  for (const [name, what, code] of rows) {
    test(`${what}: ${code}`, async () => {
      const { exit, ...error } = await refused(home, `plugins install ${name}`, { binary, through: OFFLINE });
      expect({ exit, code: error.code }).toEqual({ exit: 5, code });
    }, 30_000);
  }

  test("INS-12/yes-sayer-refused a cosign that accepts every bundle is not believed", async () => {
    const env = { PATH: pathWith(join(home.folder, "yes"), '[ "$2" = --help ] && echo --trusted-root; exit 0') };
    for (const name of ["bundle", "bundle_evil"]) {
      const { exit, code } = await refused(home, `plugins install ${name}`, { binary, env });
      expect({ name, exit, code }).toEqual({ name, exit: 5, code: "cosign_untrusted" });
    }
  }, 30_000);
});
