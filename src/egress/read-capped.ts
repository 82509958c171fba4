/** Reads a body to its end in memory, refusing the chunk that would cross the cap before it is kept. */

/**
 * The whole body, at most `maxBytes` long (whoever answers controls the length, so declared lengths are not believed).
 * Throws what `tooLarge` makes, and cancels the stream so that nothing more is received.
 */
export async function readCapped(
  body: ReadableStream<Uint8Array> | null,
  maxBytes: number,
  tooLarge: () => Error,
): Promise<Uint8Array> {
  if (body === null) return new Uint8Array(0);
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let total = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return Buffer.concat(chunks, total);
    if (total + value.byteLength > maxBytes) {
      const refusal = tooLarge();
      await reader.cancel(refusal).catch(() => undefined);
      throw refusal;
    }
    total += value.byteLength;
    chunks.push(value);
  }
}
