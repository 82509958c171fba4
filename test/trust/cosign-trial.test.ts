/** Trying a cosign out: the real one passes; one that says yes to everything, or no to everything, is named. */
import { expect, test } from "bun:test";
import { chmodSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedFiles } from "../../src/system/embedded.ts";
import { systemProcesses } from "../../src/system/processes.ts";
import { tryCosign } from "../../src/trust/cosign-trial.ts";
import { expectRefusal } from "../expect.ts";
import { embeddedOf } from "../fakes/embedded.ts";
import { realCosign } from "./stages.ts";

const ports = { processes: systemProcesses(), embedded: embeddedFiles };

/** Folders of trials that are still there. */
const leftovers = (): string[] => readdirSync(tmpdir()).filter((name) => name.startsWith("fermix-cosign-trial-"));

test("the real one passes, and the trial leaves nothing", async () => {
  const before = leftovers();
  await tryCosign(ports, realCosign());
  expect(leftovers()).toEqual(before);
});

for (const [says, status, reason] of [
  ["yes", 0, "it accepts a signature that was made for other bytes"],
  ["no", 1, "it refuses a signature that Fermix's own check accepts"],
] as const) {
  test(`INS-12/yes-sayer-refused INS-12/disagreement-refused: one that says ${says} to everything is not believed`, async () => {
    const folder = mkdtempSync(join(tmpdir(), "fermix-trial-"));
    try {
      const path = join(folder, "cosign");
      writeFileSync(path, `#!/bin/sh\nexit ${status}\n`);
      chmodSync(path, 0o755);
      const before = leftovers();
      await expectRefusal(tryCosign(ports, path), "cosign_untrusted", { path, reason });
      expect(leftovers()).toEqual(before);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
}

test("a binary without a signed index has nothing to try it on", async () => {
  const embedded = embeddedOf({});
  await expectRefusal(tryCosign({ ...ports, embedded }, realCosign()), "catalog_untrusted");
});
