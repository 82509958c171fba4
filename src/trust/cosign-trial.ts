/** Tries a cosign out on this binary's own signed index: it must accept that signature and refuse it for other bytes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FermixError } from "../kernel/error.ts";
import type { Ports } from "../kernel/ports.ts";
import { runCosign, VERIFY_DEADLINE_MS } from "./cosign-run.ts";

/** What nobody signed. */
const OTHER_BYTES = "Fermix asks whether this cosign can say no.\n";

/**
 * Returns when the program at this absolute path can be believed (DECISIONS 5); nothing is kept of the trial. Throws
 * cosign_untrusted, or cosign_failed when it gives no answer.
 */
export async function tryCosign(ports: Pick<Ports, "processes" | "embedded">, path: string): Promise<void> {
  const [index, signature, key] = ["index.json", "index.json.sig", "index.pub"].map((name) =>
    ports.embedded.read(name),
  );
  if (index === undefined || signature === undefined || key === undefined) {
    throw new FermixError("catalog_untrusted", { reason: "its index, signature or key is missing" });
  }
  const scratch = mkdtempSync(join(tmpdir(), "fermix-cosign-trial-"));
  try {
    const write = (name: string, data: Uint8Array | string): string => {
      const file = join(scratch, name);
      writeFileSync(file, data);
      return file;
    };
    const flags = ["--key", write("index.pub", key), "--signature", write("index.sig", signature)];
    const ask = async (file: string): Promise<boolean> => {
      const args = ["verify-blob", ...flags, "--insecure-ignore-tlog=true", file];
      return (await runCosign(ports, path, { args, deadlineMs: VERIFY_DEADLINE_MS, scratch })).accepted;
    };
    if (await ask(write("other", OTHER_BYTES))) {
      throw new FermixError("cosign_untrusted", {
        path,
        reason: "it accepts a signature that was made for other bytes",
      });
    }
    if (!(await ask(write("index.json", index)))) {
      throw new FermixError("cosign_untrusted", {
        path,
        reason: "it refuses a signature that Fermix's own check accepts",
      });
    }
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}
