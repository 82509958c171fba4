/** The verdict about a signed file: cosign's answer, Fermix's own in key mode, and which refusal it is (DECISIONS 3 to 5). */
import { writeFileSync } from "node:fs";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog, Publisher } from "../catalog/catalog.ts";
import { FermixError } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";
import { type CosignLocation, cosignGeneration } from "./cosign.ts";
import { runCosign, VERIFY_DEADLINE_MS } from "./cosign-run.ts";
import { assertRefusesBadSignature } from "./cosign-self-test.ts";
import { keyAccepts } from "./key-signature.ts";
import type { Material } from "./signature-material.ts";

/** The file of the catalog that holds Sigstore's roots, so that bundles are judged without the network. */
const TRUSTED_ROOT = "trusted_root.json";
/** What no publisher signed: any signature is a wrong one for it. */
const OTHER_BYTES = "Fermix asks whether this cosign can say no.\n";

export interface Case {
  readonly plugin: string;
  readonly version: string;
  /** Absolute path of the signed file. */
  readonly file: string;
  readonly material: Material;
  readonly publisher: Publisher;
  readonly publishers: Catalog["publishers"];
  /** A folder of the caller's own; a `cosign/` below it is made and removed again. */
  readonly workDir: string;
  readonly cacheDir: string | undefined;
}

/** cosign's verify-blob for one form of material: everything but the file. */
type Ask = (file: string) => Promise<boolean>;

/**
 * Returns when the expected publisher signed the file. `onOwnCheck` hears early whether Fermix's own check of
 * a key signature accepts. Throws signature_invalid, publisher_mismatch, cosign_untrusted, cosign_failed or
 * verification_unavailable.
 */
