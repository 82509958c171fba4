/** Makes local plugins out of small real servers, and looks at the processes they leave. */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PluginSettings } from "../../../src/config/config.ts";
import type { Environment } from "../../../src/config/env.ts";
import { asPluginName, asVersion, type PluginName, type ToolName, type Version } from "../../../src/kernel/names.ts";
import type { LoadedPlugin, LocalManifest, LocalRuntime } from "../../../src/manifest/manifest.ts";
import type { RailTool } from "../../../src/rails/rail.ts";

export const NO_SETTINGS: PluginSettings = new Map();

/** A stdio MCP server without any library, so that a test can make it misbehave; `more` is its own code at the end. */
export function tinyServer(more = ""): string {
  return `
const { createInterface } = require("node:readline");
const { spawn, execFileSync } = require("node:child_process");
const write = (text) => process.stdout.write(text);
const send = (message) => write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
const text = (words) => ({ content: [{ type: "text", text: words }] });
const tool = (name) => ({ name, description: "The tool " + name + ".", inputSchema: { type: "object" } });
let tools = ["wait", "echo", "fail"].map(tool);
const calls = {
  echo: (args) => text(args.text),
  fail: () => ({ ...text("it did not work"), isError: true }),
  wait: () => undefined,
};
const methods = {
  initialize: ({ id, params }) => send({ id, result: {
    protocolVersion: params.protocolVersion, capabilities: { tools: { listChanged: true } },
    serverInfo: { name: "tiny", version: "1.0.0" } } }),
  "tools/list": ({ id }) => send({ id, result: { tools } }),
  "tools/call": async ({ id, params }) => {
    const result = await calls[params.name](params.arguments, { id, token: params._meta?.progressToken });
    if (result !== undefined) send({ id, result });
  },
};
const offer = (name, run) => { tools.push(tool(name)); calls[name] = run; };
createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  methods[message.method]?.(message);
});
${more}
`;
}

export interface LabPlugin {
  readonly plugin: LoadedPlugin;
  readonly dir: string;
  /** An empty folder for what the server writes. */
  readonly scratch: string;
  dispose(): void;
}

/** A loaded plugin named `lab` in a temp folder, run by this machine's node; `main` is its server's source. */
export function labPlugin(main: string, runtime: Partial<LocalRuntime> = {}): LabPlugin {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "fermix-rail-")));
  const dir = join(root, "plugin with spaces");
  const scratch = join(root, "scratch");
  mkdirSync(join(dir, "src"), { recursive: true });
  mkdirSync(scratch);
  writeFileSync(join(dir, "src/index.js"), main);
  const plugin = loaded(dir, localRuntime({ args: ["src/index.js", scratch], ...runtime }));
  return { plugin, dir, scratch, dispose: () => rmSync(root, { recursive: true, force: true }) };
}

export function localRuntime(given: Partial<LocalRuntime> = {}): LocalRuntime {
  return {
    kind: "node",
    command: "node",
    args: ["src/index.js"],
    vendored: false,
    minVersion: undefined,
    env: {},
    passEnv: [],
    cwd: undefined,
    requiresSetting: undefined,
    ...given,
  };
}

export const LAB = "lab" as PluginName;

export function loaded(dir: string, runtime: LocalRuntime, given: Partial<LocalManifest> = {}): LoadedPlugin {
  const name = asPluginName(LAB);
  const version = asVersion("1.0.0");
  if (name === undefined || version === undefined) throw new Error("the lab's own name is broken");
  return { name, version, origin: "installed", dir, manifest: manifestOf(name, version, runtime, given) };
}

function manifestOf(
  name: PluginName,
  version: Version,
  runtime: LocalRuntime,
  given: Partial<LocalManifest>,
): LocalManifest {
  return {
    rail: "local-mcp",
    name,
    version,
    displayName: "Lab",
    description: "A server that does what the test says.",
    category: "productivity",
    minCoreVersion: undefined,
    pluginApi: 2,
    defaultEnabled: false,
    interface: {},
    auth: { type: "none" },
    config: [],
    skills: [],
    healthCheck: undefined,
    warnings: [],
    runtime,
    tools: [],
    ...given,
  };
}

/** A tool as a session lists it. */
export function railTool(upstreamName: string, name = `${LAB}_${upstreamName}`): RailTool {
  return {
    name: name as ToolName,
    plugin: LAB,
    upstreamName,
    title: undefined,
    description: "",
    inputSchema: { type: "object" },
    outputSchema: undefined,
    annotations: undefined,
    readOnly: false,
    judgedBy: "schema",
  };
}

/** An environment with this machine's PATH and whatever else the test says. */
export function environment(variables: Record<string, string> = {}): Environment {
  const path = variables["PATH"] ?? process.env["PATH"] ?? "";
  return {
    fermixHome: "/nonexistent/fermix",
    noColor: true,
    path: path.split(":").filter((folder) => folder.startsWith("/")),
    userHome: "/nonexistent",
    get: (name) => variables[name],
  };
}

/** Whether the process runs; one that only waits to be reaped does not. */
export function isAlive(pid: number): boolean {
  const state = stateOf(pid);
  return state !== undefined && state !== "Z" && state !== "X";
}

/** The one-letter state of a process, undefined when there is none. */
export function stateOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[0];
  } catch {
    return undefined;
  }
}

const POLLS = 500;

/** Polls, within a bound, until it holds; the answer is what the last look saw. */
export async function eventually(holds: () => boolean): Promise<boolean> {
  for (let poll = 0; poll < POLLS && !holds(); poll += 1) await Bun.sleep(20);
  return holds();
}

/** Those of the processes that are still alive after a bounded wait: empty is what a test wants. */
export async function survivors(pids: readonly number[]): Promise<number[]> {
  await eventually(() => !pids.some(isAlive));
  return pids.filter(isAlive);
}
