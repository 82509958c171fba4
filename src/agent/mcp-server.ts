/** Fermix as one MCP server on stdin and stdout: the tools of every ready plugin, for whichever agent started it. */
import { readAuthFile } from "../auth/auth-file.ts";
import { callTool } from "../host/call-tool.ts";
import { type Host, type HostOptions, openHost } from "../host/host.ts";
import { keepFresh } from "../host/keep-fresh.ts";
import { logStandings } from "../host/log-standings.ts";
import { followDisk } from "../host/reconcile.ts";
import { isFermixError } from "../kernel/error.ts";
import { CORE_VERSION } from "../kernel/version.ts";
import type { App } from "../plugins/app.ts";
import { promptSection } from "./prompt-section.ts";
import type { StdioTransport } from "./stdio-transport.ts";

/** The instructions are sent once, so they wait a little for servers that are starting. */
const INSTRUCTIONS_WAIT_MS = 2_000;
/** How long after the start the first list may wait (DECISIONS 37); later tools are told by list_changed. */
const FIRST_LIST_WAIT_MS = 5_000;

/**
 * Serves until the client is gone or the process is asked to end; then nothing of any session is left. Throws
 * auth_file_exposed before anything is read from the client (TOK-2).
 */
export async function serveMcp(app: App, options: HostOptions = {}): Promise<void> {
  refuseExposedSignIns(app);
  const { stdio, log } = app.ports;
  const terminated = Promise.withResolvers<void>();
  stdio.onTerminate(() => terminated.resolve());
  log.write("info", "serve_started", { version: CORE_VERSION });
  try {
    const host = await openHost(app, options);
    await serveHost(host, terminated.promise);
  } finally {
    log.write("info", "serve_ended");
    stdio.close();
  }
}

/** Sign-ins that others may read stop a server at its start; every other fault of the file is its plugins' alone. */
function refuseExposedSignIns({ home }: App): void {
  try {
    readAuthFile(home);
  } catch (error) {
    if (!isFermixError(error) || isFermixError(error, "auth_file_exposed")) throw error;
  }
}

async function serveHost(host: Host, terminated: Promise<void>): Promise<void> {
  const { ports } = host.app;
  logStandings(host);
  const stopRefreshing = keepFresh(host);
  const stopFollowing = followDisk(host);
  try {
    const fault = host.fault();
    if (fault !== undefined) ports.terminal.talk(`fermix mcp serve: ${fault.message}\nfix: ${fault.fix}\n`);
    const { StdioTransport } = await import("./stdio-transport.ts");
    const transport = new StdioTransport(ports, (name, args, call) => callTool(host, name, args, call));
    await Promise.race([connect(host, transport), terminated]);
    await Promise.race([transport.ended, terminated]);
    await transport.close();
  } finally {
    stopFollowing();
    await stopRefreshing();
    await host.close();
  }
}

async function connect(host: Host, transport: StdioTransport): Promise<void> {
  const { clock } = host.app.ports;
  const startedAt = clock.now();
  const [{ Server }, { ListToolsRequestSchema }, { exportTools }] = await Promise.all([
    import("@modelcontextprotocol/sdk/server/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
    import("./export-tools.ts"),
    host.settled(INSTRUCTIONS_WAIT_MS),
  ]);
  const server = new Server(
    { name: "fermix", version: CORE_VERSION },
    { capabilities: { tools: { listChanged: true } }, instructions: promptSection(host) },
  );
  let listed = "";
  let firstList: Promise<void> | undefined;
  server.setRequestHandler(ListToolsRequestSchema, async () => {
    firstList ??= host.settled(Math.max(0, FIRST_LIST_WAIT_MS - (clock.now() - startedAt)));
    await firstList;
    const tools = [...exportTools(host.registry().tools)];
    listed = JSON.stringify(tools);
    return { tools };
  });
  host.onChange(() => {
    // Nothing is told before the client has asked: its first list will have it.
    if (!transport.initialized || firstList === undefined || server.transport === undefined) return;
    const now = JSON.stringify(exportTools(host.registry().tools));
    if (now === listed) return;
    listed = now;
    // A client that goes at this very moment needs no news, and its end is seen by whoever awaits the transport.
    server.sendToolListChanged().catch(() => undefined);
  });
  await server.connect(transport);
}
