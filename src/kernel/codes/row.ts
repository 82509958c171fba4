/** The shape of one row of the failure table: what it says, what to run, and how the process exits. */
import { redactCredentials } from "../redact.ts";

/** How a failure ends the process; `cli/exit.ts` maps each class to its status. */
export type ExitClass = "failed" | "usage" | "no_daemon" | "needs_connecting" | "refused";

export interface CodeRow<Details> {
  /** One sentence: what happened, with the facts in it. Untrusted text goes through `quote`. */
  readonly says: (details: Details) => string;
  /** The next action, as a command or a short instruction. */
  readonly fix: (details: Details) => string;
  readonly exit: ExitClass;
}

/** Declares a row so that its details type is inferred once and checked at every throw. */
export function row<Details>(entry: CodeRow<Details>): CodeRow<Details> {
  return entry;
}

const MAX_QUOTED = 200;

const STEERING = /[\u0000-\u001f\u007f-\u009f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Untrusted text made safe for a terminal or a log line: JSON-quoted, control and bidi characters escaped, cut. */
export function quote(text: string): string {
  // Masked before it is cut: half a credential looks like none any more.
  const cut = text.length > MAX_QUOTED ? `${redactCredentials(text).slice(0, MAX_QUOTED)}…` : text;
  return plain(JSON.stringify(cut));
}

/** Untrusted text that its maker has cut already, with control and bidi characters escaped; it stands without quotes. */
export function plain(text: string): string {
  return text.replace(STEERING, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
