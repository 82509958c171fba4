/** Remembers which cosign programs have refused a known-bad signature; one that accepts it is never believed (INS-12). */
import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { writeAtomically } from "../files/atomic-write.ts";
import { FermixError, hasErrno } from "../kernel/error.ts";
import type { CosignLocation } from "./cosign.ts";

/** A machine has one or two; the file is rewritten whole. */
const MAX_REMEMBERED = 8;
const FILE = "cosign-self-test.json";

const passed = new Set<string>();

/**
 * Makes sure that this program, in this form of use, says no to a signature over other bytes; `acceptsOtherBytes` asks
 * it. Once per path, size and time of change, remembered in `cacheDir` when given (whoever can write there can replace
 * plugins anyway). Throws cosign_untrusted.
 */
export async function assertRefusesBadSignature(
  cosign: CosignLocation,
  form: string,
  cacheDir: string | undefined,
  acceptsOtherBytes: () => Promise<boolean>,
): Promise<void> {
  const mark = `${form} ${cosign.bytes} ${cosign.mtimeMs} ${cosign.path}`;
  if (passed.has(mark) || (cacheDir !== undefined && readMarks(cacheDir).includes(mark))) return;
  if (await acceptsOtherBytes()) {
    throw new FermixError("cosign_untrusted", {
      path: cosign.path,
      reason: "it accepts a signature that was made for other bytes",
    });
  }
  passed.add(mark);
  if (cacheDir === undefined) return;
  const marks = [mark, ...readMarks(cacheDir)].slice(0, MAX_REMEMBERED);
  mkdirSync(cacheDir, { recursive: true, mode: 0o700 });
  await writeAtomically(join(cacheDir, FILE), `${JSON.stringify(marks, undefined, 2)}\n`);
}

/** A cache that is not there or not readable as one only costs another test. */
function readMarks(cacheDir: string): readonly string[] {
  try {
    const parsed: unknown = JSON.parse(readFileSync(join(cacheDir, FILE), "utf8"));
    return Array.isArray(parsed) ? parsed.filter((mark) => typeof mark === "string") : [];
  } catch (cause) {
    if (cause instanceof SyntaxError || hasErrno(cause, "ENOENT", "ENOTDIR")) return [];
    throw cause;
  }
}