export async function judge(
  ports: Pick<Ports, "processes" | "embedded">,
  cosign: CosignLocation,
  matter: Case,
  onOwnCheck: (passed: boolean) => void = () => undefined,
): Promise<void> {
  const scratch = join(matter.workDir, "cosign");
  await rm(scratch, { recursive: true, force: true });
  await mkdir(scratch, { mode: 0o700 });
  try {
    const { publisher, material } = matter;
    if (publisher.kind === "key" && material.form === "key") {
      await judgeKey(ports, cosign, { ...matter, keyId: publisher.keyId, material, onOwnCheck }, scratch);
    } else if (publisher.kind === "keyless" && material.form === "bundle") {
      await judgeBundle(ports, cosign, matter, publisher, material.bundle, scratch);
    } else if (publisher.kind === "keyless" && material.form === "pair") {
      await judgePair(ports, cosign, matter, publisher, material, scratch);
    } else throw new Error(`a ${publisher.kind} publisher does not sign in the form ${material.form}`);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

interface KeyCase extends Case {
  readonly keyId: string;
  readonly material: Extract<Material, { form: "key" }>;
  readonly onOwnCheck: (passed: boolean) => void;
}

async function judgeKey(
  ports: Pick<Ports, "processes">,
  cosign: CosignLocation,
  matter: KeyCase,
  scratch: string,
): Promise<void> {
  const { keyId, material } = matter;
  const key = matter.publishers.get(keyId);
  if (key === undefined) throw new FermixError("catalog_untrusted", { reason: `it does not hold the key ${keyId}` });
  const keyFile = join(scratch, "publisher.pub");
  await writeFile(keyFile, key);
  const ask = askCosign(ports, cosign, scratch, [
    ...["--key", keyFile, "--signature", material.signature],
    "--insecure-ignore-tlog=true",
  ]);
  // cosign works in processes of its own while Fermix reads the file here; its answer counts once its test has passed.
  const asked = [selfTest(cosign, matter, ask, scratch), ask(matter.file)] as const;
  const own = keyAccepts(matter.file, key, material.der);
  matter.onOwnCheck(own);
  const [tested, answered] = await Promise.allSettled(asked);
  if (tested.status === "rejected") throw tested.reason;
  if (answered.status === "rejected") throw answered.reason;
  const cosigns = answered.value;
  if (own && cosigns) return;
  if (own !== cosigns) {
    const reason = own
      ? "it refuses a signature that Fermix's own check accepts"
      : "it accepts a signature that Fermix's own check refuses";
    throw new FermixError("cosign_untrusted", { path: cosign.path, reason });
  }
  const { plugin, version } = matter;
  for (const [actual, other] of matter.publishers) {
    if (actual === keyId || !keyAccepts(matter.file, other, material.der)) continue;
    throw new FermixError("publisher_mismatch", { plugin, version, expected: keyId, actual });
  }
  throw new FermixError("signature_invalid", { plugin, version, publisher: keyId });
}

async function judgeBundle(
  ports: Pick<Ports, "processes" | "embedded">,
  cosign: CosignLocation,
  matter: Case,
  publisher: Extract<Publisher, { kind: "keyless" }>,
  bundle: string,
  scratch: string,
): Promise<void> {
  const { plugin, version } = matter;
  const root = ports.embedded.read(TRUSTED_ROOT);
  if (root === undefined) {
    const reason = "this binary holds no Sigstore root to judge it by without the network";
    throw new FermixError("verification_unavailable", { plugin, version, reason });
  }
  const generation = await cosignGeneration(ports, cosign);
  if (generation === "too_old") {
    throw new FermixError("cosign_failed", { path: cosign.path, reason: "it is too old to read Sigstore bundles" });
  }
  const rootFile = join(scratch, TRUSTED_ROOT);
  await writeFile(rootFile, root);
  const common = [
    "--bundle",
    bundle,
    ...(generation === "2" ? ["--new-bundle-format"] : []),
    "--trusted-root",
    rootFile,
  ];
  const ask = askCosign(ports, cosign, scratch, [...common, ...exactly(publisher)]);
  await selfTest(cosign, matter, ask, scratch);
  if (await ask(matter.file)) return;
  // The same question without the name tells a wrong signer from a wrong signature, without reading cosign's prose.
  const anyone = ["--certificate-identity-regexp", ".*", "--certificate-oidc-issuer-regexp", ".*"];
  if (await askCosign(ports, cosign, scratch, [...common, ...anyone])(matter.file)) {
    throw new FermixError("publisher_mismatch", { plugin, version, expected: publisher.identity, actual: undefined });
  }
  throw new FermixError("signature_invalid", { plugin, version, publisher: publisher.identity });
}

async function judgePair(
  ports: Pick<Ports, "processes">,
  cosign: CosignLocation,
  matter: Case,
  publisher: Extract<Publisher, { kind: "keyless" }>,
  material: Extract<Material, { form: "pair" }>,
  scratch: string,
): Promise<void> {
  const ask = askCosign(ports, cosign, scratch, [
    ...["--certificate", material.certificate, "--signature", material.signature],
    ...exactly(publisher),
  ]);
  await selfTest(cosign, matter, ask, scratch);
  if (await ask(matter.file)) return;
  const reason = "cosign can't confirm a signature with a separate certificate unless it reaches Sigstore's servers";
  throw new FermixError("verification_unavailable", { plugin: matter.plugin, version: matter.version, reason });
}

/** Equality of identity and issuer: these flags of cosign take no patterns. */
function exactly({ identity, issuer }: Extract<Publisher, { kind: "keyless" }>): readonly string[] {
  return ["--certificate-identity", identity, "--certificate-oidc-issuer", issuer];
}

function askCosign(
  ports: Pick<Ports, "processes">,
  cosign: CosignLocation,
  scratch: string,
  flags: readonly string[],
): Ask {
  return async (file) => {
    const run = { args: ["verify-blob", ...flags, file], deadlineMs: VERIFY_DEADLINE_MS, scratch };
    return (await runCosign(ports, cosign.path, run)).accepted;
  };
}

async function selfTest(cosign: CosignLocation, matter: Case, ask: Ask, scratch: string): Promise<void> {
  await assertRefusesBadSignature(cosign, matter.material.form, matter.cacheDir, async () => {
    const other = join(scratch, "other-bytes");
    writeFileSync(other, OTHER_BYTES);
    return ask(other);
  });
}
