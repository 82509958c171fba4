/** Finds the program that listens on a port of this machine, where the system tells. */
import { readdirSync, readFileSync, readlinkSync } from "node:fs";

export interface PortHolder {
  readonly pid: number;
  readonly name: string;
}

/** Where macOS has it. */
const LSOF = "/usr/sbin/lsof";
const LSOF_DEADLINE_MS = 1000;
/** The state of a listening socket in /proc/net/tcp. */
const LISTENING = "0A";

/** The program that listens on the port; undefined when it is another user's, or nobody tells. */
export async function portHolder(port: number): Promise<PortHolder | undefined> {
  if (process.platform === "linux") return holderInProc(port);
  return process.platform === "darwin" ? await holderByLsof(port) : undefined;
}

function holderInProc(port: number): PortHolder | undefined {
  const sockets = new Set([...listeningInodes("/proc/net/tcp", port), ...listeningInodes("/proc/net/tcp6", port)]);
  if (sockets.size === 0) return undefined;
  for (const pid of listing("/proc").filter((name) => /^\d+$/.test(name))) {
    const holds = listing(`/proc/${pid}/fd`).some((fd) => sockets.has(link(`/proc/${pid}/fd/${fd}`)));
    if (holds) return { pid: Number(pid), name: text(`/proc/${pid}/comm`).trim() };
  }
  return undefined;
}

/** As the links of /proc/PID/fd name them. */
function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, "0")}`;
  return text(table)
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .filter(([, local, , state]) => state === LISTENING && local?.endsWith(suffix) === true)
    .map((fields) => `socket:[${fields[9]}]`);
}

async function holderByLsof(port: number): Promise<PortHolder | undefined> {
  try {
    const lsof = Bun.spawn([LSOF, "-nP", `-iTCP:${port}`, "-sTCP:LISTEN", "-Fpc"], {
      env: {},
      stdio: ["ignore", "pipe", "ignore"],
      timeout: LSOF_DEADLINE_MS,
    });
    return parseLsof(await new Response(lsof.stdout).text());
  } catch {
    return undefined;
  }
}

/** The first process of `lsof -Fpc`, whose lines are `p<pid>` and `c<name>`. */
export function parseLsof(output: string): PortHolder | undefined {
  const pid = /^p(\d+)$/m.exec(output)?.[1];
  const name = /^c(.+)$/m.exec(output)?.[1];
  return pid === undefined || name === undefined ? undefined : { pid: Number(pid), name };
}

/** Other users' processes, and ones that end meanwhile, show nothing. */
function listing(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

function link(path: string): string {
  try {
    return readlinkSync(path);
  } catch {
    return "";
  }
}

function text(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return "";
  }
}
