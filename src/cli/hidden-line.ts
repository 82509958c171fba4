/** Reads one line from a terminal that shows nothing of it: keys as they come, and pastes whole, line breaks included. */
import type { Readable } from "node:stream";
import type { ReadStream } from "node:tty";
import type { Terminal } from "../kernel/ports.ts";

/** What came of it. `lines`: more than one line came at once, from a terminal that does not mark what is pasted. */
export type HiddenLine =
  | { readonly state: "entered"; readonly text: string }
  | { readonly state: "cancelled" }
  | { readonly state: "lines" };

/** Makes the terminal mark the begin and the end of what is pasted (xterm, "Bracketed Paste Mode"), and stop that. */
const MARK_PASTES = "\u001b[?2004h";
const MARK_NO_PASTES = "\u001b[?2004l";

/**
 * Asks and reads until Enter. Ctrl-C, Ctrl-D, Escape, the signal and a terminal that goes away cancel; Backspace, Ctrl-U
 * and Ctrl-W take back; no other key does anything, Ctrl-Z included, behind which a shell would show what is typed next.
 */
export async function askHidden(
  terminal: Pick<Terminal, "keys" | "talk">,
  question: string,
  signal: AbortSignal,
): Promise<HiddenLine> {
  const input = terminal.keys();
  const line = new Line();
  const decoder = new TextDecoder();
  const ended = Promise.withResolvers<HiddenLine>();
  const cancel = (): void => ended.resolve({ state: "cancelled" });
  const onData = (chunk: Uint8Array | string): void => {
    const outcome = line.take(typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true }));
    if (outcome !== undefined) ended.resolve(outcome);
  };
  const endings = ["end", "close", "error"] as const;
  // Before the question, so that nothing that is typed at once is shown.
  setRaw(input, true);
  terminal.talk(`${MARK_PASTES}${question}`);
  input.on("data", onData);
  // An earlier question paused it.
  input.resume();
  for (const event of endings) input.on(event, cancel);
  signal.addEventListener("abort", cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await ended.promise;
  } finally {
    signal.removeEventListener("abort", cancel);
    for (const event of endings) input.off(event, cancel);
    input.off("data", onData);
    input.pause();
    terminal.talk(`${MARK_NO_PASTES}\n`);
    setRaw(input, false);
  }
}

/** Only a real terminal has this. */
function setRaw(input: Readable, raw: boolean): void {
  const { setRawMode } = input as Partial<Pick<ReadStream, "setRawMode">>;
  setRawMode?.call(input, raw);
}

const PASTE_BEGINS = "\u001b[200~";
const PASTE_ENDS = "\u001b[201~";
/** A key that is more than a character, whole (ECMA-48 5.4, SS3, or Alt with a key) or not yet. */
const SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*[@-~]|O.|[^[O])/su;
const BEGUN_SEQUENCE = /^\u001b(?:\[[0-?]*[ -/]*|O)?$/;
const CANCELS: readonly string[] = ["\u0003", "\u0004"];
const BACKSPACES: readonly string[] = ["\u007f", "\b"];
const CLEARS: readonly string[] = ["\u0015", "\u0017"];

/** The line as it grows. */
class Line {
  #text = "";
  #pasting = false;
  /** The begin of a sequence whose rest has not come. */
  #begun = "";

  /** Takes what was typed; undefined while the line goes on. */
  take(typed: string): HiddenLine | undefined {
    // Alone it is the key; a sequence comes in one piece, or at least goes on behind its second character.
    if (typed === "\u001b" && this.#begun === "" && !this.#pasting) return { state: "cancelled" };
    let rest = this.#begun + typed;
    this.#begun = "";
    while (rest !== "") {
      const sequence = SEQUENCE.exec(rest)?.[0];
      if (sequence === undefined && BEGUN_SEQUENCE.test(rest)) {
        this.#begun = rest;
        return undefined;
      }
      const key = sequence ?? String.fromCodePoint(rest.codePointAt(0) ?? 0);
      rest = rest.slice(key.length);
      const outcome = sequence === undefined ? this.#press(key, rest) : this.#mark(sequence);
      if (outcome !== undefined) return outcome;
    }
    return undefined;
  }

  #mark(sequence: string): undefined {
    if (sequence === PASTE_BEGINS) this.#pasting = true;
    if (sequence === PASTE_ENDS) {
      this.#pasting = false;
      // Terminals send what Enter sends for each end of a line.
      this.#text = this.#text.replace(/\r\n?/g, "\n");
    }
  }

  #press(key: string, rest: string): HiddenLine | undefined {
    if (this.#pasting) {
      this.#text += key;
    } else if (key === "\r" || key === "\n") {
      return /[^\r\n]/.test(rest) ? { state: "lines" } : { state: "entered", text: this.#text };
    } else if (CANCELS.includes(key)) {
      return { state: "cancelled" };
    } else if (BACKSPACES.includes(key)) {
      this.#text = [...this.#text].slice(0, -1).join("");
    } else if (CLEARS.includes(key)) {
      this.#text = "";
    } else if (key >= " ") {
      this.#text += key;
    }
    return undefined;
  }
}
