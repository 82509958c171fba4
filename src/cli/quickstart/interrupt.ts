/** A run that Ctrl-C ends in order: whoever began something takes it back before the process ends. */
import type { Terminal } from "../../kernel/ports.ts";

/** Over the ^C that the terminal echoed, so that what is said next has the line for itself. */
const OVER_ECHO = "\r  \r";

/** Runs the work; Ctrl-C, SIGTERM and SIGHUP abort its signal. A second one ends the process, in case the way back hangs. */
export async function interruptible<T>(
  terminal: Pick<Terminal, "onInterrupt" | "stderrIsTty" | "talk">,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stop = terminal.onInterrupt(() => {
    stop();
    if (terminal.stderrIsTty) terminal.talk(OVER_ECHO);
    controller.abort();
  });
  try {
    return await work(controller.signal);
  } finally {
    stop();
  }
}

/** What is awaited, or the signal's reason as soon as it is aborted; for work that takes no signal itself. */
export async function orAborted<T>(signal: AbortSignal, pending: Promise<T>): Promise<T> {
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(signal.reason);
  signal.addEventListener("abort", onAbort, { once: true });
  if (signal.aborted) onAbort();
  try {
    return await Promise.race([pending, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}
