/** Other MCP gateways from npm in front of the same server, for a comparison in one run; only `--peers` starts them. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { SseClient } from "./mcp-clients.ts";

/** A peer that runs and answers. */
export interface Peer extends AsyncDisposable {
  readonly name: string;
  readonly pid: number;
  readonly client: SseClient;
  /** What it calls the echo tool. */
  readonly tool: string;
}

const PACKAGES = ["supergateway", "mcp-hub"] as const;
const START_MS = 60_000;
const STEP_MS = 200;

/** Peers listen on every interface; in the bench they get the loopback one only. */
const LOOPBACK_ONLY = `const { Server } = require("node:net");
const { listen } = Server.prototype;
Server.prototype.listen = function (first, ...rest) {
  if (typeof first === "object" && first !== null) return listen.call(this, { ...first, host: "127.0.0.1" }, ...rest);
  const callback = rest.findLast((value) => typeof value === "function");
  return listen.call(this, Number(first), "127.0.0.1", callback);
};
`;

/** Installs the peers with npm into a folder of the bench and starts each in front of the server's command. */
export async function startPeers(scratch: string, server: readonly string[]): Promise<readonly Peer[]> {
  const folder = join(scratch, "peers");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "package.json"), '{ "private": true }\n');
  const install = ["npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "--silent", ...PACKAGES];
  const { exitCode, stderr } = Bun.spawnSync(install, { cwd: folder });
  if (exitCode !== 0) throw new Error(`npm could not install the peers: ${stderr.toString()}`);
  writeFileSync(join(folder, "loopback.cjs"), LOOPBACK_ONLY);
  const peers: Peer[] = [];
  try {
    peers.push(await startSupergateway(folder, server));
    peers.push(await startHub(folder, server));
    return peers;
  } catch (error) {
    for (const peer of peers) await peer[Symbol.asyncDispose]();
    throw error;
  }
}

async function startSupergateway(folder: string, server: readonly string[]): Promise<Peer> {
  const port = await freePort();
  const args = ["--stdio", server.join(" "), "--port", String(port), "--logLevel", "none"];
  return await start(folder, "supergateway", args, `http://127.0.0.1:${port}/sse`, "echo");
}

async function startHub(folder: string, [command, ...args]: readonly string[]): Promise<Peer> {
  const port = await freePort();
  const config = join(folder, "hub.json");
  writeFileSync(config, JSON.stringify({ mcpServers: { bench: { command, args } } }));
  const flags = ["--port", String(port), "--config", config];
  return await start(folder, "mcp-hub", flags, `http://127.0.0.1:${port}/mcp`, "bench__echo");
}

async function start(
  folder: string,
  name: (typeof PACKAGES)[number],
  args: readonly string[],
  url: string,
  tool: string,
): Promise<Peer> {
  const child = Bun.spawn(["node", "--require", join(folder, "loopback.cjs"), `node_modules/.bin/${name}`, ...args], {
    cwd: folder,
    env: { PATH: process.env["PATH"] ?? "", HOME: folder },
    stdin: "ignore",
    stdout: "ignore",
    stderr: "ignore",
    // A group of its own, so that the server behind it ends with it.
    detached: true,
  });
  const end = async (): Promise<void> => {
    process.kill(-child.pid, "SIGKILL");
    await child.exited;
  };
  try {
    const client = await untilUp(url, () => child.exitCode !== null);
    return {
      name,
      pid: child.pid,
      client,
      tool,
      [Symbol.asyncDispose]: async () => {
        await client[Symbol.asyncDispose]();
        await end();
      },
    };
  } catch (error) {
    if (child.exitCode === null) await end();
    throw new Error(`${name} did not start`, { cause: error });
  }
}

async function untilUp(url: string, ended: () => boolean): Promise<SseClient> {
  for (let waited = 0; ; waited += STEP_MS) {
    try {
      return await SseClient.open(url);
    } catch (error) {
      if (ended() || waited >= START_MS) throw error;
    }
    await Bun.sleep(STEP_MS);
  }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.on("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() =>
        typeof address === "object" && address !== null ? resolve(address.port) : reject(new Error("no port")),
      );
    });
  });
}
