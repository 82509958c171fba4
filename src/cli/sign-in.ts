/** What every sign-in by browser asks of the command line, and how it talks with the person in front of it (spec 7.1, 7.2). */
import type { LoginPage } from "../auth/oauth/login-flow.ts";
import { looksPasted } from "../auth/oauth/pasted.ts";
import { FermixError } from "../kernel/error.ts";
import type { Terminal } from "../kernel/ports.ts";
import { askHidden } from "./hidden-line.ts";
import { interruptible } from "./quickstart/interrupt.ts";
import type { ArgSpecs } from "./verb.ts";

/** Spec 8.2. */
const DEFAULT_SECONDS = 300;
/** Nobody looks for a page longer, and a forgotten one should give its port back. */
const MAX_SECONDS = 3600;
const MAX_PORT = 65_535;
const ASK_URL = "Address of the last page, where the browser is on another machine (not shown): ";

export const signInArgs = {
  "no-browser": { kind: "flag", about: "print the address instead of opening it, for a browser on another machine" },
  port: { kind: "option", label: "N", about: "listen at this port for the browser to come back to" },
  timeout: { kind: "option", label: "SECONDS", about: `how long to wait for that; ${DEFAULT_SECONDS} by default` },
} as const satisfies ArgSpecs;

export interface SignInArgs {
  readonly "no-browser": boolean;
  readonly port: string | undefined;
  readonly timeout: string | undefined;
}

/** What the flow takes from the command line. */
export interface SignInOptions {
  readonly port: number | undefined;
  readonly timeoutMs: number;
  readonly openBrowser: boolean;
  readonly onPage: (page: LoginPage) => void;
  readonly paste: ((signal: AbortSignal) => Promise<string>) | undefined;
  readonly signal: AbortSignal;
}

interface Asking {
  readonly args: SignInArgs;
  /** The whole command line, for advice. */
  readonly command: string;
}

/**
 * Runs a sign-in that Ctrl-C stops: it then throws login_stopped and leaves nothing. Throws usage for a port or a time
 * that is none.
 */
export async function runSignIn<T>(
  terminal: Terminal,
  { args, command }: Asking,
  work: (options: SignInOptions) => Promise<T>,
): Promise<T> {
  const port = wholeNumber(args.port, "--port", MAX_PORT, command);
  const seconds = wholeNumber(args.timeout, "--timeout", MAX_SECONDS, command) ?? DEFAULT_SECONDS;
  const stopped = () => new FermixError("login_stopped", { command });
  const canPaste = terminal.stdinIsTty && terminal.stderrIsTty;
  return await interruptible(terminal, async (interrupt) => {
    const stop = new AbortController();
    interrupt.addEventListener("abort", () => stop.abort(stopped()), { once: true });
    return await work({
      port,
      timeoutMs: seconds * 1000,
      openBrowser: !args["no-browser"],
      onPage: (page) => terminal.talk(pageTalk(page, canPaste)),
      paste: canPaste ? (signal) => askForUrl(terminal, signal, stopped) : undefined,
      signal: stop.signal,
    });
  });
}

function pageTalk({ url, redirectUri, opened }: LoginPage, canPaste: boolean): string {
  const open =
    opened === true
      ? "The sign-in page was opened in the browser. If it does not show, open this address:"
      : "Open this address in a browser to sign in:";
  const paste =
    opened !== true && canPaste
      ? "\nIf that browser is on another machine, its last page will not load: copy the address of that page and paste it here.\n"
      : "";
  return `${open}\n\n  ${url}\n\nWaiting for the browser to come back to ${redirectUri} (Ctrl-C stops).\n${paste}`;
}

/** The code in the address is good until it is used, so it is not shown either. Throws what `stopped` gives. */
async function askForUrl(terminal: Terminal, signal: AbortSignal, stopped: () => FermixError): Promise<string> {
  for (let question = ASK_URL; ; question = `It is the whole address, with state= and code= in it.\n${ASK_URL}`) {
    // One text: whoever reads a part of it may type already, and the terminal must show nothing of that by then.
    const answer = await askHidden(terminal, question, signal);
    if (answer.state === "cancelled") throw stopped();
    if (answer.state === "entered" && looksPasted(answer.text)) return answer.text;
  }
}

/** undefined when it was not given. Throws usage. */
function wholeNumber(typed: string | undefined, flag: string, most: number, command: string): number | undefined {
  if (typed === undefined) return undefined;
  const number = /^\d{1,6}$/.test(typed) ? Number(typed) : 0;
  if (number >= 1 && number <= most) return number;
  throw new FermixError("usage", { problem: `${flag} takes a whole number from 1 to ${most}.`, command });
}
