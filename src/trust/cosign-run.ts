/** Runs cosign: by absolute path, with an environment built from nothing, within a deadline (DECISIONS 5). */
import { tmpdir } from "node:os";
import { FermixError } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";

/** Printing its help or version. */
export const PROBE_DEADLINE_MS = 15_000;
/** Hashing and verifying 100 MiB on a slow disk, or asking the network in the certificate form. */
export const VERIFY_DEADLINE_MS = 60_000;
/** cosign's own output is short; whoever replaced it could print for ever. */
const MAX_OUTPUT_BYTES = 65_536;
/** cosign ends with 1 for every refusal; anything else is not an answer. */
const REFUSED = 1;

export interface CosignRun {
  readonly args: readonly string[];
  readonly deadlineMs: number;
  /** HOME and TUF_ROOT of the run; the system's temporary folder where nothing is written. */
  readonly scratch?: string;
}

/** Whether it ended with success, and everything it printed. Throws cosign_failed when it gave no answer at all. */
export async function runCosign(
  ports: Pick<Ports, "processes">,
  path: string,
  { args, deadlineMs, scratch = tmpdir() }: CosignRun,
): Promise<{ accepted: boolean; text: string }> {
  const result = await ports.processes.run({
    command: path,
    args,
    env: { HOME: scratch, TUF_ROOT: `${scratch}/tuf`, XDG_CACHE_HOME: `${scratch}/cache` },
    deadlineMs,
    maxOutputBytes: MAX_OUTPUT_BYTES,
  });
  if (result.timedOut) throw failed(path, `it did not finish within ${deadlineMs / 1000} s`);
  if (result.exitCode === undefined) throw failed(path, "it was ended by a signal");
  if (result.exitCode !== 0 && result.exitCode !== REFUSED) {
    throw failed(path, `it ended with status ${result.exitCode}`);
  }
  return { accepted: result.exitCode === 0, text: `${result.stdout}\n${result.stderr}` };
}

function failed(path: string, reason: string): FermixError {
  return new FermixError("cosign_failed", { path, reason });
}
