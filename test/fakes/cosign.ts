/** A program that judges key signatures as cosign does, for a fake process port: it is found on disk and never started. */
import { createPublicKey, verify } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { RunResult, RunSpec } from "../../src/kernel/ports.ts";
import type { FakeProcesses } from "./processes.ts";

/** Puts `cosign` into the folder and lets these processes run it. */
export function fakeCosign(folder: string, processes: FakeProcesses): string {
  const path = join(folder, "cosign");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, "fake");
  chmodSync(path, 0o755);
  processes.allowRun(path, judge);
  return path;
}

/** `verify-blob --key PUB --signature S --insecure-ignore-tlog=true FILE`: 0 when it holds, else 1 (PLATFORM, cosign). */
function judge({ args }: RunSpec): Partial<RunResult> {
  const [verb, keyFlag, key, signatureFlag, signature, log, blob] = args;
  if (args.join(" ") === "verify-blob --help") return { exitCode: 0, stdout: "  --new-bundle-format\n" };
  if (args.join(" ") === "version") return { exitCode: 0, stdout: "GitVersion:    devel\n" };
  const asked = [verb, keyFlag, signatureFlag, log].join(" ");
  if (asked !== "verify-blob --key --signature --insecure-ignore-tlog=true" || blob === undefined) {
    throw new Error(`unexpected cosign ${args.join(" ")}`);
  }
  const der = Buffer.from(readFileSync(String(signature), "latin1").trim(), "base64");
  const holds = verify("sha256", readFileSync(blob), createPublicKey(readFileSync(String(key))), der);
  return holds ? { exitCode: 0, stderr: "Verified OK\n" } : { exitCode: 1, stderr: "Error: invalid signature\n" };
}
