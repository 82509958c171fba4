/** What the gateway costs: one echo call straight to a server, and the same call through `fermix mcp serve`. */
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lab/binary.ts";
import { compileLikeFermix, passThrough } from "./compile.ts";
import { type BenchClient, greet, StdioClient } from "./mcp-clients.ts";
import { median, type Row, ratio, takeTurns } from "./measure.ts";
import { startPeers } from "./peers.ts";
import { SdkClient } from "./sdk-client.ts";

const SERVER = ["node", join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js"), "stdio"];
/** What no gateway in this runtime can be faster than on this machine, at this moment. */
const BARE = "a bare Bun pass-through";
/** After the last call, until memory that was only lent is given back. */
const SETTLE_MS = 1_500;
const ECHO = { message: "hello" };

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
  /** The way it is compared with: the same client's straight call. */
  readonly straight: string;
  call(): Promise<string>;
}

/**
 * All ways take turns within one run; the ratios are medians over the rounds. The limits are for the client that agents
 * have, the MCP library's. With the smallest client there can be, the same is told: then nearly all that is measured is
 * the system's work of waking one process after another, which a pass-through without a thought of its own has to pay too.
 */
export async function benchGateway(options: GatewayOptions, scratch: string): Promise<Row[]> {
  const env = { PATH: process.env["PATH"] ?? "", HOME: scratch };
  const serve = [...options.command, "mcp", "serve"];
  const serveEnv = { ...env, FERMIX_HOME: homeWithServer(scratch) };
  const bareCommand = [await compileLikeFermix(scratch, "pass-through", passThrough(SERVER))];
  await using direct = new StdioClient(SERVER, env);
  await using fermix = new StdioClient(serve, serveEnv);
  await using bare = new StdioClient(bareCommand, env);
  for (const client of [direct, fermix, bare]) await greet(client);
  await Bun.sleep(SETTLE_MS);
  const idle = memoryRow("mcp serve, idle after the first list, own resident memory", fermix.pid);
  const guard = memoryRow("its guard process, idle", guardOf(fermix.pid));
  await using agentDirect = await SdkClient.open(SERVER, env);
  await using agentServe = await SdkClient.open(serve, serveEnv);
  await using agentBare = await SdkClient.open(bareCommand, env);
  const peers = options.peers ? await startPeers(scratch, SERVER) : [];
  try {
    for (const { client } of peers) await greet(client);
    const calls = await measure(
      [
        agentWay("direct", agentDirect, "echo"),
        agentWay("mcp serve", agentServe, "bench_echo"),
        agentWay(BARE, agentBare, "echo"),
        smallestWay("direct", direct, "echo"),
        smallestWay("mcp serve", fermix, "bench_echo"),
        smallestWay(BARE, bare, "echo"),
        ...peers.map(({ name, client, tool }) => smallestWay(name, client, tool)),
      ],
      options,
    );
    await Bun.sleep(SETTLE_MS);
    return [
      ...rowsOf(calls, agents("mcp serve"), { most: 2, least: 65 }),
      ...rowsOf(calls, agents(BARE)),
      ...rowsOf(calls, smallest("mcp serve")),
      ...rowsOf(calls, smallest(BARE)),
      idle,
      memoryRow("mcp serve, idle after the calls, own resident memory", fermix.pid),
      guard,
      ...peers.flatMap(({ name, pid }) => [
        ...rowsOf(calls, smallest(name)),
        memoryRow(`${name}, idle after the calls, own resident memory`, pid),
      ]),
    ];
  } finally {
    for (const peer of peers) await peer[Symbol.asyncDispose]();
  }
}

const agents = (way: string): string => `${way}, SDK client`;
const smallest = (way: string): string => `${way}, bare client`;

function agentWay(name: string, client: SdkClient, tool: string): Way {
  return { name: agents(name), straight: agents("direct"), call: () => client.call(tool, ECHO) };
}

function smallestWay(name: string, client: BenchClient, tool: string): Way {
  const call = (): Promise<string> => client.ask("tools/call", { name: tool, arguments: ECHO });
  return { name: smallest(name), straight: smallest("direct"), call };
}

/** Of each round: the middle call's time and the whole round's, in ms, and those of the straight call. */
interface Timed {
  readonly p50: number[];
  readonly whole: number[];
  readonly straight: string;
}

async function measure(
  ways: readonly Way[],
  { warmUpCalls, rounds, callsARound }: GatewayOptions,
): Promise<ReadonlyMap<string, Timed>> {
  const calls = new Map(
    ways.map(({ name, straight }) => [name, { p50: [] as number[], whole: [] as number[], straight }]),
  );
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
async function timeCalls({ name, call }: Way, calls: number): Promise<number[]> {
  const times: number[] = [];
  for (let number = 0; number < calls; number += 1) {
    const start = Bun.nanoseconds();
    const answer = await call();
    times.push((Bun.nanoseconds() - start) / 1e6);
    if (!answer.includes("Echo: hello")) throw new Error(`${name} answered ${answer}`);
  }
  return times;
}

/** What a way costs over the straight call of the same client; judged where limits are given. */
function rowsOf(
  calls: ReadonlyMap<string, Timed>,
  name: string,
  limits?: { readonly most: number; readonly least: number },
): readonly Row[] {
  const through = calls.get(name);
  const straight = calls.get(through?.straight ?? "");
  if (through === undefined || straight === undefined) throw new Error(`${name} was not measured`);
  return [
    {
      what: `echo through ${name}, p50 over direct`,
      measured: ratio(through.p50, straight.p50),
      unit: "x",
      ...(limits === undefined ? {} : { limit: { most: limits.most } }),
      note: `p50 ${median(through.p50).toFixed(3)} / ${median(straight.p50).toFixed(3)} ms`,
    },
    {
      what: `echo through ${name}, calls/s of direct`,
      measured: ratio(straight.whole, through.whole) * 100,
      unit: "%",
      ...(limits === undefined ? {} : { limit: { least: limits.least } }),
      note: "one after another",
    },
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
