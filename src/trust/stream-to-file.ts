/** Writes a stream to a new file while hashing it, within a ceiling and never standing still for long. */
import { closeSync, fsyncSync, openSync, rmSync, writeSync } from "node:fs";
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

/** What is used of a stream's reader; a chunk is only good until the next one is asked for. */
export interface ChunkReader {
  read(): Promise<{ done: boolean; value?: Uint8Array | undefined }>;
  cancel(reason?: unknown): Promise<void>;
}

/**
 * Copies what `reader` gives into the new file `path` (mode 0600, flushed) and returns its sha256 and length. The
 * ceiling counts bytes as they are written, not as they are declared. On any failure the file is gone and the reader
 * cancelled. Throws tooLarge(), stalled(), the abort reason, disk_full or home_unusable, or what the reader throws.
 */
export async function streamToFile(
  clock: Clock,
  reader: ChunkReader,
  path: string,
  limits: StreamLimits,
): Promise<{ sha256: Sha256; bytes: number }> {
  try {
    const file = openSync(path, "wx", 0o600);
    try {
      return await copy(clock, reader, file, limits);
    } catch (cause) {
      rmSync(path, { force: true });
      throw cause;
    } finally {
      closeSync(file);
    }
  } catch (cause) {
    reader.cancel(cause).catch(() => undefined);
    throw namedFailure(path, cause);
  }
}

async function copy(
  clock: Clock,
  reader: ChunkReader,
  file: number,
  limits: StreamLimits,
): Promise<{ sha256: Sha256; bytes: number }> {
  const hash = new Bun.CryptoHasher("sha256");
  const watch = watchIdle(clock, limits);
  let bytes = 0;
  try {
    for (;;) {
      const { done, value } = await raceAbort(reader.read(), watch.signal);
      if (done || value === undefined) break;
      if (bytes + value.byteLength > limits.maxBytes) throw limits.tooLarge();
      hash.update(value);
      for (let at = 0; at < value.byteLength; ) at += writeSync(file, value, at);
      bytes += value.byteLength;
      watch.progressed();
      limits.onProgress(bytes);
    }
    fsyncSync(file);
  } finally {
    watch.stop();
  }
  return { sha256: hash.digest("hex") as Sha256, bytes };
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
