/** Reads a body to its end in memory, refusing the chunk that would cross the cap before it is kept. */

/** What is used of a stream's reader. */
interface Reader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/**
 * The whole body, at most `maxBytes` long (whoever answers controls the length, so declared lengths are not believed).
 * Throws what `tooLarge` makes, and cancels the stream so that nothing more is received.
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  return body === null ? new Uint8Array(0) : drainCapped(body.getReader(), maxBytes, tooLarge);
}

/** readCapped for a reader; each chunk is copied, as it is only good until the next one is asked for. */
export async function drainCapped(reader: Reader, maxBytes: number, tooLarge: () => Error): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return Buffer.concat(chunks, total);
    if (total + value.byteLength > maxBytes) {
      const refusal = tooLarge();
      await reader.cancel(refusal).catch(() => undefined);
      throw refusal;
    }
    total += value.byteLength;
    chunks.push(new Uint8Array(value));
  }
}
