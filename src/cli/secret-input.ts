/** Takes a secret from a person or a pipe, never from the command line, and shows none of it (DECISIONS 24, 27). */
import { standIn } from "../auth/stand-in.ts";
import { FermixError } from "../kernel/error.ts";
import type { App } from "../plugins/app.ts";
import { askHidden } from "./hidden-line.ts";
import { interruptible } from "./quickstart/interrupt.ts";

/** Whoever pipes chooses the bytes; no service gives keys near this size. */
const MAX_SECRET_BYTES = 64 * 1024;

export interface SecretAsked {
  /** --stdin: it comes from a pipe. */
  readonly stdin: boolean;
  /** The question on a terminal, such as `Bot token`. */
  readonly prompt: string;
  /** The command line that asks, for the advice of a refusal. */
  readonly command: string;
}

/**
 * The secret without the one line end that pipes add; line breaks within and spaces are kept, for the caller to judge.
 * Throws not_a_terminal, stdin_is_a_terminal, no_input, input_refused (over 64 KiB, not UTF-8, a null byte, only a
 * stand-in for a secret) and input_cancelled.
 */
export async function readSecret({ ports }: Pick<App, "ports">, asked: SecretAsked): Promise<string> {
  const { terminal } = ports;
  const { command } = asked;
  if (asked.stdin && terminal.stdinIsTty) throw new FermixError("stdin_is_a_terminal", { command });
  if (!asked.stdin && !(terminal.stdinIsTty && terminal.stderrIsTty))
    throw new FermixError("not_a_terminal", { command });
  const given = asked.stdin ? await terminal.readInput(MAX_SECRET_BYTES) : await ask(terminal, asked);
  if (Buffer.byteLength(given) > MAX_SECRET_BYTES) {
    throw new FermixError("input_refused", { reason: `it is over ${MAX_SECRET_BYTES} bytes` });
  }
  const secret = given.replace(/\r?\n$/, "");
  if (secret.trim() === "") throw new FermixError("no_input", { command });
  const reason = secret.includes("\0") ? "it holds a null byte" : standIn(secret);
  if (reason !== undefined) throw new FermixError("input_refused", { reason });
  return secret;
}

/** One hidden line, or what is pasted. Nothing is shown for a key that is pressed, because a row of marks tells the length. */
async function ask(terminal: App["ports"]["terminal"], { prompt, command }: SecretAsked): Promise<string> {
  const answer = await interruptible(terminal, (signal) => askHidden(terminal, `${prompt} (not shown): `, signal));
  if (answer.state === "cancelled") throw new FermixError("input_cancelled", { command });
  if (answer.state === "lines") throw new FermixError("input_refused", { reason: "it is more than one line" });
  return answer.text;
}
