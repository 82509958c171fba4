/** Who signed it: real keys, real cosign, and a code of its own for every way it can be wrong. */

import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { DIRECT } from "../../src/egress/network-policy.ts";
import { isFermixError } from "../../src/kernel/error.ts";
import { verifySignature } from "../../src/trust/signature.ts";
import { expectRefusal } from "../expect.ts";
import { newPublisher } from "../forge/sign.ts";
import { ARCHIVE, type Attempt, attempt, cosign, scripted, standIn, withSignature } from "./attempt.ts";
import { download, environment, noNetwork, offer, offlinePorts, PLUGIN, VERSION, withFolder } from "./stages.ts";

/** Each case starts cosign or writes much; on a busy machine that takes a while. */
setDefaultTimeout(60_000);

describe("a key publisher", () => {
  test("its own signature over these bytes is accepted, offline (INS-2/signature-required, CASE-4)", () =>
    withFolder(async (folder) => {
      const offered = offer();
      const { signature, sha256 } = await attempt(folder, { offered });
      expect(sha256).toBe(offered.artifact.sha256);
      expect(signature).toEqual({
        form: "key",
        signature: join(folder, "artifact.sig"),
        keyId: offered.publisher.keyId,
      });
      expect(readdirSync(folder).sort()).toEqual(["artifact.sig", "artifact.tgz"]);
    }));

  test("signing changes nothing in the package: the signature lies beside it (CASE-2)", () => {
    const bytes = Buffer.from("any package");
    const before = Buffer.from(bytes);
    offer(bytes);
    expect(bytes).toEqual(before);
  });

  test("five ways to be wrong are five codes, and good is none of them (CASE-1, INS-2/wrong-signer-differs)", async () => {
    const good = offer();
    const stranger = newPublisher();
    const flipped = Buffer.from(good.bytes);
    flipped.writeUInt8(flipped.readUInt8(9) ^ 1, 9);
    const others = good.publisher.sign(Buffer.from("other bytes"));
    const tries: Record<string, Attempt> = {
      good: {},
      "one flipped bit": { offered: { ...good, files: { ...good.files, [ARCHIVE]: flipped } } },
      "signature removed": { offered: withSignature(undefined) },
      "another publisher": { offered: withSignature(stranger.sign(good.bytes), good), publishers: [stranger] },
      "signature over other bytes": { offered: withSignature(others, good) },
      "no cosign": { cosignPlaces: ["/nonexistent"] },
    };
    const codes: Record<string, string> = {};
    for (const [name, what] of Object.entries(tries)) {
      codes[name] = await withFolder((folder) => attempt(folder, what)).then(
        () => "ok",
        (error) => (isFermixError(error) ? error.code : String(error)),
      );
    }
    expect(codes).toEqual({
      good: "ok",
      "one flipped bit": "artifact_digest_mismatch",
      "signature removed": "signature_missing",
      "another publisher": "publisher_mismatch",
      "signature over other bytes": "signature_invalid",
      "no cosign": "cosign_missing",
    });
  });

  test("a valid signature of another publisher names both (INS-2/wrong-signer-differs)", () =>
    withFolder(async (folder) => {
      const good = offer();
      const other = newPublisher();
      const offered = withSignature(other.sign(good.bytes), good);
      await expectRefusal(attempt(folder, { offered, publishers: [other] }), "publisher_mismatch", {
        plugin: PLUGIN,
        version: VERSION,
        expected: good.publisher.keyId,
        actual: other.keyId,
      });
    }));

  test("a signature by a key that nobody knows is invalid", () =>
    withFolder(async (folder) => {
      const good = offer();
      await expectRefusal(
        attempt(folder, { offered: withSignature(newPublisher().sign(good.bytes), good) }),
        "signature_invalid",
        {
          plugin: PLUGIN,
          version: VERSION,
          publisher: good.publisher.keyId,
        },
      );
    }));

  for (const [what, signature] of [
    ["empty", ""],
    ["no base64", "not a signature!"],
    ["base64 of something else", Buffer.from("hello hello hello").toString("base64")],
    ["raw DER", Buffer.from(newPublisher().sign(Buffer.from("x")), "base64")],
    ["endless", "A".repeat(262_145)],
  ] as const) {
    test(`a signature file that is ${what} counts as missing`, () =>
      withFolder(async (folder) => {
        await expectRefusal(attempt(folder, { offered: withSignature(signature) }), "signature_missing");
      }));
  }

  test("an entry that names no signature is refused before cosign is looked for", () =>
    withFolder(async (folder) => {
      const good = offer();
      const offered = { ...good, artifact: { ...good.artifact, sigUrl: undefined } };
      await expectRefusal(attempt(folder, { offered, cosignPlaces: [] }), "signature_missing", {
        plugin: PLUGIN,
        version: VERSION,
        reason: "the catalog names no signature for it",
      });
    }));
});

