/** The one door for tool calls: find the live tool or say what is in the way, judge the arguments, call, return data. */
import { FermixError, never } from "../kernel/error.ts";
import type { JsonObject } from "../kernel/json.ts";
import { factsOf, fixFor, type Readiness } from "../plugins/readiness.ts";
import type { CallOptions, ToolOutcome } from "../rails/rail.ts";
import type { Host } from "./host.ts";
import { knownJudge, prepareJudge } from "./judge-arguments.ts";
import type { LiveTool } from "./registry.ts";
import { type HostedPlugin, sessionOf, standingOf } from "./standing.ts";
import { unknownTool } from "./unknown-tool.ts";

/** How long a call waits for a server that is just starting, as the first list does (DECISIONS 37). */
const START_WAIT_MS = 5_000;
/** How long what the keychain said is taken for true: a command that has just asked it does not ask it twice. */
const LOOK_AGAIN_MS = 1_000;

/**
 * Calls a tool by its full name. A refusal is an outcome, never a throw: unknown_tool with the name that was meant,
 * plugin_disabled with how to enable it (AGT-2), not_connected, reauthorization_required or key_missing for the
 * credential (AUTH-6), missing_host_runtime and incompatible as at install, plugin_not_ready with its status and fix
 * for the rest, plugin_starting, the failure that keeps a plugin from serving, invalid_arguments for an MCP rail's
 * schema, or what the rail answers. The log has a line for each call, with its tool, its outcome and its duration.
 */
export async function callTool(
  host: Host,
  name: string,
  args: JsonObject,
  options: CallOptions = {},
): Promise<ToolOutcome> {
  const { clock, log } = host.app.ports;
  const startedAt = clock.now();
  try {
    const answer = await callLive(host, name, args, options);
    const outcome = answer.ok ? (answer.result["isError"] === true ? "tool_error" : "ok") : answer.error.code;
    log.write(outcome === "ok" ? "info" : "warn", "call", { tool: name, outcome, ms: clock.now() - startedAt });
    return answer;
  } catch (bug) {
    const stack = bug instanceof Error ? bug.stack : undefined;
    log.write("error", "call", { tool: name, outcome: "internal", ms: clock.now() - startedAt, stack });
    throw bug;
  }
}

async function callLive(host: Host, name: string, args: JsonObject, options: CallOptions): Promise<ToolOutcome> {
  const live = host.registry().find(name) ?? (await whenStarted(host, name));
  if (live instanceof FermixError) return { ok: false, error: live };
  const { tool, session } = live;
  if (tool.judgedBy === "schema") {
    const judge = knownJudge(tool.inputSchema) ?? (await prepareJudge(tool.inputSchema));
    const misfit = judge(args);
    if (misfit !== undefined) {
      return { ok: false, error: new FermixError("invalid_arguments", { tool: name, ...misfit }) };
    }
  }
  return session.call(tool, args, options);
}

/** The tool once its plugin has started, or what is in the way of it. */
async function whenStarted(host: Host, name: string): Promise<LiveTool | FermixError> {
  const fault = host.fault();
  const owner = await ownerNow(host, name);
  if (owner === undefined) return fault ?? unknownTool(host, name, undefined);
  if (standingOf(owner).kind === "starting") {
    const enough = new AbortController();
    const limit = host.app.ports.clock.sleep(START_WAIT_MS, enough.signal).catch(() => undefined);
    await Promise.race([sessionOf(owner)?.settled(), limit]);
    enough.abort();
  }
  return host.registry().find(name) ?? (await obstacleTo(host, owner, name));
}

async function obstacleTo(host: Host, owner: HostedPlugin, tool: string): Promise<FermixError> {
  const plugin = owner.name;
  const standing = standingOf(owner);
  switch (standing.kind) {
    case "not_ready":
      return await notReady(plugin, tool, standing.readiness);
    case "failed":
      return standing.error;
    case "starting":
      return new FermixError("plugin_starting", { plugin });
    case "serving":
    case "left_out":
      return unknownTool(host, tool, owner);
    default:
      return never(standing);
  }
}

/** What a call says of a plugin that is not ready: a credential that is in the way has its own sentence (AUTH-6). */
async function notReady(plugin: string, tool: string, readiness: Readiness): Promise<FermixError> {
  switch (readiness.status) {
    case "not_configured":
      return new FermixError("plugin_disabled", { plugin, tool });
    case "needs_auth":
      return new FermixError("not_connected", { plugin });
    case "reauthorization_required":
      return new FermixError("reauthorization_required", { plugin });
    case "needs_secret": {
      const { pluginKeyVariable } = await import("../config/variables.ts");
      return new FermixError("key_missing", { plugin, variable: pluginKeyVariable(plugin) });
    }
    // The same failure as at install and load: what is missing is no credential and no setting, and exits as there.
    case "missing_host_runtime": {
      const { wanted, lookedIn, found } = readiness;
      const details = { plugin, wanted, lookedIn, ...(found === undefined ? {} : { found }) };
      return new FermixError("missing_host_runtime", details);
    }
    case "incompatible":
      return new FermixError("incompatible", { plugin, reason: readiness.reason });
    default: {
      if (readiness.status === "error" && readiness.error !== undefined) return readiness.error;
      const { status } = readiness;
      const [facts, remedy] = [factsOf(readiness), fixFor(plugin, readiness)];
      return new FermixError("plugin_not_ready", { plugin, status, facts, remedy });
    }
  }
}

/** The tool's plugin; looked at again where only its key was in the way, because a keychain tells nobody of a change. */
async function ownerNow(host: Host, tool: string): Promise<HostedPlugin | undefined> {
  const owner = ownerOf(host, tool);
  const age = host.app.ports.clock.now() - host.lookedAt();
  if (owner === undefined || !lacksKey(owner) || age < LOOK_AGAIN_MS) return owner;
  await host.reconcile();
  return ownerOf(host, tool);
}

function lacksKey({ serves }: HostedPlugin): boolean {
  if (!("kind" in serves) || serves.kind !== "not_ready") return false;
  const { readiness } = serves;
  if (readiness.status === "error") return readiness.error?.code.startsWith("keychain_") ?? false;
  return readiness.status === "needs_secret";
}

/** The plugin whose name is the longest prefix of the tool's: tools are called `<plugin>_<tool>`. */
function ownerOf(host: Host, tool: string): HostedPlugin | undefined {
  return host
    .plugins()
    .filter(({ name }) => tool.startsWith(`${name}_`))
    .toSorted((a, b) => b.name.length - a.name.length)[0];
}
