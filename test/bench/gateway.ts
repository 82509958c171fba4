/** What the gateway costs: one echo call straight to a server, and the same call through `fermix mcp serve`. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lab/binary.ts";
import { compileLikeFermix, passThrough } from "./compile.ts";
import { type BenchClient, greet, StdioClient } from "./mcp-clients.ts";
import { median, type Row, ratio, takeTurns } from "./measure.ts";
import { startPeers } from "./peers.ts";

const SERVER = ["node", join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "stdio"];
/** What no gateway in this runtime can be faster than on this machine, at this moment. */
const BARE = "a bare Bun pass-through";
/** After the last call, until memory that was only lent is given back. */
const SETTLE_MS = 1_500;

export interface GatewayOptions {
  /** The words before `mcp serve`. */
  readonly command: readonly string[];
  /** Calls of each way before anything is timed; the engine is done compiling the way of a call after some 12,000. */
  readonly warmUpCalls: number;
  readonly rounds: number;
  readonly callsARound: number;
  /** Also measure mcp-hub and supergateway, from npm. */
  readonly peers: boolean;
}

/** One way to the echo tool. */
interface Way {
  readonly name: string;
  readonly client: BenchClient;
  readonly tool: string;
}

/** All ways take turns within one run; the ratios are medians over the rounds. */
export async function benchGateway(options: GatewayOptions, scratch: string): Promise<Row[]> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: scratch };
  await using direct = new StdioClient(SERVER, env);
  const home = homeWithServer(scratch);
  await using fermix = new StdioClient([...options.command, "mcp", "serve"], { ...env, FERMIX_HOME: home });
  await using bare = new StdioClient([await compileLikeFermix(scratch, "pass-through", passThrough(SERVER))], env);
  for (const client of [direct, fermix, bare]) await greet(client);
  await Bun.sleep(SETTLE_MS);
  const idle = memoryRow("mcp serve, idle after the first list, own resident memory", fermix.pid);
  const guard = memoryRow("its guard process, idle", guardOf(fermix.pid));
  const peers = options.peers ? await startPeers(scratch, SERVER) : [];
  try {
    for (const { client } of peers) await greet(client);
    const ways: Way[] = [
      { name: "direct", client: direct, tool: "echo" },
      { name: "mcp serve", client: fermix, tool: "bench_echo" },
      { name: BARE, client: bare, tool: "echo" },
      ...peers.map(({ name, client, tool }) => ({ name, client, tool })),
    ];
    const calls = await measure(ways, options);
    await Bun.sleep(SETTLE_MS);
    return [
      ...fermixRows(calls, options),
      ...comparedRows(calls, BARE),
      idle,
      memoryRow("mcp serve, idle after the calls, own resident memory", fermix.pid),
      guard,
      ...peers.flatMap(({ name, pid }) => [
        ...comparedRows(calls, name),
        memoryRow(`${name}, idle after the calls, own resident memory`, pid),
      ]),
    ];
  } finally {
    for (const peer of peers) await peer[Symbol.asyncDispose]();
  }
}

/** Of each way and round: the middle call's time and the whole round's, in ms. */
type Calls = ReadonlyMap<string, { readonly p50: number[]; readonly whole: number[] }>;

async function measure(ways: readonly Way[], { warmUpCalls, rounds, callsARound }: GatewayOptions): Promise<Calls> {
  const calls = new Map(ways.map(({ name }) => [name, { p50: [] as number[], whole: [] as number[] }]));
  for (const way of ways) await timeCalls(way, warmUpCalls);
  const variants = ways.map((way) => [
    way.name,
    async () => {
      const times = await timeCalls(way, callsARound);
      const whole = times.reduce((total, time) => total + time, 0);
      calls.get(way.name)?.p50.push(median(times));
      calls.get(way.name)?.whole.push(whole);
      return whole;
    },
  ]);
  await takeTurns(rounds, Object.fromEntries(variants));
  return calls;
}

/** Each call's time in ms, one after another. */
async function timeCalls({ name, client, tool }: Way, calls: number): Promise<number[]> {
  const params = { name: tool, arguments: { message: "hello" } };
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const start = Bun.nanoseconds();
    const answer = await client.ask("tools/call", params);
    times.push((Bun.nanoseconds() - start) / 1e6);
    if (!answer.includes("Echo: hello")) throw new Error(`${name} answered ${answer}`);
  }
  return times;
}

function compared(calls: Calls, name: string): { p50: number; share: number; note: string } {
  const straight = calls.get("direct");
  const through = calls.get(name);
  if (straight === undefined || through === undefined) throw new Error(`${name} was not measured`);
  return {
    p50: ratio(through.p50, straight.p50),
    share: ratio(straight.whole, through.whole) * 100,
    note: `p50 ${median(through.p50).toFixed(3)} / ${median(straight.p50).toFixed(3)} ms`,
  };
}

function fermixRows(calls: Calls, { rounds, callsARound }: GatewayOptions): readonly Row[] {
  const { p50, share, note } = compared(calls, "mcp serve");
  return [
    { what: "echo call through mcp serve, p50 over direct", measured: p50, unit: "x", limit: { most: 2 }, note },
    {
      what: "echo calls/s through mcp serve, one after another, of direct",
      measured: share,
      unit: "%",
      limit: { least: 65 },
      note: `${rounds} rounds of ${callsARound} calls`,
    },
  ];
}

/** The same figures of another way, told beside Fermix's. */
function comparedRows(calls: Calls, name: string): readonly Row[] {
  const { p50, share, note } = compared(calls, name);
  return [
    { what: `echo call through ${name}, p50 over direct`, measured: p50, unit: "x", note },
    { what: `echo calls/s through ${name}, one after another, of direct`, measured: share, unit: "%", note: "" },
  ];
}

function memoryRow(what: string, pid: number): Row {
  const status = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const of = (key: string): number => Number(new RegExp(`^${key}:\\s+(\\d+) kB`, "m").exec(status)?.[1] ?? 0) / 1024;
  const clean = of("Shared_Clean") + of("Private_Clean");
  return { what, measured: of("Rss"), unit: "MB", note: `${clean.toFixed(0)} MB of it clean pages of the program` };
}

/** The only child of `mcp serve` is the guard of its only server. */
function guardOf(pid: number): number {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ")[0]);
}

/** A home that serves server-everything as the plugin `bench`, through a one-line wrapper in its folder. */
function homeWithServer(scratch: string): string {
  const folder = mkdtempSync(join(scratch, "gateway-"));
  const plugin = join(folder, "plugins/bench");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(join(plugin, "server.mjs"), `import ${JSON.stringify(SERVER[1])};\n`);
  const manifest = {
    schema_version: 2,
    name: "bench",
    display_name: "Bench",
    description: "A server to measure against.",
    category: "test",
    version: "1.0.0",
    plugin_api: 2,
    auth: { type: "none" },
    runtime: { kind: "node", command: "node", args: ["server.mjs"], vendored: false },
    tools: [{ name: "bench_echo", description: "Echoes.", policy_class: "external_api", read_only: true, rail: "mcp" }],
  };
  writeFileSync(join(plugin, "plugin.json"), JSON.stringify(manifest));
  const home = join(folder, "home");
  mkdirSync(home, { mode: 0o700 });
  const config = `[fermix_core.plugins]\nenabled = ["bench"]\ndev_local = ${JSON.stringify(join(folder, "plugins"))}\n`;
  writeFileSync(join(home, "config.toml"), config);
  return home;
}
