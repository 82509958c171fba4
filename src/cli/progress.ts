/** Shows how far a long job is, on a terminal's stderr only (INS-11): one line, redrawn in place, gone at the end. */
import type { Terminal } from "../kernel/ports.ts";

export interface Progress {
  /** Bytes (or steps) done, and of how many when that is known. */
  update(label: string, done: number, total?: number): void;
  /** Takes the line away; further calls do nothing. */
  done(): void;
}

const BAR_CELLS = 24;
const KIB = 1024;
const MIB = KIB * KIB;

/** A reporter for this terminal; it says nothing when stderr is a pipe or a file. */
export function progressReporter(terminal: Pick<Terminal, "stderrIsTty" | "columns" | "talk">): Progress {
  if (!terminal.stderrIsTty) return { update: () => undefined, done: () => undefined };
  let shown = "";
  let finished = false;
  const draw = (line: string): void => {
    if (line === shown) return;
    // Spaces over what is left of a longer line: works on terminals without any escape sequence.
    terminal.talk(`\r${line}${" ".repeat(Math.max(0, Bun.stringWidth(shown) - Bun.stringWidth(line)))}`);
    shown = line;
  };
  return {
    update(label, done, total) {
      if (!finished) draw(progressLine(label, done, total, terminal.columns));
    },
    done() {
      if (!finished && shown !== "") {
        draw("");
        terminal.talk("\r");
      }
      finished = true;
    },
  };
}

/** The line for one moment, never wider than the terminal. The label may come from a catalog, so it cannot steer it. */
function progressLine(label: string, done: number, total: number | undefined, columns: number): string {
  const name = label.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, "?");
  const line =
    total === undefined || total <= 0 ? `${name}  ${amount(done)}` : `${name}  ${bar(done / total)}  ${amount(total)}`;
  return [...line].slice(0, Math.max(1, columns - 1)).join("");
}

function bar(share: number): string {
  // Cells follow the percentage, so that nothing is redrawn between two of them.
  const percent = Math.floor(Math.min(1, Math.max(0, share)) * 100);
  const cells = Math.floor((percent * BAR_CELLS) / 100);
  return `[${"#".repeat(cells)}${"-".repeat(BAR_CELLS - cells)}] ${String(percent).padStart(3)}%`;
}

function amount(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  return bytes < MIB ? `${Math.floor(bytes / KIB)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
}
