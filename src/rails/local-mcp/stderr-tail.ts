/** Keeps the last words of a server's stderr, however much it writes. */
import { redactCredentials } from "../../kernel/redact.ts";

/** The server controls how much it writes; this much of the end is kept. */
const MAX_KEPT_CHARS = 16 * 1024;
const MAX_LINES = 20;
const ANSI = /\u001b\[[0-9;?]*[ -/]*[@-~]/g;

export class StderrTail {
  #kept = "";

  push(chunk: Uint8Array): void {
    const end = chunk.subarray(Math.max(0, chunk.length - MAX_KEPT_CHARS));
    this.#kept = (this.#kept + Buffer.from(end).toString("utf8")).slice(-MAX_KEPT_CHARS);
  }

  /** The last lines, without colours and with credential-shaped words masked. */
  lines(): readonly string[] {
    const lines = this.#kept
      .replace(ANSI, "")
      .split(/\r?\n/)
      .filter((line) => line.trim() !== "");
    return lines.slice(-MAX_LINES).map(redactCredentials);
  }
}
