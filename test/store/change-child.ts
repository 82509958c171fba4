/**
 * Run with test/lab/disk-changes.ts preloaded: `change-child.ts BASE TITLE`. Leaves in BASE: `before` and `after`, the
 * home around an undisturbed change; `killed/N`, what a kill before its Nth disk change leaves; `failed/N`, the home after
 * a run in which that disk change failed.
 */
import { cpSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { diskChanges } from "../lab/disk-changes.ts";
import { changeTitled } from "./changes.ts";
import { StoreLab } from "./store-lab.ts";

const [base, title] = process.argv.slice(2);
if (base === undefined) throw new Error("BASE is missing");
const change = changeTitled(title);
const disk = diskChanges();

const home = join(base, "after");
mkdirSync(home);
const lab = new StoreLab(home);
await change.before(lab);
cpSync(home, join(base, "before"), { recursive: true, verbatimSymlinks: true });
disk.made = 0;
disk.copy = { from: home, into: join(base, "killed") };
await change.make(lab);
disk.copy = undefined;
const changes = disk.made;

for (let at = 1; at <= changes; at += 1) {
  const root = join(base, "failed", String(at));
  cpSync(join(base, "before"), root, { recursive: true, verbatimSymlinks: true });
  disk.made = 0;
  disk.failAt = at;
  const failed = await change.make(new StoreLab(root)).then(
    () => false,
    () => true,
  );
  if (!failed) throw new Error(`change ${at} did not fail`);
}
