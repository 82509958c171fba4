/** Writes a stream to a new file while hashing it, within a ceiling and never standing still for long. */
import { open, rm } from "node:fs/promises";
import { raceAbort } from "../egress/deadlines.ts";
import { namedFailure } from "../files/fs-failure.ts";
import type { Sha256 } from "../kernel/names.ts";
import type { Clock } from "../kernel/ports.ts";

export interface StreamLimits {
  readonly maxBytes: number;
  readonly idleMs: number;
  readonly tooLarge: () => Error;
  readonly stalled: () => Error;
  readonly signal: AbortSignal;
  readonly onProgress: (done: number) => void;
}

/**
 * Copies `body` into the new file `path` (mode 0600, flushed) and returns its sha256 and length. The ceiling counts
 * bytes as they are written, not as they are declared. On any failure the file is gone and the stream is cancelled.
 * Throws tooLarge(), stalled(), the abort reason, disk_full or home_unusable, or what the stream throws.
 */
export async function streamToFile(
  clock: Clock,
  body: ReadableStream<Uint8Array>,
  path: string,
  limits: StreamLimits,
): Promise<{ sha256: Sha256; bytes: number }> {
  const reader = body.getReader();
  try {
    return await named(path, () => copy(clock, reader, path, limits));
  } catch (cause) {
    await rm(path, { force: true });
    reader.cancel(cause).catch(() => undefined);
    throw cause;
  }
}

/** What is used of a stream's reader (its type differs between Bun's and Node's declarations). */
interface ChunkReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
}

async function copy(
  clock: Clock,
  reader: ChunkReader,
  path: string,
  limits: StreamLimits,
): Promise<{ sha256: Sha256; bytes: number }> {
  const hash = new Bun.CryptoHasher("sha256");
  const watch = watchIdle(clock, limits);
  const file = await open(path, "wx", 0o600);
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await raceAbort(reader.read(), watch.signal);
      if (done || value === undefined) break;
      if (bytes + value.byteLength > limits.maxBytes) throw limits.tooLarge();
      hash.update(value);
      await writeWhole(file, value);
      bytes += value.byteLength;
      watch.progressed();
      limits.onProgress(bytes);
    }
    await file.sync();
  } finally {
    watch.stop();
    await file.close();
  }
  return { sha256: hash.digest("hex") as Sha256, bytes };
}

async function writeWhole(file: Awaited<ReturnType<typeof open>>, chunk: Uint8Array): Promise<void> {
  for (let at = 0; at < chunk.byteLength; ) at += (await file.write(chunk, at)).bytesWritten;
}

/** One sleeper for the whole stream: it wakes when the idle time is over and looks whether anything came meanwhile. */
function watchIdle(
  clock: Clock,
  limits: StreamLimits,
): { signal: AbortSignal; progressed: () => void; stop: () => void } {
  const stalled = new AbortController();
  const off = new AbortController();
  let last = clock.now();
  const watch = async (): Promise<void> => {
    for (let wait = limits.idleMs; wait > 0; wait = last + limits.idleMs - clock.now()) {
      await clock.sleep(wait, off.signal);
    }
    stalled.abort(limits.stalled());
  };
  watch().catch(() => undefined);
  return {
    signal: AbortSignal.any([stalled.signal, limits.signal]),
    progressed: () => {
      last = clock.now();
    },
    stop: () => off.abort(),
  };
}

async function named<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    throw namedFailure(path, cause);
  }
}
