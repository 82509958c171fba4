/** Both ways to one API, measured in one process: a bare `fetch`, and a tool call on the http rail; prints its figures as JSON. */
import { Credential } from "../../src/auth/credential.ts";
import { DIRECT } from "../../src/egress/network-policy.ts";
import { parseManifest } from "../../src/manifest/parse.ts";
import { openHttpSession } from "../../src/rails/http/session.ts";
import { systemClock } from "../../src/system/clock.ts";
import { systemDns } from "../../src/system/dns.ts";
import { systemHttp } from "../../src/system/http.ts";
import { median, takeTurns } from "./measure.ts";

export interface HttpBenchPlan {
  /** Four of them: a host gets eight requests at once. */
  readonly hosts: readonly string[];
  readonly warmUpCalls: number;
  readonly rounds: number;
  readonly callsARound: number;
  /** Calls whose memory is watched; 0 for none. */
  readonly enduranceCalls: number;
}

export interface HttpBenchFigures {
  /** Of each round: the middle call's time in ms. */
  readonly p50: { readonly bare: readonly number[]; readonly rail: readonly number[] };
  /** Of each round: the time of all calls in ms, 32 at once, to four hosts that take 10 ms for an answer. */
  readonly together: { readonly bare: readonly number[]; readonly rail: readonly number[] };
  /** The same to one host that takes no time: what the processor does, and nothing else. */
  readonly atOnce: { readonly bare: readonly number[]; readonly rail: readonly number[] };
  /** Resident MB before and after the endurance calls. */
  readonly memory: { readonly before: number; readonly after: number } | undefined;
}

const AT_ONCE = 32;
const MEGABYTE = 1 << 20;
const TOKEN = "bench-token-0123456789abcdef";

type Call = () => Promise<void>;
type Path = "items" | "slow";

function bareCall(host: string, path: Path): Call {
  const headers = { accept: "application/json", authorization: `Bearer ${TOKEN}` };
  return async () => {
    const reply = await fetch(`https://${host}/${path}?q=bench`, { headers });
    const { total } = (await reply.json()) as { readonly total: number };
    if (total !== 8) throw new Error("the bare answer is not the server's");
  };
}

function railCall(host: string, path: Path): Call {
  const manifest = parseManifest(
    JSON.stringify({
      schema_version: 2,
      plugin_api: 2,
      name: "bench",
      display_name: "Bench",
      description: "A plugin to measure.",
      category: "test",
      version: "1.0.0",
      auth: { type: "api_key", key_name: "BENCH_KEY", header: "Authorization", scheme: "Bearer", prompt: "Key" },
      tools: [
        {
          name: "bench_items",
          description: "Lists items.",
          policy_class: "external_api",
          read_only: true,
          parameters: { type: "object", properties: { q: { type: "string" } }, required: ["q"] },
          request: { method: "GET", url: `https://${host}/${path}`, query: { q: "{q}" } },
        },
      ],
    }),
    {},
  );
  const grant = { credential: new Credential(TOKEN), grantedScopes: undefined, region: undefined };
  const source = { current: async () => grant, renew: async () => undefined };
  const ports = { dns: systemDns, http: systemHttp, clock: systemClock() };
  const { name, version } = manifest;
  const plugin = { name, version, origin: "installed", dir: undefined, manifest } as const;
  const session = openHttpSession(ports, plugin, { source, network: DIRECT });
  const [tool] = session.tools();
  if (tool === undefined) throw new Error("the plugin has no tool");
  return async () => {
    const outcome = await session.call(tool, { q: "bench" }, {});
    if (!outcome.ok) throw outcome.error;
  };
}

/** One call after another to each of these. */
function inTurn(calls: readonly Call[]): Call {
  let next = 0;
  return async () => {
    next = (next + 1) % calls.length;
    await calls[next]?.();
  };
}

/** The middle call's time, one after another. */
async function middle(call: Call, calls: number): Promise<number> {
  const times: number[] = [];
  for (let at = 0; at < calls; at += 1) {
    const start = Bun.nanoseconds();
    await call();
    times.push((Bun.nanoseconds() - start) / 1e6);
  }
  return median(times);
}

/** The time of all calls, 32 at once. */
async function together(call: Call, calls: number): Promise<number> {
  const start = Bun.nanoseconds();
  let left = calls;
  const work = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await call();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return (Bun.nanoseconds() - start) / 1e6;
}

function residentNow(): number {
  Bun.gc(true);
  return process.memoryUsage.rss() / MEGABYTE;
}

async function endure(call: Call, calls: number): Promise<HttpBenchFigures["memory"]> {
  if (calls === 0) return undefined;
  const before = residentNow();
  await together(call, calls);
  return { before, after: residentNow() };
}

const plan: HttpBenchPlan = JSON.parse(process.argv[2] ?? "");
const [host = ""] = plan.hosts;
const [bare, rail] = [bareCall(host, "items"), railCall(host, "items")];
const slowBare = inTurn(plan.hosts.map((name) => bareCall(name, "slow")));
const slowRail = inTurn(plan.hosts.map((name) => railCall(name, "slow")));
for (const call of [bare, rail]) {
  await middle(call, plan.warmUpCalls);
  await together(call, plan.warmUpCalls);
}
const p50 = await takeTurns(plan.rounds, {
  bare: () => middle(bare, plan.callsARound),
  rail: () => middle(rail, plan.callsARound),
});
const many = await takeTurns(plan.rounds, {
  bare: () => together(slowBare, plan.callsARound * 2),
  rail: () => together(slowRail, plan.callsARound * 2),
});
const atOnce = await takeTurns(plan.rounds, {
  bare: () => together(bare, plan.callsARound * 2),
  rail: () => together(rail, plan.callsARound * 2),
});
const memory = await endure(rail, plan.enduranceCalls);
const figures: HttpBenchFigures = { p50, together: many, atOnce, memory };
process.stdout.write(`${JSON.stringify(figures)}\n`);
// Idle connections would keep the process up.
process.exit(0);
