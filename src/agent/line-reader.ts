/** Cuts a byte stream into text lines with a limit on each, since the other side decides when a line ends. */

export interface LineListener {
  onLine(text: string): void;
  /** A line that was dropped up: its bytes up to the next line end are dropped. */
  onBadLine(reason: "too_long" | "not_utf8"): void;
}

const NEWLINE = 0x0a;

/** A reader to feed chunks to; it keeps what it is given until the line is whole. */
export function readLines(maxBytes: number, { onLine, onBadLine }: LineListener): (chunk: Uint8Array) => void {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let parts: Uint8Array[] = [];
  let size = 0;
  let skipping = false;

  const decode = (bytes: Uint8Array): string | undefined => {
    try {
      return decoder.decode(bytes);
    } catch {
      return undefined;
    }
  };

  const finish = (last: Uint8Array): void => {
    const whole = parts.length === 0 ? last : Buffer.concat([...parts, last]);
    const dropped = skipping;
    parts = [];
    size = 0;
    skipping = false;
    if (dropped) return;
    const text = whole.length > maxBytes ? undefined : decode(whole);
    if (text !== undefined) onLine(text);
    else onBadLine(whole.length > maxBytes ? "too_long" : "not_utf8");
  };

  const keep = (part: Uint8Array): void => {
    if (skipping) return;
    size += part.length;
    parts.push(part);
    if (size <= maxBytes) return;
    parts = [];
    skipping = true;
    onBadLine("too_long");
  };

  return (chunk) => {
    const first = chunk.indexOf(NEWLINE);
    if (first !== -1 && first === chunk.length - 1 && first <= maxBytes && size === 0 && !skipping) {
      // One whole line is decoded with its end: a view without it costs more than the decoding.
      const text = decode(chunk);
      if (text === undefined) onBadLine("not_utf8");
      else onLine(text.slice(0, -1));
      return;
    }
    let from = 0;
    for (let end = first; end !== -1; end = chunk.indexOf(NEWLINE, from)) {
      finish(chunk.subarray(from, end));
      from = end + 1;
    }
    if (from < chunk.length) keep(chunk.subarray(from));
  };
}
