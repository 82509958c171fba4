/** Cuts a byte stream into lines of UTF-8 text; characters may be split over chunks, and a line has a ceiling. */
const NEWLINE = 0x0a;

export class LineReader {
  readonly #limit: number;
  readonly #onLine: (line: string) => void;
  readonly #onOversize: () => void;
  #parts: Buffer[] = [];
  #bytes = 0;

  /** `onOversize` is told once for each line of more than `limit` bytes; the line itself is dropped. */
  constructor(limit: number, onLine: (line: string) => void, onOversize: () => void) {
    this.#limit = limit;
    this.#onLine = onLine;
    this.#onOversize = onOversize;
  }

  push(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      this.#keep(chunk.subarray(from, end));
      this.end();
      from = end + 1;
    }
    this.#keep(chunk.subarray(from));
  }

  /** Ends the current line, also where the stream ends without a newline. */
  end(): void {
    const line = this.#bytes > this.#limit ? undefined : Buffer.concat(this.#parts).toString("utf8").trim();
    this.#parts = [];
    this.#bytes = 0;
    if (line === undefined) this.#onOversize();
    else if (line !== "") this.#onLine(line);
  }

  #keep(part: Buffer): void {
    this.#bytes += part.length;
    if (this.#bytes > this.#limit) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }
}
