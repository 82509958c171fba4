import { expect, test } from "bun:test";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sweepStore } from "../../src/store/sweep.ts";
import { snapshotTree } from "../expect.ts";
import { CHANGES } from "./changes.ts";
import { StoreLab } from "./store-lab.ts";

/** Files and links only: an empty folder is no debris. */
function content(root: string): Record<string, string> {
  return Object.fromEntries(Object.entries(snapshotTree(root)).filter(([, kind]) => kind !== "folder"));
}

function steps(folder: string): readonly string[] {
  return readdirSync(folder).toSorted((a, b) => Number(a) - Number(b));
}

/** Each disturbed home must come out of the next sweep as it was before, or as it is when the change went through. */
async function judge(base: string, how: "killed" | "failed"): Promise<{ old: number; updated: number }> {
  const [old, updated] = [content(join(base, "before")), content(join(base, "after"))];
  const outcomes = { old: 0, updated: 0 };
  for (const step of steps(join(base, how))) {
    const lab = new StoreLab(join(base, how, step));
    await sweepStore(lab.ports, lab.home);
    const found = content(lab.home.root);
    if (Bun.deepEquals(found, updated)) outcomes.updated += 1;
    else {
      expect({ how, step, found }).toEqual({ how, step, found: old });
      outcomes.old += 1;
    }
  }
  return outcomes;
}

for (const { title } of CHANGES) {
  test(`INS-5/atomic INS-5/crash-keeps-old INS-5/no-debris: ${title}, killed or failing at any change of the disk`, async () => {
    const base = mkdtempSync(join(tmpdir(), "fermix-crash-"));
    try {
      const child = Bun.spawnSync({
        cmd: [
          process.execPath,
          "--preload",
          join(import.meta.dir, "../lab/disk-changes.ts"),
          join(import.meta.dir, "change-child.ts"),
          ...[base, title],
        ],
        env: { PATH: process.env["PATH"], HOME: base },
      });
      expect(child.stderr.toString()).toBe("");
      expect(steps(join(base, "killed")).length).toBeGreaterThan(10);
      if (title === "an upgrade") {
        for (const step of steps(join(base, "killed"))) {
          const lab = new StoreLab(join(base, "killed", step));
          // Before any sweep a reader finds one whole version.
          expect(lab.liveContent()).toBe((await lab.live()) === "1.0.0" ? "old" : "new");
        }
      }
      for (const how of ["killed", "failed"] as const) {
        const { old, updated } = await judge(base, how);
        // The same bytes over themselves end in the same state either way.
        if (!title.includes("same bytes")) expect({ how, both: old > 0 && updated > 0 }).toEqual({ how, both: true });
      }
    } finally {
      rmSync(base, { recursive: true, force: true });
    }
  }, 30_000);
}
