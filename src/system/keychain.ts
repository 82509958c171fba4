/** Reads the system's keychain in a process of its own, because a keychain that hangs takes a thread with it for ever. */
import { isAbsolute } from "node:path";
import type { Keychain, KeychainAnswer, KeychainItem, Processes, RunResult } from "../kernel/ports.ts";
import type { Asked, Told } from "./keychain-process.ts";
import { ownCommand } from "./processes.ts";

/** For each program that is asked; nobody controls how long a keychain thinks (spec 8.4). */
const DEADLINE_MS = 3_000;
/** An item is a few kilobytes; whoever wrote it chose its size. */
const MAX_ANSWER_BYTES = 1024 * 1024;
const LIMITS = { deadlineMs: DEADLINE_MS, maxOutputBytes: MAX_ANSWER_BYTES } as const;
/** Under which all items are stored (spec 8.4). */
const ACCOUNT = "fermix";
/** What finds the user's keychain; nothing else of this process's environment is passed on. */
const SESSION_VARIABLES = [
  ...["HOME", "PATH", "LANG", "LC_ALL", "USER", "LOGNAME", "LD_LIBRARY_PATH"],
  ...["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY"],
] as const;

type Variables = Readonly<Record<string, string | undefined>>;

export interface KeychainOptions {
  /** The command line that runs this program again. */
  readonly self?: readonly string[];
  readonly variables?: Variables;
  readonly platform?: NodeJS.Platform;
}

/**
 * The real keychain: Bun.secrets, and on Linux the items that the ecosystem's homes stored with `secret-tool`, which
 * Bun.secrets does not see.
 */
export function systemKeychain(
  processes: Processes,
  { self = ownCommand(), variables = process.env, platform = process.platform }: KeychainOptions = {},
): Keychain {
  return {
    async find(items) {
      const env = sessionOf(variables);
      const told = await askOwnProcess(processes, self, env, items);
      if (told.state !== "told") return told;
      const tool = platform === "linux" ? secretTool(env) : undefined;
      for (const [at, item] of items.entries()) {
        const value = told.values[at];
        if (value) return { state: "found", value };
        if (tool === undefined) continue;
        const other = await askSecretTool(processes, tool, env, item);
        if (other.state !== "missing") return other;
      }
      return { state: "missing" };
    },
  };
}

type Answer = Exclude<KeychainAnswer, { readonly state: "found" }> | { readonly state: "told"; values: Told["values"] };

async function askOwnProcess(
  processes: Processes,
  self: readonly string[],
  env: Readonly<Record<string, string>>,
  items: readonly KeychainItem[],
): Promise<Answer> {
  const [command = "", ...args] = self;
  const asked: Asked = { items: items.map(({ service, name }) => ({ service: `${service}:${name}`, name: ACCOUNT })) };
  const stdin = JSON.stringify(asked);
  const result = await processes.run({ command, args: [...args, "__keychain"], env, stdin, ...LIMITS });
  if (result.timedOut) return timedOut();
  const told = readTold(result.stdout);
  if (told === undefined) return { state: "unavailable", reason: endingOf(result) };
  if (told.locked === true) return { state: "locked" };
  if (told.error !== undefined) return { state: "unavailable", reason: told.error };
  return { state: "told", values: told.values };
}

/** The ecosystem's layout on Linux: one service for all, the item in the attribute `env`. */
async function askSecretTool(
  processes: Processes,
  command: string,
  env: Readonly<Record<string, string>>,
  { service, name }: KeychainItem,
): Promise<KeychainAnswer> {
  const args = ["lookup", "service", service, "account", ACCOUNT, "env", name];
  const result = await processes.run({ command, args, env, ...LIMITS });
  const { exitCode, stdout, stderr } = result;
  if (result.timedOut) return timedOut();
  if (exitCode === 0) return stdout === "" ? { state: "missing" } : { state: "found", value: stdout };
  if (exitCode === 1 && stderr.trim() === "") return { state: "missing" };
  return /\blocked\b/i.test(stderr) ? { state: "locked" } : { state: "unavailable", reason: endingOf(result) };
}

function timedOut(): KeychainAnswer & { state: "timed_out" } {
  return { state: "timed_out", afterMs: DEADLINE_MS };
}

function sessionOf(variables: Variables): Record<string, string> {
  const env: Record<string, string> = {};
  for (const name of SESSION_VARIABLES) {
    const value = variables[name];
    if (value !== undefined) env[name] = value;
  }
  return env;
}

function secretTool(env: Readonly<Record<string, string>>): string | undefined {
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => isAbsolute(folder));
  return Bun.which("secret-tool", { PATH: folders.join(":") }) ?? undefined;
}

function readTold(line: string): Told | undefined {
  try {
    return JSON.parse(line) as Told;
  } catch {
    // It ended before it could answer; how it ended says more.
    return undefined;
  }
}

function endingOf({ exitCode, stderr }: RunResult): string {
  const said = stderr.trim().split("\n").at(-1) ?? "";
  const how = exitCode === undefined ? "was ended by a signal" : `ended with exit code ${exitCode}`;
  return said === "" ? `the program that asks it ${how}` : said;
}