describe("which cosign is believed", () => {
  test("one that says yes to everything is refused (INS-12/yes-sayer-refused)", () =>
    withFolder(async (folder) => {
      const cosignPlaces = standIn(folder, "exit 0");
      await expectRefusal(attempt(join(folder, "work"), { cosignPlaces }), "cosign_untrusted", {
        path: join(folder, "bin/cosign"),
        reason: "it accepts a signature that was made for other bytes",
      });
    }));

  test("one that turns into a yes-sayer is tested again, by size and time of change (INS-12/yes-sayer-refused)", () =>
    withFolder(async (folder) => {
      const cosignPlaces = standIn(folder, `exec '${cosign}' "$@"`);
      const cacheDir = join(folder, "cache");
      mkdirSync(cacheDir);
      await attempt(join(folder, "one"), { cosignPlaces, cacheDir });
      standIn(folder, "exit 0 # quietly");
      await expectRefusal(attempt(join(folder, "two"), { cosignPlaces, cacheDir }), "cosign_untrusted");
    }));

  test("a passed test is remembered: the next run asks cosign once", () =>
    withFolder(async (folder) => {
      const log = join(folder, "log");
      const cosignPlaces = standIn(folder, `echo run >> '${log}'; exec '${cosign}' "$@"`);
      await attempt(join(folder, "one"), { cosignPlaces, cacheDir: folder });
      expect(readFileSync(log, "utf8")).toBe("run\nrun\n");
      await attempt(join(folder, "two"), { cosignPlaces, cacheDir: folder });
      expect(readFileSync(log, "utf8")).toBe("run\nrun\nrun\n");
      expect(JSON.parse(readFileSync(join(folder, "cosign-self-test.json"), "utf8"))).toHaveLength(1);
    }));

  test("one that refuses what Fermix's own check accepts is not believed (INS-12/disagreement-refused)", () =>
    withFolder(async (folder) => {
      await expectRefusal(
        attempt(join(folder, "work"), { cosignPlaces: standIn(folder, "exit 1") }),
        "cosign_untrusted",
        {
          path: join(folder, "bin/cosign"),
          reason: "it refuses a signature that Fermix's own check accepts",
        },
      );
    }));

  test("one that accepts what Fermix's own check refuses is not believed (INS-12/disagreement-refused)", () =>
    withFolder(async (folder) => {
      const script = 'for last; do :; done; case "$last" in */other-bytes) exit 1;; *) exit 0;; esac';
      const good = offer();
      const offered = withSignature(good.publisher.sign(Buffer.from("other bytes")), good);
      const work = attempt(join(folder, "work"), { offered, cosignPlaces: standIn(folder, script) });
      await expectRefusal(work, "cosign_untrusted", {
        path: join(folder, "bin/cosign"),
        reason: "it accepts a signature that Fermix's own check refuses",
      });
    }));

  for (const [what, result, reason] of [
    ["does not end in time", { timedOut: true, exitCode: undefined }, "it did not finish within 60 s"],
    ["is killed", { exitCode: undefined }, "it was ended by a signal"],
    ["cannot be started", { exitCode: 127 }, "it ended with status 127"],
  ] as const) {
    test(`one that ${what} gave no verdict`, () =>
      withFolder(async (folder) => {
        // The self-test of the real cosign has passed by now, or runs into the same answer.
        const processes = scripted(() => result);
        await expectRefusal(attempt(folder, { ports: { processes } }), "cosign_failed", { path: cosign, reason });
      }));
  }

  test("it is run by absolute path, with an environment built from nothing", () =>
    withFolder(async (folder) => {
      const processes = scripted((args) => ({ exitCode: args.at(-1)?.endsWith("other-bytes") ? 1 : 0 }));
      await attempt(folder, { ports: { processes } });
      const scratch = join(folder, "cosign");
      for (const { command, env } of processes.ran) {
        expect(command).toBe(cosign);
        expect(env).toEqual({ HOME: scratch, TUF_ROOT: `${scratch}/tuf`, XDG_CACHE_HOME: `${scratch}/cache` });
      }
    }));
});

test("a signature that has to be fetched goes through the mirror like the package", () =>
  withFolder(async (folder) => {
    const offered = offer();
    writeFileSync(join(folder, "notes-1.0.0.tar.gz.sig"), offered.publisher.sign(offered.bytes));
    const workDir = join(folder, "work");
    const downloaded = await download(offered, workDir);
    const ports = { ...offlinePorts({}), ...noNetwork() };
    const publishers = new Map([[offered.publisher.keyId, offered.publisher.publicKey]]);
    const request = { downloaded, publishers, workDir, mirror: pathToFileURL(folder).href, network: DIRECT };
    expect((await verifySignature(ports, environment(), request)).signature.form).toBe("key");
  }));
