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
  secret_in_arguments: row<{ command: string }>({
    says: ({ command }) =>
      `\`${command}\` takes no secret as an argument, because every account here can read it in \`ps\` and your shell keeps it in its history; nothing was stored.`,
    fix: ({ command }) =>
      `if that was the real value, treat it as leaked and get a new one from the service; then \`${command}\` (it asks for the value), or \`--stdin\` to pipe it in`,
    exit: "usage",
  }),
  not_a_terminal: row<{ command: string }>({
    says: ({ command }) => `\`${command}\` asks for a value, and there is no terminal to ask on.`,
    fix: ({ command }) => `pipe the value in: \`printf '%s' "$VALUE" | ${command} --stdin\``,
    exit: "usage",
  }),
  stdin_is_a_terminal: row<{ command: string }>({
    says: () => "--stdin reads the value from a pipe, and standard input is a terminal, which would show it.",
    fix: ({ command }) => `\`${command}\` without --stdin asks for the value and does not show it`,
    exit: "usage",
  }),
  no_input: row<{ command: string }>({
    says: () => "No value was given; nothing was changed.",
    fix: ({ command }) => `run \`${command}\` again and give the value`,
    exit: "usage",
  }),
  input_cancelled: row<{ command: string }>({
    says: () => "It was cancelled; nothing was changed.",
    fix: ({ command }) => `\`${command}\` asks again`,
    exit: "failed",
  }),
  setup_page_missing: row<object>({
    says: () => "The setup page comes with a later version of Fermix.",
    fix: () =>
      "what it will do works already: `fermix quickstart`, `fermix plugins enable NAME`, `fermix plugins auth set NAME` or `login NAME`, `fermix auth client PROVIDER --id ID`, `fermix setup --secret KEY`, `fermix setup --migrate-secrets`",
    exit: "failed",
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
