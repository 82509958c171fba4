/** One command line from words to exit status: parse, run one verb, render. */
import { namedFailure } from "../files/fs-failure.ts";
import { FermixError, isFermixError } from "../kernel/error.ts";
import type { Log } from "../kernel/ports.ts";
import { redactCredentials } from "../kernel/redact.ts";
import type { App } from "../plugins/app.ts";
import { type Command, commands, groups } from "./commands.ts";
import { EXIT_OK, exitStatus } from "./exit.ts";
import { commandLine, type FrameFlags, parseArguments, resolveCommand, takeFrameFlags } from "./parse.ts";
import { renderFailure, renderFailureJson, renderNotice, renderView } from "./render.ts";
import type { Verb, View } from "./verb.ts";

/** What the frame needs of the world; `app` is made when a verb runs, not before. */
export interface Frame {
  readonly app: () => App;
  /** Puts an answer on stdout. Throws output_failed. */
  readonly answer: (text: string) => void;
  /** The talk and the kind of stdout; not the app's, because a usage error needs no app. */
  readonly terminal: App["ports"]["terminal"];
  /** NO_COLOR or a dumb terminal. */
  readonly noColor: boolean;
}

/** Runs the command line; resolves with the exit status and never rejects: what was not foreseen is `internal`. */
export async function runCommandLine(argv: readonly string[], frame: Frame): Promise<number> {
  let spoken: readonly string[] = [];
  const { flags } = takeFrameFlags(argv);
  try {
    const { path, command, rest, flags: asked } = resolveCommand(argv, commands, groups);
    spoken = path;
    if (command === undefined) return await answerGroup(path, asked, frame);
    const verb = await command.load();
    if (asked.help) return await answerHelp(command, verb, asked, frame);
    const args = await parseArguments(path, verb.args, rest);
    const noColor = frame.noColor || asked.noColor;
    const view = await verb.run(frame.app(), args, { json: asked.json, noColor });
    return view === undefined ? EXIT_OK : answerView(view, asked, frame);
  } catch (cause) {
    return answerFailure(asFermixError(cause), spoken, flags, frame);
  }
}

/** The last words of a process in which something failed behind everybody's back; the exit status. */
export function answerCrash(cause: unknown, frame: Frame): number {
  return answerFailure(asFermixError(cause), [], { json: false, help: false, noColor: frame.noColor }, frame);
}

function answerView(view: View, flags: FrameFlags, { answer, terminal }: Frame): number {
  for (const notice of view.notices ?? []) terminal.talk(renderNotice(notice));
  const text = renderView(view, { json: flags.json, terminal: terminal.stdoutIsTty });
  if (text !== undefined) answer(text);
  return exitStatus(view.exit);
}

function answerFailure(error: FermixError, path: readonly string[], flags: FrameFlags, frame: Frame): number {
  logFailure(error, path, frame);
  if (flags.json) answerIfPossible(renderFailureJson(error), frame);
  const color = frame.terminal.stderrIsTty && !frame.noColor && !flags.noColor;
  frame.terminal.talk(renderFailure(commandLine(path), error, color));
  return exitStatus(error.exit);
}

/** The code and no words of it: those may name what a person typed. Only a bug is told with where it was met. */
function logFailure(error: FermixError, path: readonly string[], frame: Frame): void {
  // Nothing was begun, and what was typed wrong may be a secret.
  if (error.exit === "usage") return;
  const bug = error.code === "internal" && error.cause instanceof Error ? { stack: error.cause.stack } : {};
  logOf(frame)?.write("error", "command_failed", { command: commandLine(path), code: error.code, ...bug });
}

/** Without a known home there is no log. */
function logOf({ app }: Frame): Log | undefined {
  try {
    return app().ports.log;
  } catch {
    return undefined;
  }
}

/** A failure is told on stderr too, so it is not lost with a stdout that takes nothing. */
function answerIfPossible(text: string, { answer }: Frame): void {
  try {
    answer(text);
  } catch (cause) {
    if (!isFermixError(cause, "output_failed")) throw cause;
  }
}

/** `fermix` alone greets with its help; a group whose verb is missing is a usage error unless help was asked for. */
async function answerGroup(path: readonly string[], flags: FrameFlags, frame: Frame): Promise<number> {
  if (path.length > 0 && !flags.help) {
    throw new FermixError("usage", {
      problem: `\`${commandLine(path)}\` needs a command.`,
      command: commandLine(path),
    });
  }
  const { groupHelp, helpAsJson } = await import("./help.ts");
  const view = { json: helpAsJson(path, undefined, undefined), text: { lines: groupHelp(path) } };
  return answerView(view, flags, frame);
}

async function answerHelp(command: Command, verb: Verb, flags: FrameFlags, frame: Frame): Promise<number> {
  const { helpAsJson, verbHelp } = await import("./help.ts");
  const view = { json: helpAsJson(command.path, command, verb), text: { lines: verbHelp(command, verb) } };
  return answerView(view, flags, frame);
}

/** What the file system refused is no bug, wherever it was met: it is named with its path. */
function asFermixError(cause: unknown): FermixError {
  if (isFermixError(cause)) return cause;
  const named = cause instanceof Error && "path" in cause ? namedFailure(String(cause.path), cause) : cause;
  if (isFermixError(named)) return named;
  // Masked before it is quoted and cut, which could hide where a credential begins or leave a part of it.
  const reason = redactCredentials(cause instanceof Error ? cause.message : String(cause));
  return new FermixError("internal", { reason }, { cause });
}
