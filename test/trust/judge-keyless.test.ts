/** Keyless bundles, made by real (throwaway) authorities and judged by the real cosign: exact identity, exact issuer. */
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expectRefusal } from "../expect.ts";
import type { FakeProcesses } from "../fakes/processes.ts";
import { type KeylessWorld, keylessWorld } from "../forge/keyless.ts";
import { newPublisher } from "../forge/sign.ts";
import { MANIFEST, tarball } from "../forge/tar.ts";
import { ARCHIVE, attempt, cosign, scripted } from "./attempt.ts";
import { artifactOf, type Offered, PLUGIN, VERSION, withFolder } from "./stages.ts";

/** Each case starts cosign or writes much; on a busy machine that takes a while. */
setDefaultTimeout(60_000);

describe("a keyless publisher", () => {
  const IDENTITY = "https://github.com/acme/plugins/.github/workflows/release.yml@refs/tags/notes/v1.0.0";
  const ISSUER = "https://token.actions.githubusercontent.com";
  const BYTES = tarball(MANIFEST);
  let world: KeylessWorld;
  let bundle = "";
  beforeAll(async () => {
    world = await keylessWorld();
    bundle = await world.sign(BYTES, { identity: IDENTITY, issuer: ISSUER });
  });
  afterAll(() => world.stop());

  function keyless(
    files: Record<string, string | Uint8Array>,
    signer: { identity?: string; issuer?: string } = {},
  ): Offered {
    const publisher = { kind: "keyless", identity: IDENTITY, issuer: ISSUER, ...signer } as const;
    return {
      publisher: newPublisher(),
      bytes: BYTES,
      files: { [ARCHIVE]: BYTES, "trusted_root.json": world.trustedRoot, bundle, ...files },
      artifact: artifactOf(BYTES, publisher, { bundleUrl: "embedded:bundle" }),
    };
  }

  test("its own bundle is accepted, without the network (INS-2/exact-publisher, CASE-4)", () =>
    withFolder(async (folder) => {
      const { signature } = await attempt(folder, { offered: keyless({}) });
      const bundlePath = join(folder, "artifact.sigstore.json");
      expect(signature).toEqual({ form: "bundle", bundle: bundlePath, identity: IDENTITY, issuer: ISSUER });
      expect(readdirSync(folder).sort()).toEqual(["artifact.sigstore.json", "artifact.tgz"]);
    }));

  for (const signer of [
    { identity: `${IDENTITY}-evil` },
    { identity: IDENTITY.slice(0, -1) },
    { identity: IDENTITY.replace("https://", "https://evil-") },
    { identity: IDENTITY.replace("1.0.0", "1.0.1") },
    { identity: IDENTITY.replaceAll(".", "?") },
    { identity: ".*" },
    { issuer: `${ISSUER}.evil.example` },
    { issuer: ISSUER.replace("token", "evil-token") },
  ]) {
    test(`${JSON.stringify(signer)} is another publisher: equality, no pattern (INS-2/exact-publisher)`, () =>
      withFolder(async (folder) => {
        await expectRefusal(attempt(folder, { offered: keyless({}, signer) }), "publisher_mismatch", {
          plugin: PLUGIN,
          version: VERSION,
          expected: signer.identity ?? IDENTITY,
          actual: undefined,
        });
      }));
  }

  test("a bundle that evil-IDENTITY signed does not pass for IDENTITY (INS-2/exact-publisher)", () =>
    withFolder(async (folder) => {
      const signed = await world.sign(BYTES, { identity: `${IDENTITY}-evil`, issuer: ISSUER });
      await expectRefusal(attempt(folder, { offered: keyless({ bundle: signed }) }), "publisher_mismatch");
    }));

  test("a bundle over other bytes is invalid", () =>
    withFolder(async (folder) => {
      const signed = await world.sign(Buffer.from("other"), { identity: IDENTITY, issuer: ISSUER });
      await expectRefusal(attempt(folder, { offered: keyless({ bundle: signed }) }), "signature_invalid", {
        plugin: PLUGIN,
        version: VERSION,
        publisher: IDENTITY,
      });
    }));

  test("a bundle whose log entry was dropped is invalid (CASE-6)", () =>
    withFolder(async (folder) => {
      const parsed = JSON.parse(bundle);
      parsed.verificationMaterial.tlogEntries = [];
      await expectRefusal(
        attempt(folder, { offered: keyless({ bundle: JSON.stringify(parsed) }) }),
        "signature_invalid",
      );
    }));

  test("a bundle of another world's authorities is invalid", () =>
    withFolder(async (folder) => {
      const other = await keylessWorld();
      const signed = await other.sign(BYTES, { identity: IDENTITY, issuer: ISSUER });
      await other.stop();
      await expectRefusal(attempt(folder, { offered: keyless({ bundle: signed }) }), "signature_invalid");
    }));

  for (const [what, content] of [
    ["empty", ""],
    ["no JSON", "{"],
    ["JSON of something else", '{"name":"notes"}'],
  ] as const) {
    test(`a bundle file that is ${what} counts as missing`, () =>
      withFolder(async (folder) => {
        await expectRefusal(attempt(folder, { offered: keyless({ bundle: content }) }), "signature_missing");
      }));
  }

  test("without an embedded root it can't be judged, and that is not a bad signature", () =>
    withFolder(async (folder) => {
      const { "trusted_root.json": _, ...files } = keyless({}).files;
      const refusal = await expectRefusal(
        attempt(folder, { offered: { ...keyless({}), files } }),
        "verification_unavailable",
      );
      expect(refusal.reason).toContain("no Sigstore root");
    }));

  test("a cosign too old for bundles is not a bad signature either", () =>
    withFolder(async (folder) => {
      const processes = scripted(() => ({ stdout: "--certificate --signature" }));
      await expectRefusal(attempt(folder, { offered: keyless({}), ports: { processes } }), "cosign_failed", {
        path: cosign,
        reason: "it is too old to read Sigstore bundles",
      });
    }));

  for (const [generation, help, extra] of [
    ["2", "--bundle --new-bundle-format --trusted-root", ["--new-bundle-format"]],
    ["3", "--bundle --trusted-root", []],
  ] as const) {
    test(`cosign ${generation} is asked with the flags its own help names`, () =>
      withFolder(async (folder) => {
        const processes = scripted((args) =>
          args.includes("--help") ? { stdout: help } : { exitCode: args.at(-1)?.endsWith("other-bytes") ? 1 : 0 },
        );
        await attempt(folder, { offered: keyless({}), ports: { processes } });
        expect(processes.ran.at(-1)?.args).toEqual([
          ...["verify-blob", "--bundle", join(folder, "artifact.sigstore.json"), ...extra],
          ...["--trusted-root", join(folder, "cosign/trusted_root.json")],
          ...["--certificate-identity", IDENTITY, "--certificate-oidc-issuer", ISSUER, join(folder, "artifact.tgz")],
        ]);
      }));
  }

  describe("with a separate certificate, as the ecosystem publishes it", () => {
    function pair(files: Record<string, string>): Offered {
      const artifact = { sigUrl: "embedded:sig", certUrl: "embedded:pem" };
      const good = keyless({ sig: newPublisher().sign(BYTES), pem: "a certificate", ...files });
      return { ...good, artifact: artifactOf(BYTES, good.artifact.publisher, artifact) };
    }
    const answering = (exitCode: number): FakeProcesses =>
      scripted((args) => ({ exitCode: args.at(-1)?.endsWith("other-bytes") ? 1 : exitCode }));

    test("cosign's yes is a yes", () =>
      withFolder(async (folder) => {
        const { signature } = await attempt(folder, { offered: pair({}), ports: { processes: answering(0) } });
        expect(signature.form).toBe("pair");
      }));

    test("cosign's no is never called a bad signature", () =>
      withFolder(async (folder) => {
        const work = attempt(folder, { offered: pair({}), ports: { processes: answering(1) } });
        await expectRefusal(work, "verification_unavailable");
      }));

    test("an empty certificate counts as missing", () =>
      withFolder(async (folder) => {
        await expectRefusal(attempt(folder, { offered: pair({ pem: "\n" }) }), "signature_missing");
      }));
  });
});
