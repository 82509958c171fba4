/** Tells on stderr what has become true: marked and coloured lines on a terminal, plain ones in a pipe or a file. */
import type { Terminal } from "../../kernel/ports.ts";
import { renderNotice } from "../render.ts";

/** Says one thing that has just become true. */
export type Say = (text: string) => void;

export interface StepLines {
  /** What the run goes by. */
  readonly fact: Say;
  /** What the run has proved or done. */
  readonly step: Say;
}

const GREEN = "\u001b[32m";
const CYAN = "\u001b[36m";
const DEFAULT_COLOR = "\u001b[39m";

/** Lines for this stderr. consola takes 12 ms to load, so a pipe is spared it (PLATFORM, "Speed recipes"). */
export async function openStepLines(
  terminal: Pick<Terminal, "stderrIsTty" | "talk">,
  { noColor }: { readonly noColor: boolean },
): Promise<StepLines> {
  if (!terminal.stderrIsTty) {
    const say = (text: string): void => terminal.talk(renderNotice(`  ${text}`));
    return { fact: say, step: say };
  }
  const { createConsola, LogLevels } = await import("consola/core");
  const marks: Readonly<Record<string, string>> = {
    info: noColor ? "ℹ" : `${CYAN}ℹ${DEFAULT_COLOR}`,
    success: noColor ? "✔" : `${GREEN}✔${DEFAULT_COLOR}`,
  };
  const lines = createConsola({
    level: LogLevels.info,
    // Two equal lines in a row are two lines.
    throttle: 0,
    // Its own reporters read backticks and underscores in a path as markup, and write to stdout.
    reporters: [{ log: ({ type, args }) => terminal.talk(`${marks[type]} ${renderNotice(args.join(" "))}`) }],
  });
  return { fact: (text) => lines.info(text), step: (text) => lines.success(text) };
}
