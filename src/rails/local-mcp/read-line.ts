/** Turns a server's stdout into JSON-RPC messages and tolerates the noise that real servers mix in (case 32). */
import { mayLoseDigits, parseKeepingDigits } from "../../kernel/exact-json.ts";
import { isJsonObject, type JsonObject } from "../../kernel/json.ts";

const NEWLINE = 0x0a;
/** Places in a noisy line where a message is looked for. */
const MAX_STARTS = 8;

/** Cuts chunks into lines; an unfinished line longer than `maxBytes` ends the reading for good. */
export class LineSplitter {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  readonly #onFlood: () => void;
  #parts: Uint8Array[] = [];
  #size = 0;
  #flooded = false;

  constructor(maxBytes: number, onLine: (line: string) => void, onFlood: () => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
    this.#onFlood = onFlood;
  }

  push(chunk: Uint8Array): void {
    const bytes = chunk instanceof Buffer ? chunk : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
    let from = 0;
    while (!this.#flooded && from < bytes.length) {
      const at = bytes.indexOf(NEWLINE, from);
      const end = at === -1 ? bytes.length : at;
      if (this.#size + end - from > this.#maxBytes) {
        this.#flood();
        return;
      }
      if (at === -1) {
        this.#parts.push(bytes.subarray(from));
        this.#size += end - from;
        return;
      }
      this.#onLine(this.#finish(bytes, from, end));
      from = at + 1;
    }
  }

  #finish(bytes: Buffer, from: number, end: number): string {
    // The usual line is in one chunk, of which no view is made: that costs more than the decoding.
    if (this.#parts.length === 0) return bytes.toString("utf8", from, end);
    const line = Buffer.concat([...this.#parts, bytes.subarray(from, end)]).toString("utf8");
    this.#parts = [];
    this.#size = 0;
    return line;
  }

  #flood(): void {
    this.#flooded = true;
    this.#parts = [];
    this.#onFlood();
  }
}

export interface LineReading {
  readonly messages: readonly JsonObject[];
  /** Something on the line was no message. */
  readonly noisy: boolean;
}

const NOISE: LineReading = { messages: [], noisy: true };
const NOTHING: LineReading = { messages: [], noisy: false };

/** The messages of one line: usually one, several for a batch, none for noise. */
export function readLine(line: string): LineReading {
  const whole = parse(line);
  if (whole !== undefined) return messagesOf(whole);
  if (line.trim() === "") return NOTHING;
  if (!line.includes('"jsonrpc"')) return NOISE;
  const end = line.lastIndexOf("}") + 1;
  for (const start of startsIn(line)) {
    const value = parse(line.slice(start, end));
    if (value !== undefined && isMessage(value)) return { messages: [value], noisy: true };
  }
  return NOISE;
}

function messagesOf(value: unknown): LineReading {
  if (isMessage(value)) return { messages: [value], noisy: false };
  if (!Array.isArray(value)) return NOISE;
  const messages = value.filter(isMessage);
  return { messages, noisy: messages.length !== value.length };
}

function isMessage(value: unknown): value is JsonObject {
  return isJsonObject(value) && value["jsonrpc"] === "2.0";
}

function parse(text: string): unknown {
  try {
    return mayLoseDigits(text) ? parseDigits(text) : JSON.parse(text);
  } catch {
    return undefined; // Not JSON: noise, or a message with noise around it, which the caller looks for.
  }
}

/** Every digit kept, unless the text nests too deep for that; it is refused for its depth further on. */
function parseDigits(text: string): unknown {
  try {
    return parseKeepingDigits(text);
  } catch (cause) {
    if (cause instanceof RangeError) return JSON.parse(text);
    throw cause;
  }
}

/** Where a message may begin: the last usual opening, then the first braces. */
function* startsIn(line: string): Generator<number> {
  const usual = line.lastIndexOf('{"jsonrpc"');
  if (usual !== -1) yield usual;
  let at = line.indexOf("{");
  for (let tries = 0; at !== -1 && tries < MAX_STARTS; tries += 1) {
    yield at;
    at = line.indexOf("{", at + 1);
  }
}
