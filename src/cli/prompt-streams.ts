/** What prompts read and write: keys of the terminal's stdin, and stderr, because stdout is the answer. */
import { type Readable, Writable } from "node:stream";
import type { Terminal } from "../kernel/ports.ts";

export interface PromptStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** A key as node:readline tells of it; all listeners are given the same object. */
interface Key {
  readonly ctrl?: boolean;
  name?: string;
}

/**
 * What Ctrl-Z becomes for the prompts, which are asked after this listener: readline would stop the process there, and
 * Bun 1.4 comes back from it into a raw terminal whose keys, Ctrl-C among them, it no longer reads.
 */
const NO_KEY = "none";

/** SGR sequences: all that sets a color or a weight. */
const STYLING = /\u001b\[[0-9;]*m/g;

/** Streams for @clack/prompts, which colors whatever stdout is and knows neither --no-color nor the `Terminal` port. */
export function promptStreams(
  terminal: Pick<Terminal, "keys" | "talk" | "columns">,
  { noColor }: { readonly noColor: boolean },
): PromptStreams {
  const output = new Writable({
    decodeStrings: false,
    write(chunk, _encoding, done) {
      const text = String(chunk);
      terminal.talk(noColor ? text.replace(STYLING, "") : text);
      done();
    },
  });
  Object.defineProperty(output, "columns", { get: () => terminal.columns });
  const input = terminal.keys();
  input.on("keypress", (_text, key?: Key) => {
    if (key?.ctrl === true && key.name === "z") key.name = NO_KEY;
  });
  return { input, output };
}

/**
 * Aborts when the person has ended the input: Ctrl-D, which arrives as a key while a question is open, or a terminal
 * that went away. The prompts know neither and would wait for ever.
 */
export function endOfInput(input: Readable): AbortSignal {
  const ended = new AbortController();
  input.once("end", () => ended.abort());
  input.on("keypress", (_text, key?: Key) => {
    if (key?.ctrl === true && key.name === "d") ended.abort();
  });
  return ended.signal;
}
