/** How answers and failures look, as text for a person, TAB-separated for a pipe, or JSON. */
import type { FermixError } from "../kernel/error.ts";
import { redactCredentials } from "../kernel/redact.ts";
import type { View } from "./verb.ts";

/** How the reader of the output takes it. */
export interface Style {
  readonly json: boolean;
  /** Whether stdout is a terminal: tables are then aligned, and nothing in the text may steer it. */
  readonly terminal: boolean;
}

/** Characters that steer a terminal or reorder a line: C0 but for newline and tab, DEL, C1, bidi and line separators. */
const STEERING = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;
const IN_A_CELL = /[\u0000-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\\]/g;

/** The answer of a verb as it goes to stdout, without the last newline; undefined when there is nothing to print. */
export function renderView(view: View, style: Style): string | undefined {
  if (style.json) return jsonLine(view.json);
  if ("lines" in view.text) {
    if (view.text.lines.length === 0) return undefined;
    const text = view.text.lines.join("\n");
    return style.terminal ? text.replace(STEERING, escaped) : text;
  }
  const rows = view.text.rows.map((row) => row.map((cell) => cellText(cell)));
  if (rows.length === 0) return undefined;
  return (style.terminal ? aligned(rows) : rows.map((row) => row.join("\t"))).join("\n");
}

/** A failure as one JSON line for stdout (CLI-2), what looks like a credential masked as on stderr (RED-1). */
export function renderFailureJson(error: FermixError): string {
  return jsonLine({ error: error.view() }, (_, value) =>
    typeof value === "string" ? redactCredentials(value) : value,
  );
}

/** A failure for stderr: what happened, then what to run. */
export function renderFailure(command: string, error: FermixError, color: boolean): string {
  const fix = color ? "\u001b[1mfix:\u001b[22m" : "fix:";
  return `${command}: ${error.message.replace(STEERING, escaped)}\n${fix} ${error.fix.replace(STEERING, escaped)}\n`;
}

/** A line of talk for stderr. */
export function renderNotice(text: string): string {
  return `${text.replace(STEERING, escaped)}\n`;
}

/**
 * Puts a short answer on stdout, with a final newline, in a process that loads nothing else (`--version`): console.log
 * neither loses the tail on a slow pipe nor fails on a closed one (PLATFORM, "Output"). All others use write-answer.ts.
 */
export function print(text: string): void {
  console.log(text);
}

/** One line, in which nothing can steer a terminal: JSON has an escape for every character. */
function jsonLine(value: unknown, replacer?: (key: string, value: unknown) => unknown): string {
  return JSON.stringify(value, replacer).replace(
    /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g,
    escaped,
  );
}

/** A cell is one field of one line, whatever is in it; a backslash is doubled so that the field can be read back. */
function cellText(cell: string): string {
  return cell.replace(IN_A_CELL, (char) => {
    if (char === "\\") return "\\\\";
    if (char === "\t") return "\\t";
    if (char === "\n") return "\\n";
    return char === "\r" ? "\\r" : escaped(char);
  });
}

function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

const GAP = "  ";

function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, Bun.stringWidth(cell));
  }
  return rows.map((row) =>
    row
      .map((cell, at) => cell + " ".repeat((widths[at] ?? 0) - Bun.stringWidth(cell)))
      .join(GAP)
      .trimEnd(),
  );
}
