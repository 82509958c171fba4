/** What the gateway costs: one echo call straight to a server, and the same call through `fermix mcp serve`. */
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "../lab/binary.ts";
import { median, type Row } from "./measure.ts";

const WARM_UP_CALLS = 400;
const CALLS_A_ROUND = 1_000;
const SERVER = join(ROOT, "node_modules/@modelcontextprotocol/server-everything/dist/index.js");

type Piped = Bun.Subprocess<"pipe", "pipe", "ignore">;

function readerOf(child: Piped) {
  return child.stdout.getReader();
}

/** The smallest MCP client there is, so that what is measured is the server's side. */
class BareClient implements AsyncDisposable {
  readonly #child: Piped;
  readonly #reader: ReturnType<typeof readerOf>;
  readonly #decoder = new TextDecoder();
  #rest = "";
  #lastId = 0;

  private constructor(command: readonly string[], env: Readonly<Record<string, string>>) {
    this.#child = Bun.spawn([...command], { env, stdin: "pipe", stdout: "pipe", stderr: "ignore" });
    this.#reader = readerOf(this.#child);
  }

  static async connect(command: readonly string[], env: Readonly<Record<string, string>>): Promise<BareClient> {
    const client = new BareClient(command, env);
    const clientInfo = { name: "bench", version: "1.0.0" };
    await client.ask("initialize", { protocolVersion: "2025-06-18", capabilities: {}, clientInfo });
    client.#send({ method: "notifications/initialized" });
    await client.ask("tools/list", {});
    return client;
  }

  async ask(method: string, params: object): Promise<string> {
    this.#lastId += 1;
    this.#send({ id: this.#lastId, method, params });
    const answer = `"id":${this.#lastId}`;
    for (;;) {
      const line = await this.#line();
      if (line.includes(answer) && !line.includes('"method"')) return line;
    }
  }

  #send(message: object): void {
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
    this.#child.stdin.flush();
  }

  async #line(): Promise<string> {
    for (;;) {
      const end = this.#rest.indexOf("\n");
      if (end !== -1) {
        const line = this.#rest.slice(0, end);
        this.#rest = this.#rest.slice(end + 1);
        return line;
      }
      const { done, value } = await this.#reader.read();
      if (done) throw new Error("the server ended");
      this.#rest += this.#decoder.decode(value, { stream: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#child.stdin.end();
    this.#child.kill();
    await this.#child.exited;
  }
}

/** A home that serves server-everything as the plugin `bench`, through a one-line wrapper in its folder. */
function homeWithServer(scratch: string): string {
  const folder = mkdtempSync(join(scratch, "gateway-"));
  const plugin = join(folder, "plugins/bench");
  mkdirSync(plugin, { recursive: true });
  writeFileSync(join(plugin, "server.mjs"), `import ${JSON.stringify(SERVER)};\n`);
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

/** Each call's time in ms, one after another. */
async function timeCalls(client: BareClient, tool: string, calls: number): Promise<number[]> {
  const params = { name: tool, arguments: { message: "hello" } };
  const times: number[] = [];
  for (let call = 0; call < calls; call += 1) {
    const start = Bun.nanoseconds();
    const answer = await client.ask("tools/call", params);
    times.push((Bun.nanoseconds() - start) / 1e6);
    if (!answer.includes("Echo: hello")) throw new Error(`${tool} answered ${answer}`);
  }
  return times;
}

const sum = (times: readonly number[]): number => times.reduce((total, time) => total + time, 0);

/** Both ways take turns within one run; the ratios are medians over the rounds (at most 2x at p50, 65 % of calls/s). */
export async function benchGateway(binary: string, rounds: number, scratch: string): Promise<Row[]> {
  const PATH = process.env["PATH"] ?? "";
  const env = { PATH, HOME: scratch };
  await using direct = await BareClient.connect(["node", SERVER, "stdio"], env);
  const gatewayEnv = { ...env, FERMIX_HOME: homeWithServer(scratch) };
  await using gateway = await BareClient.connect([binary, "mcp", "serve"], gatewayEnv);
  await timeCalls(direct, "echo", WARM_UP_CALLS);
  await timeCalls(gateway, "bench_echo", WARM_UP_CALLS);
  const latency: number[] = [];
  const share: number[] = [];
  let last = "";
  for (let round = 0; round < rounds; round += 1) {
    const straight = await timeCalls(direct, "echo", CALLS_A_ROUND);
    const through = await timeCalls(gateway, "bench_echo", CALLS_A_ROUND);
    latency.push(median(through) / median(straight));
    share.push((sum(straight) / sum(through)) * 100);
    last = `p50 ${median(through).toFixed(3)} ms through, ${median(straight).toFixed(3)} ms straight`;
  }
  return [
    {
      what: "echo call through mcp serve, p50",
      measured: median(latency),
      unit: "x",
      target: 2,
      bound: "most",
      note: last,
    },
    {
      what: "echo calls/s through mcp serve, one after another",
      measured: median(share),
      unit: "%",
      target: 65,
      bound: "least",
      note: `${rounds} rounds of ${CALLS_A_ROUND} calls`,
    },
  ];
}
