/** One running server: started, shaken hands with, listed. */
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { ChildSpec, Ports } from "../../kernel/ports.ts";
import { CORE_VERSION } from "../../kernel/version.ts";
import type { LocalManifest } from "../../manifest/manifest.ts";
import type { RailTool } from "../rail.ts";
import { listTools } from "./list-tools.ts";
import { StdioTransport } from "./stdio-transport.ts";
import type { SessionLimits } from "./supervise-policy.ts";

export interface Connection {
  readonly transport: StdioTransport;
  readonly tools: readonly RailTool[];
  /** The list as it is now. */
  list(): Promise<readonly RailTool[]>;
}

/** Why a start failed: the reason, and how the process ended when that is what happened. */
export interface StartFailure {
  readonly reason: string;
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stderrTail: readonly string[];
}

export interface StartListeners {
  /** A process exists from now on; closing its transport ends it. */
  readonly onStarted: (transport: StdioTransport) => void;
  readonly onToolsChanged: () => void;
}

/** Starts the server and lists its tools. On failure nothing of it is left running. */
export async function connect(
  ports: Pick<Ports, "processes" | "clock">,
  spec: ChildSpec,
  manifest: LocalManifest,
  limits: SessionLimits,
  listeners: StartListeners,
): Promise<{ ok: true; connection: Connection } | { ok: false; failure: StartFailure }> {
  let transport: StdioTransport;
  try {
    transport = new StdioTransport(ports.clock, ports.processes.start(spec), limits);
  } catch (cause) {
    // The system has no process to give (too many files or processes): that may pass, so it counts as an attempt.
    return { ok: false, failure: { reason: String(cause), exitCode: undefined, signal: undefined, stderrTail: [] } };
  }
  listeners.onStarted(transport);
  try {
    const client = await openClient(transport, limits, listeners.onToolsChanged);
    const list = () => listTools(client, manifest, limits.handshakeMs);
    return { ok: true, connection: { transport, tools: await list(), list } };
  } catch (cause) {
    // Read before closing: an end that we bring about ourselves explains nothing.
    const { exit, flooded } = transport;
    await transport.close();
    return {
      ok: false,
      failure: {
        reason: reasonOf(cause, exit !== undefined, flooded ? limits.lineBytes : undefined),
        exitCode: exit?.exitCode,
        signal: exit?.signal,
        stderrTail: transport.stderr.lines(),
      },
    };
  }
}

async function openClient(
  transport: StdioTransport,
  limits: SessionLimits,
  onToolsChanged: () => void,
): Promise<Client> {
  const [sdk, types] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const client = new sdk.Client({ name: "fermix", version: CORE_VERSION }, { capabilities: {} });
  client.setNotificationHandler(types.ToolListChangedNotificationSchema, onToolsChanged);
  await client.connect(transport, { timeout: limits.handshakeMs });
  return client;
}

function reasonOf(cause: unknown, exited: boolean, floodedAt: number | undefined): string {
  if (floodedAt !== undefined) return `it wrote more than ${floodedAt} bytes to stdout without ending a line`;
  if (exited) return "its process ended before it listed its tools";
  return cause instanceof Error ? cause.message : String(cause);
}
