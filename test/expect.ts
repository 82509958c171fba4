/** Asserting a refusal: the code and the details, whole, never the prose. */
import { expect } from "bun:test";
import { readdirSync, readFileSync, readlinkSync } from "node:fs";
import { join } from "node:path";
import type { Details, FermixCode } from "../src/kernel/codes.ts";
import { isFermixError } from "../src/kernel/error.ts";

/** Runs the work, which must fail with this code and exactly these details (when given); returns the details. */
export async function expectRefusal<Code extends FermixCode>(
  work: (() => unknown) | Promise<unknown>,
  code: Code,
  details?: Details<Code>,
): Promise<Details<Code>> {
  let outcome: unknown;
  try {
    outcome = { returned: await (typeof work === "function" ? work() : work) };
  } catch (error) {
    outcome = error;
  }
  if (!isFermixError(outcome, code)) {
    throw new Error(
      `expected the refusal ${code}, saw ${outcome instanceof Error ? outcome.stack : JSON.stringify(outcome)}`,
    );
  }
  if (details !== undefined) expect(outcome.details).toEqual(details);
  return outcome.details as Details<Code>;
}

/** Every path below a folder with its kind and content, so that two moments can be compared whole. */
export function snapshotTree(root: string): Record<string, string> {
  const seen: Record<string, string> = {};
  const walk = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      const name = `${prefix}${entry.name}`;
      if (entry.isDirectory()) {
        seen[`${name}/`] = "folder";
        walk(path, `${name}/`);
      } else if (entry.isSymbolicLink()) seen[name] = `link:${readlinkSync(path)}`;
      else seen[name] = entry.isFile() ? `file:${Bun.hash(readFileSync(path)).toString(16)}` : "special";
    }
  };
  walk(root, "");
  return seen;
}
