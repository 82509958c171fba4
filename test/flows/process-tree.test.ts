/** Nothing that a plugin starts outlives Fermix: not after a clean end, not after kill -9. */
import { expect, test } from "bun:test";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY, FlowHome } from "../lab/binary.ts";
import { until } from "../lab/until.ts";

/**
 * A server that also starts a child, a grandchild in a session of its own, never answers a call, and ignores every
 * polite request to end.
 */
const STUBBORN = `
import { spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { createInterface } from "node:readline";
process.on("SIGTERM", () => {});
process.on("SIGHUP", () => {});
spawn("sleep", ["600.125"], { stdio: "ignore" });
spawn("sh", ["-c", "setsid sleep 600.125 & sleep 600.125"], { stdio: "ignore", detached: true }).unref();
setInterval(() => {}, 1000);
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method } = JSON.parse(line);
  if (method === "tools/call") writeFileSync("called", "");
  if (id === undefined || method === "tools/call") return;
  const result = method === "initialize"
    ? { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo: { name: "stubborn", version: "1.0.0" } }
    : { tools: [{ name: "ping", description: "Ping.", inputSchema: { type: "object" } }] };
  process.stdout.write(JSON.stringify({ jsonrpc: "2.0", id, result }) + "\\n");
});
`;

function plant(lab: FlowHome): void {
  const plugin = join(lab.folder, "dev/stubborn");
  mkdirSync(plugin, { recursive: true });
  mkdirSync(lab.root);
  writeFileSync(join(plugin, "server.mjs"), STUBBORN);
  writeFileSync(
    join(plugin, "plugin.json"),
    JSON.stringify({
      schema_version: 2,
      plugin_api: 2,
      name: "stubborn",
      display_name: "Stubborn",
      description: "Does not want to end.",
      category: "test",
      version: "1.0.0",
      min_core_version: "0.1.0",
      auth: { type: "none" },
      runtime: { kind: "node", command: "node", args: ["server.mjs"], vendored: false },
      tools: [{ name: "stubborn_ping", description: "Ping.", read_only: true, rail: "mcp" }],
    }),
  );
  writeFileSync(
    join(lab.root, "config.toml"),
    `[fermix_core.plugins]\nenabled = ["stubborn"]\ndev_local = ${JSON.stringify(join(lab.folder, "dev"))}\n`,
  );
}

/** Live processes whose command line or working folder belongs to this flow's own server. */
function survivors(lab: FlowHome, family: ReadonlySet<number>): number[] {
  return readdirSync("/proc")
    .map(Number)
    .filter((pid) => family.has(pid) || commandOf(pid).includes(lab.folder))
    .filter((pid) => commandOf(pid) !== "" && pid !== process.pid);
}

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function environmentOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").replaceAll("\0", " ");
  } catch {
    return "";
  }
}

function descendants(pid: number): number[] {
  let children: number[];
  try {
    children = readFileSync(`/proc/${pid}/task/${pid}/children`, "utf8").trim().split(" ").filter(Boolean).map(Number);
  } catch {
    return [];
  }
  return children.flatMap((child) => [child, ...descendants(child)]);
}

async function serving(
  lab: FlowHome,
  env: Readonly<Record<string, string>> = {},
): Promise<{ child: Bun.Subprocess<"pipe", "pipe", "inherit">; family: Set<number> }> {
  const child = Bun.spawn([BINARY, "mcp", "serve"], {
    env: lab.env(env),
    cwd: lab.folder,
    stdin: "pipe",
    stdout: "pipe",
    stderr: "inherit",
  });
  const hello = {
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "flow", version: "1" } },
  };
  child.stdin.write(`${JSON.stringify(hello)}\n`);
  child.stdin.flush();
  const sleeping = (): number[] => descendants(child.pid).filter((pid) => commandOf(pid).includes("600.125"));
  await until(
    "the server and its three sleepers run",
    () => sleeping().filter((pid) => commandOf(pid).startsWith("sleep")).length === 3,
  );
  return { child, family: new Set(descendants(child.pid)) };
}

test.each(["SIGKILL", "SIGTERM", "SIGINT"] as const)(
  "after %s to mcp serve neither the server nor any grandchild is left",
  async (signal) => {
    using lab = new FlowHome();
    plant(lab);
    const { child, family } = await serving(lab);
    expect(family.size).toBeGreaterThanOrEqual(5);
    process.kill(child.pid, signal);
    await child.exited;
    await until("all of them are gone", () => survivors(lab, family).length === 0);
  },
  60_000,
);

test("when the client closes its end everything is taken down", async () => {
  using lab = new FlowHome();
  plant(lab);
  const { child, family } = await serving(lab);
  await child.stdin.end();
  expect(await child.exited).toBe(0);
  await until("all of them are gone", () => survivors(lab, family).length === 0);
}, 60_000);

test("CASE-12 after kill -9 in the middle of a call its secrets are in no file and on no command line", async () => {
  using lab = new FlowHome();
  plant(lab);
  const temporary = join(lab.folder, "tmp");
  mkdirSync(temporary);
  const canary = `canary-${process.pid}-${Math.random().toString(36).slice(2)}`;
  const { child, family } = await serving(lab, { TMPDIR: temporary, SOME_API_TOKEN: canary });
  const call = {
    jsonrpc: "2.0",
    id: 2,
    method: "tools/call",
    params: { name: "stubborn_ping", arguments: { secret: canary } },
  };
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" })}\n${JSON.stringify(call)}\n`,
  );
  child.stdin.flush();
  await until("the call has reached the server", () => existsSync(join(lab.folder, "dev/stubborn/called")));
  const told = [...family].map((pid) => commandOf(pid) + environmentOf(pid)).join("\n");
  process.kill(child.pid, "SIGKILL");
  await child.exited;
  await until("all of them are gone", () => survivors(lab, family).length === 0);
  expect(told).not.toContain(canary);
  const found = Bun.spawnSync(["grep", "-rlF", canary, lab.folder]);
  expect({ files: found.stdout.toString(), status: found.exitCode }).toEqual({ files: "", status: 1 });
}, 60_000);
