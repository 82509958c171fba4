/** What the http rail costs: a tool call and a bare `fetch` of the same process to the same server, in a network of its own. */
import { join } from "node:path";
import { Lab, labMissing, SERVER_ADDRESS } from "../lab/network.ts";
import type { HttpBenchFigures, HttpBenchPlan } from "./http-client.ts";
import { median, type Row, ratio } from "./measure.ts";

const HOSTS = ["a", "b", "c", "d"].map((name) => `${name}.bench.test`);
/** The connection to the server is encrypted, its certificate checked, and its address judged, as in every call. */
const ADDED_MS = 0.5;
const SHARE_OF_BARE = 80;
/** What an allocator keeps for later is no leak; one byte kept by each of 100,000 calls would be 0.1 MB. */
const GROWTH_MB = 8;

/** Measures both ways in turns; without the means for a network namespace there is nothing to measure. */
export async function benchHttp(plan: Omit<HttpBenchPlan, "hosts">): Promise<Row[]> {
  const missing = labMissing();
  if (missing !== undefined)
    return [{ what: `http rail: not run, ${missing} is missing`, measured: 0, unit: "ms", note: "" }];
  using lab = new Lab(HOSTS);
  const { cert, key } = lab.certificate(HOSTS);
  await lab.serve(join(import.meta.dirname, "http-server.ts"), [SERVER_ADDRESS, cert, key]);
  return rowsOf(await measure(lab, { ...plan, hosts: HOSTS }), plan);
}

async function measure(lab: Lab, plan: HttpBenchPlan): Promise<HttpBenchFigures> {
  const script = join(import.meta.dirname, "http-client.ts");
  const child = Bun.spawn([...lab.inside, process.execPath, script, JSON.stringify(plan)], {
    env: { PATH: process.env["PATH"] ?? "", NODE_EXTRA_CA_CERTS: lab.caFile },
    stdout: "pipe",
    stderr: "inherit",
  });
  const [said, code] = await Promise.all([child.stdout.text(), child.exited]);
  if (code !== 0) throw new Error(`${script} exited ${code}`);
  return JSON.parse(said);
}

function rowsOf({ p50, together, atOnce, memory }: HttpBenchFigures, plan: Omit<HttpBenchPlan, "hosts">): Row[] {
  const added = median(p50.rail.map((time, round) => time - (p50.bare[round] ?? Number.NaN)));
  const calls = plan.callsARound * 2;
  const perSecond = (times: readonly number[]): string => `${((calls / median(times)) * 1000).toFixed(0)}/s`;
  const rows: Row[] = [
    {
      what: "http tool call, p50, added to a bare fetch",
      measured: added,
      unit: "ms",
      limit: { most: ADDED_MS },
      note: `${median(p50.rail).toFixed(3)} / ${median(p50.bare).toFixed(3)} ms, ${plan.rounds} rounds of ${plan.callsARound} calls`,
    },
    {
      what: "http tool calls/s, 32 at once, of bare fetch",
      measured: ratio(together.bare, together.rail) * 100,
      unit: "%",
      limit: { least: SHARE_OF_BARE },
      note: `${perSecond(together.rail)} / ${perSecond(together.bare)}, four hosts that take 10 ms, eight at once to each`,
    },
    {
      what: "the same to one host on this machine that takes no time",
      measured: ratio(atOnce.bare, atOnce.rail) * 100,
      unit: "%",
      note: `${perSecond(atOnce.rail)} / ${perSecond(atOnce.bare)}: what the processor does, and nothing else`,
    },
  ];
  if (memory === undefined) return rows;
  return [
    ...rows,
    {
      what: `resident memory added by ${plan.enduranceCalls.toLocaleString("en")} http tool calls`,
      measured: memory.after - memory.before,
      unit: "MB",
      limit: { most: GROWTH_MB },
      note: `${memory.before.toFixed(0)} MB before, ${memory.after.toFixed(0)} MB after`,
    },
  ];
}
