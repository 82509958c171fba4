/** Failures of the command line and of the process itself. */
import { quote, row } from "./row.ts";

export const cliCodes = {
  usage: row<{ problem: string; suggestion?: string; command: string }>({
    says: ({ problem }) => problem,
    fix: ({ suggestion, command }) => (suggestion ? `did you mean \`${suggestion}\`?` : `run \`${command} --help\``),
    exit: "usage",
  }),
  input_refused: row<{ reason: string }>({
    says: ({ reason }) => `What came on standard input cannot be used: ${reason}.`,
    fix: () => "give the input on standard input again, corrected",
    exit: "usage",
  }),
  output_failed: row<{ reason: string }>({
    says: ({ reason }) => `The answer could not be written to standard output: ${quote(reason)}.`,
    fix: () => "send it elsewhere or free some space; a change that the command made stays made",
    exit: "failed",
  }),
  internal: row<{ reason: string }>({
    says: ({ reason }) => `Fermix hit a bug: ${quote(reason)}.`,
    fix: () => "please report it with the command that caused it",
    exit: "failed",
  }),
} as const;
