/** Reads a body to its end in memory, refusing the chunk that would cross the cap before it is kept. */

import type { BodyReader, ByteBody } from "./watched-body.ts";

/**
 * The whole body, at most `maxBytes` long (whoever answers controls the length, so declared lengths are not believed).
 * Throws what `tooLarge` makes, and cancels the stream so that nothing more is received.
 */
export async function readCapped(body: ByteBody | null, maxBytes: number, tooLarge: () => Error): Promise<Uint8Array> {
  return body === null ? new Uint8Array(0) : collect(body.getReader(), maxBytes, tooLarge, (chunk) => chunk);
}

/** readCapped for a reader; each chunk is copied, as it is only good until the next one is asked for. */
export async function drainCapped(reader: BodyReader, maxBytes: number, tooLarge: () => Error): Promise<Uint8Array> {
  return collect(reader, maxBytes, tooLarge, (chunk) => new Uint8Array(chunk));
}

async function collect(
  reader: BodyReader,
  maxBytes: number,
  tooLarge: () => Error,
  keep: (chunk: Uint8Array) => Uint8Array,
): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return joined(chunks, total);
    if (total + value.byteLength > maxBytes) {
      const refusal = tooLarge();
      await reader.cancel(refusal).catch(() => undefined);
      throw refusal;
    }
    total += value.byteLength;
    chunks.push(keep(value));
  }
}

/** Most answers come in one piece, which needs no second copy. */
function joined(chunks: readonly Uint8Array[], total: number): Uint8Array {
  const [only] = chunks;
  return only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks, total);
}
