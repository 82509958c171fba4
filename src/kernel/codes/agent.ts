/** Failures of finding a tool and calling it. */
import { quote, row } from "./row.ts";

export const agentCodes = {
  /** `served` is the plugin that has other tools, `plugin` the one of the catalog that would have it. */
  unknown_tool: row<{ tool: string; suggestion?: string; served?: string; plugin?: string }>({
    says: ({ tool }) => `There is no tool named ${quote(tool)}.`,
    fix: ({ suggestion, served, plugin }) => {
      if (suggestion !== undefined) return `did you mean \`${suggestion}\`? \`fermix capabilities\` lists every tool`;
      if (served !== undefined) return `run \`fermix plugins info ${served}\` to see the tools that ${served} has`;
      if (plugin !== undefined) return `run \`fermix plugins enable ${plugin}\`: the catalog has a plugin of that name`;
      return "run `fermix capabilities` to see every tool";
    },
    exit: "failed",
  }),
  plugin_disabled: row<{ plugin: string; tool: string }>({
    says: ({ plugin, tool }) => `${quote(tool)} belongs to ${plugin}, which is not enabled.`,
    fix: ({ plugin }) => `run \`fermix plugins enable ${plugin}\``,
    exit: "needs_connecting",
  }),
  /** `facts` are what the status does not say by itself: the setting, or the runtime and where it was looked for. */
  plugin_not_ready: row<{ plugin: string; status: string; facts: string; remedy: string }>({
    says: ({ plugin, status, facts }) =>
      `${plugin} is enabled but not ready: ${status}${facts === "" ? "" : ` (${facts})`}.`,
    fix: ({ remedy }) => remedy,
    exit: "needs_connecting",
  }),
  plugin_starting: row<{ plugin: string }>({
    says: ({ plugin }) => `${plugin} is still starting.`,
    fix: ({ plugin }) => `call the tool again in a moment; \`fermix plugins doctor ${plugin}\` shows what it waits for`,
    exit: "failed",
  }),
  rail_not_served: row<{ plugin: string; rail: string }>({
    says: ({ plugin, rail }) => `${plugin} runs on the ${rail} rail, which this version of Fermix does not serve.`,
    fix: () => "run `fermix upgrade` when a newer version is out, or disable the plugin",
    exit: "failed",
  }),
  /** The call itself succeeded; what it gave is too much for whoever called. */
  result_too_large: row<{ tool: string; bytes: number; limitBytes: number }>({
    says: ({ tool, bytes, limitBytes }) =>
      `${tool} succeeded, and its result is ${bytes} bytes as a message; an agent's client takes ${limitBytes} at most.`,
    fix: () =>
      "do not repeat what changes something; to read, ask for less: a smaller page, fewer fields, a narrower search",
    exit: "failed",
  }),
  invalid_arguments: row<{ tool: string; path: string; reason: string }>({
    says: ({ tool, path, reason }) =>
      `The arguments of ${tool} do not fit its schema: ${path === "" ? "the object" : quote(path)} ${reason}.`,
    fix: () => "correct the arguments and call again; the tool's inputSchema says what it takes",
    exit: "usage",
  }),
} as const;
