/** Shows how far a long job is, on a terminal's stderr only (INS-11): one line, redrawn in place, gone at the end.
 *
 * The bar of @clack/prompts is not used: it takes stdin into raw mode, where its Ctrl-C exits 0 past all clean-up, and it
 * redraws by a timer. This one draws when something changed and leaves Ctrl-C to whoever runs the job.
 */
import type { Terminal } from "../kernel/ports.ts";

interface Amount {
  readonly unit: "bytes" | "files";
  readonly done: number;
  /** A bar is drawn when it is known. */
  readonly total?: number | undefined;
}

export interface Progress {
  /** What is going on, and how much of it is done where that can be said. */
  update(label: string, amount?: Amount): void;
  /** Takes the line away; further calls do nothing. */
  done(): void;
}

const BAR_CELLS = 24;
const KIB = 1024;
const MIB = KIB * KIB;
/** Counts are shown by this many leading digits, so that thousands of files are not thousands of writes. */
const COUNT_DIGITS = 2;

/** A reporter for this terminal; it says nothing when stderr is a pipe or a file. */
export function progressReporter(terminal: Pick<Terminal, "stderrIsTty" | "columns" | "talk">): Progress {
  if (!terminal.stderrIsTty) return { update: () => undefined, done: () => undefined };
  let shown = "";
  let finished = false;
  return {
    update(label, amount) {
      const line = progressLine(label, amount, terminal.columns);
      if (finished || line === shown) return;
      // Spaces over what is left of a longer line: works on terminals without any escape sequence.
      terminal.talk(`\r${line}${" ".repeat(Math.max(0, Bun.stringWidth(shown) - Bun.stringWidth(line)))}`);
      shown = line;
    },
    done() {
      // The whole width: what was typed meanwhile, as ^C, was echoed behind the line.
      if (!finished && shown !== "") terminal.talk(`\r${" ".repeat(Math.max(0, terminal.columns - 1))}\r`);
      finished = true;
    },
  };
}

/** The line for one moment, never wider than the terminal. The label may come from a catalog, so it cannot steer it. */
function progressLine(label: string, amount: Amount | undefined, columns: number): string {
  const name = label.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, "?");
  const line = amount === undefined ? name : `${name}  ${amountText(amount)}`;
  return [...line].slice(0, Math.max(1, columns - 1)).join("");
}

function amountText({ unit, done, total }: Amount): string {
  if (total === undefined || total <= 0)
    return unit === "bytes" ? size(done) : `${count(done)} ${done === 1 ? "file" : "files"}`;
  return `${bar(done / total)}  ${unit === "bytes" ? size(total) : `${total} files`}`;
}

function bar(share: number): string {
  // Cells follow the percentage, so that nothing is redrawn between two of them.
  const percent = Math.floor(Math.min(1, Math.max(0, share)) * 100);
  const cells = Math.floor((percent * BAR_CELLS) / 100);
  return `[${"#".repeat(cells)}${"-".repeat(BAR_CELLS - cells)}] ${String(percent).padStart(3)}%`;
}

function size(bytes: number): string {
  if (bytes < KIB) return `${bytes} B`;
  return bytes < MIB ? `${Math.floor(bytes / KIB)} KiB` : `${(bytes / MIB).toFixed(1)} MiB`;
}

function count(files: number): string {
  const step = 10 ** Math.max(0, String(files).length - COUNT_DIGITS);
  return String(Math.floor(files / step) * step);
}
