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
    let from = 0;
    while (!this.#flooded) {
      const at = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, at === -1 ? undefined : at);
      if (this.#size + part.length > this.#maxBytes) {
        this.#flood();
        return;
      }
      if (at === -1) {
        if (part.length > 0) this.#parts.push(part);
        this.#size += part.length;
        return;
      }
      this.#onLine(this.#finish(part));
      from = at + 1;
    }
  }

  #finish(part: Uint8Array): string {
    if (this.#parts.length === 0) return Buffer.from(part.buffer, part.byteOffset, part.length).toString("utf8");
    const line = Buffer.concat([...this.#parts, part]).toString("utf8");
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
