/** `bun run bench [--check] [--short] [--peers] [--only startup|install|gateway]`: figures as ratios within one run. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildFermix } from "../build.ts";
import { benchInstall } from "../test/bench/install.ts";
import { met, type Row } from "../test/bench/measure.ts";
import { benchStartup } from "../test/bench/startup.ts";
import { BINARY, isCurrent } from "../test/lab/binary.ts";

const { values } = parseArgs({
  options: {
    check: { type: "boolean", default: false },
    short: { type: "boolean", default: false },
    peers: { type: "boolean", default: false },
    only: { type: "string" },
  },
});

const PARTS = {
  startup: (scratch: string) => benchStartup(BINARY, values.short ? 7 : 25, scratch),
  install: (scratch: string) => benchInstall(values.short ? 1 : 5, scratch),
};

function render(row: Row): string {
  const digits = row.unit === "MB" || row.unit === "%" ? 0 : 2;
  const sign = row.bound === "most" ? "<=" : ">=";
  const target = `${sign} ${row.target.toFixed(digits)} ${row.unit}`;
  return `${met(row) ? "ok  " : "MISS"}  ${row.what.padEnd(62)} ${`${row.measured.toFixed(digits)} ${row.unit}`.padStart(9)}  ${target.padEnd(10)}  ${row.note}`;
}

if (!isCurrent(BINARY)) await buildFermix({ outfile: BINARY });
// A memory disk takes the real disk's moods out of the ratios.
const scratch = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "fermix-bench-"));
let missed = 0;
try {
  for (const [name, part] of Object.entries(PARTS)) {
    if (values.only !== undefined && values.only !== name) continue;
    for (const row of await part(scratch)) {
      console.log(render(row));
      if (!met(row)) missed += 1;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (values.check && missed > 0) process.exitCode = 1;
