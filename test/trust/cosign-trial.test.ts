/** Trying a cosign out: the real one passes; one that says yes to everything, or no to everything, is named. */
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { embeddedFiles } from "../../src/system/embedded.ts";
import { systemProcesses } from "../../src/system/processes.ts";
import { tryCosign } from "../../src/trust/cosign-trial.ts";
import { expectRefusal } from "../expect.ts";
import { embeddedOf } from "../fakes/embedded.ts";
import { realCosign } from "./stages.ts";

const ports = { processes: systemProcesses(), embedded: embeddedFiles };

/** A temporary folder of its own: in the machine's, other processes have trials too. */
let temporary: string;
const usual = process.env["TMPDIR"];
beforeEach(() => {
  temporary = mkdtempSync(join(tmpdir(), "fermix-trial-"));
  process.env["TMPDIR"] = temporary;
});
afterEach(() => {
  if (usual === undefined) delete process.env["TMPDIR"];
  else process.env["TMPDIR"] = usual;
  rmSync(temporary, { recursive: true, force: true });
});

test("the real one passes, and the trial leaves nothing", async () => {
  await tryCosign(ports, realCosign());
  expect(readdirSync(temporary)).toEqual([]);
});

for (const [says, status, reason] of [
  ["yes", 0, "it accepts a signature that was made for other bytes"],
  ["no", 1, "it refuses a signature that Fermix's own check accepts"],
] as const) {
  test(`INS-12/yes-sayer-refused INS-12/disagreement-refused: one that says ${says} to everything is not believed`, async () => {
    const path = join(temporary, "cosign");
    writeFileSync(path, `#!/bin/sh\nexit ${status}\n`, { mode: 0o755 });
    await expectRefusal(tryCosign(ports, path), "cosign_untrusted", { path, reason });
    expect(readdirSync(temporary)).toEqual(["cosign"]);
  });
}

test("a binary without a signed index has nothing to try it on", async () => {
  const embedded = embeddedOf({});
  await expectRefusal(tryCosign({ ...ports, embedded }, realCosign()), "catalog_untrusted");
});
