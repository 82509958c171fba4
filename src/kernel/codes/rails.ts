/** Failures of the rails: a server that cannot start, be listed, or answer a call. */
import { quote, row } from "./row.ts";

/** How a server process ended and the last (redacted) lines it wrote to stderr. */
interface Ending {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  readonly stderrTail: readonly string[];
}

/** What a reader needs to see of a dead process, on one line and then its own last words, each made safe to print. */
function lastWords({ exitCode, signal, stderrTail }: Ending): string {
  const how = signal ? ` (signal ${signal})` : exitCode === undefined ? "" : ` (exit code ${exitCode})`;
  return `${how}.${stderrTail.map((line) => `\n  ${quote(line)}`).join("")}`;
}

export const railCodes = {
  missing_host_runtime: row<{ plugin: string; wanted: string; lookedIn: readonly string[]; found?: string }>({
    says: ({ plugin, wanted, lookedIn, found }) =>
      `${plugin} needs ${wanted}, ${found ? `but ${quote(found)} is what is there` : "which is not there"} (looked in: ${
        lookedIn.length === 0 ? "nowhere, PATH is empty" : lookedIn.map((folder) => quote(folder)).join(", ")
      }).`,
    fix: ({ plugin, wanted }) => `install ${wanted}, then run \`fermix plugins doctor ${plugin}\``,
    exit: "failed",
  }),
  env_refused: row<{ plugin: string; variable: string }>({
    says: ({ plugin, variable }) =>
      `${plugin} asks for the environment variable ${quote(variable)}, which no plugin's process may be given.`,
    fix: ({ plugin }) => `remove it from the plugin's manifest or from [fermix_core.plugins.${plugin}] in config.toml`,
    exit: "refused",
  }),
  unresolved_value: row<{ plugin: string; key: string }>({
    says: ({ plugin, key }) => `${plugin}: the value of ${quote(key)} still holds an unfilled \${...} placeholder.`,
    fix: ({ plugin, key }) => `run \`fermix plugins config set ${plugin} ${key} VALUE\``,
    exit: "needs_connecting",
  }),
  setting_off: row<{ plugin: string; key: string }>({
    says: ({ plugin, key }) => `${plugin} starts its process only while the setting ${key} is true.`,
    fix: ({ plugin, key }) => `run \`fermix plugins config set ${plugin} ${key} true\``,
    exit: "needs_connecting",
  }),
  outside_plugin: row<{ plugin: string; path: string }>({
    says: ({ plugin, path }) => `${plugin} asks to run in ${quote(path)}, which is outside its own folder.`,
    fix: () => "correct `runtime.cwd` in the plugin's manifest",
    exit: "refused",
  }),
  discovery_failed: row<{ plugin: string; attempts: number; lastError: string } & Ending>({
    says: ({ plugin, attempts, lastError, ...ending }) =>
      `${plugin} did not start in ${attempts} attempts: ${quote(lastError)}${lastWords(ending)}`,
    // Not `reload`, which reaches a daemon alone; switched off and on it starts afresh in every process that serves it.
    fix: ({ plugin }) =>
      `run \`fermix plugins doctor ${plugin}\`, then \`fermix plugins disable ${plugin}\` and \`fermix plugins enable ${plugin}\` to start it afresh`,
    exit: "failed",
  }),
  server_exited: row<{ plugin: string; tool: string } & Ending>({
    says: ({ plugin, tool, ...ending }) => `The process of ${plugin} ended during ${tool}${lastWords(ending)}`,
    fix: ({ plugin }) => `call it again (the process starts afresh), or run \`fermix plugins doctor ${plugin}\``,
    exit: "failed",
  }),
  stdout_flood: row<{ plugin: string; limitBytes: number }>({
    says: ({ plugin, limitBytes }) =>
      `The process of ${plugin} was ended: it wrote more than ${limitBytes} bytes to stdout without ending a line.`,
    fix: ({ plugin }) => `report it to the author of ${plugin}: stdout carries MCP messages only`,
    exit: "failed",
  }),
  call_timed_out: row<{ plugin: string; tool: string; afterMs: number }>({
    says: ({ tool, afterMs }) => `${tool} gave neither an answer nor progress for ${afterMs} ms and was cancelled.`,
    fix: ({ plugin }) => `try a smaller request, or run \`fermix plugins doctor ${plugin}\``,
    exit: "failed",
  }),
  call_cancelled: row<{ plugin: string; tool: string }>({
    says: ({ tool }) => `${tool} was cancelled by the caller.`,
    fix: () => "call it again when its answer is wanted",
    exit: "failed",
  }),
  arguments_too_large: row<{ plugin: string; tool: string; bytes: number; limitBytes: number }>({
    says: ({ tool, bytes, limitBytes }) =>
      `The arguments of ${tool} are ${bytes} bytes of JSON; the limit is ${limitBytes}.`,
    fix: () => "send less in one call",
    exit: "failed",
  }),
  tool_refused: row<{ plugin: string; tool: string; rpcCode: number; says: string }>({
    says: ({ plugin, tool, rpcCode, says }) => `${plugin} refused ${tool}: ${quote(says)} (JSON-RPC ${rpcCode}).`,
    fix: () => "correct the arguments and call it again",
    exit: "failed",
  }),
  result_invalid: row<{ plugin: string; tool: string; reason: string }>({
    says: ({ plugin, tool, reason }) => `${plugin} answered ${tool} with something that is no tool result: ${reason}.`,
    fix: ({ plugin }) => `report it to the author of ${plugin}`,
    exit: "failed",
  }),
  session_closed: row<{ plugin: string; tool: string }>({
    says: ({ plugin, tool }) => `${tool} gave no answer: ${plugin} was switched off or restarted, or Fermix is ending.`,
    fix: ({ plugin }) =>
      `call it again; where ${plugin} is switched off, run \`fermix plugins enable ${plugin}\` first`,
    exit: "failed",
  }),
} as const;
