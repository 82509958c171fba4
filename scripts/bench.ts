/** `bun run bench [--check] [--short] [--peers] [--only startup|install|gateway|http]`: figures as ratios within one run. */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { buildFermix } from "../build.ts";
import { benchGateway } from "../test/bench/gateway.ts";
import { benchHttp } from "../test/bench/http.ts";
import { benchInstall } from "../test/bench/install.ts";
import { met, type Row } from "../test/bench/measure.ts";
import { line } from "../test/bench/report.ts";
import { benchStartup } from "../test/bench/startup.ts";
import { BINARY, isCurrent } from "../test/lab/binary.ts";

const { values } = parseArgs({
  options: {
    /** Exit 1 when a figure is outside its limit. */
    check: { type: "boolean", default: false },
    /** Fewer rounds: under a minute, for CI. */
    short: { type: "boolean", default: false },
    /** Also measure other gateways, which npm has to fetch. */
    peers: { type: "boolean", default: false },
    only: { type: "string" },
  },
});

const PARTS: Readonly<Record<string, (scratch: string) => Promise<Row[]>>> = {
  startup: (scratch) => benchStartup(BINARY, values.short ? 7 : 25, scratch),
  install: (scratch) => benchInstall(values.short ? 2 : 7, scratch),
  gateway: (scratch) =>
    benchGateway(
      {
        command: [BINARY],
        warmUpCalls: values.short ? 4_000 : 12_000,
        rounds: values.short ? 5 : 15,
        callsARound: values.short ? 500 : 1_000,
        peers: values.peers,
      },
      scratch,
    ),
  http: () =>
    benchHttp({
      warmUpCalls: values.short ? 2_000 : 6_000,
      rounds: values.short ? 5 : 15,
      callsARound: values.short ? 400 : 1_000,
      enduranceCalls: values.short ? 0 : 100_000,
    }),
};

if (values.only !== undefined && PARTS[values.only] === undefined) {
  throw new Error(`unknown part ${values.only}; known: ${Object.keys(PARTS).join(", ")}`);
}
if (!isCurrent(BINARY)) await buildFermix({ outfile: BINARY });
// A memory disk takes the real disk's moods out of the ratios.
const scratch = mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "fermix-bench-"));
let missed = 0;
try {
  for (const [name, part] of Object.entries(PARTS)) {
    if (values.only !== undefined && values.only !== name) continue;
    for (const row of await part(scratch)) {
      console.log(line(row));
      if (!met(row)) missed += 1;
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (values.check && missed > 0) process.exitCode = 1;
