/** The ecosystem's layout on Linux, which Bun.secrets does not see: one service for all, the item in the attribute `env`. */
import { isAbsolute } from "node:path";
import type { KeychainItem, Processes, RunResult } from "../kernel/ports.ts";

export type ToolTrouble =
  | { readonly state: "locked" }
  | { readonly state: "failed"; readonly result: RunResult }
  | { readonly state: "timed_out" };

type Missing = { readonly state: "missing" };

export interface SecretTool {
  lookup(item: KeychainItem): Promise<{ readonly state: "found"; readonly value: string } | Missing | ToolTrouble>;
  clear(item: KeychainItem): Promise<{ readonly state: "removed" } | Missing | ToolTrouble>;
}

export interface ToolOptions {
  readonly env: Readonly<Record<string, string>>;
  readonly account: string;
  readonly limits: { readonly deadlineMs: number; readonly maxOutputBytes: number };
}

/** `secret-tool` from an absolute folder of the environment's PATH; undefined where there is none. */
export function findSecretTool(processes: Processes, { env, account, limits }: ToolOptions): SecretTool | undefined {
  const folders = (env["PATH"] ?? "").split(":").filter((folder) => isAbsolute(folder));
  const command = Bun.which("secret-tool", { PATH: folders.join(":") });
  if (command === null) return undefined;
  const run = async (verb: string, { service, name }: KeychainItem): Promise<RunResult> => {
    const args = [verb, "service", service, "account", account, "env", name];
    return await processes.run({ command, args, env, ...limits });
  };
  return {
    async lookup(item) {
      const result = await run("lookup", item);
      if (!result.timedOut && result.exitCode === 0) {
        return result.stdout === "" ? { state: "missing" } : { state: "found", value: result.stdout };
      }
      return without(result);
    },
    async clear(item) {
      const result = await run("clear", item);
      return !result.timedOut && result.exitCode === 0 ? { state: "removed" } : without(result);
    },
  };
}

/** What an end without success means: 1 without a word is a missing item. */
function without(result: RunResult): Missing | ToolTrouble {
  if (result.timedOut) return { state: "timed_out" };
  const said = result.stderr.trim();
  if (result.exitCode === 1 && said === "") return { state: "missing" };
  return /\blocked\b/i.test(said) ? { state: "locked" } : { state: "failed", result };
}
