/** Who signed it: each way to be wrong has a code of its own, judged by the real cosign on the compiled binary. */
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { FlowHome } from "../lab/binary.ts";
import { BARE_PATH, pathWith, withoutCosign } from "../lab/cosign.ts";
import { hostileBinary } from "../lab/hostile/binary.ts";
import { IDENTITY, KEYED, rival, us } from "../lab/hostile/signatures.ts";
import { refused } from "../lab/refusal.ts";

/** No network at all, for whatever wanted to ask one. */
const OFFLINE = ["unshare", "--net", "--map-root-user"];

let binary: string;
beforeAll(async () => {
  binary = await hostileBinary();
}, 120_000);

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
