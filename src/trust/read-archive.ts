/** Reads a .tar.gz entry by entry under the refusal policy: two readers must agree on every entry. */
import { closeSync, openSync, readSync } from "node:fs";
import { createGunzip, type Gunzip } from "node:zlib";
import type { Extract, Header } from "tar-stream";
import { FermixError, hasErrno } from "../kernel/error.ts";
import { ArchiveRefused, type JudgedEntry, TarJudge } from "./tar-judge.ts";

/** Large enough for the cost per piece not to matter, small enough to stay in the processor's cache. */
const READ_CHUNK = 1 << 18;
const UNPACKED_CHUNK = 1 << 18;

/** The library would replace what is not UTF-8 (its types do not know the option). */
const NAMES_AS_BYTES: Parameters<typeof import("tar-stream")["extract"]>[0] & { readonly filenameEncoding: string } = {
  filenameEncoding: "latin1",
};

/** Takes the content of one file. */
export interface FileSink {
  write(chunk: Uint8Array): void;
  /** The whole content was written. */
  end(): void;
}

export interface ArchiveSink {
  /** Called for each entry in order, its new folders not yet made. For a folder nothing is written. */
  entry(entry: JudgedEntry): FileSink | undefined;
}

/**
 * Feeds the sink with every entry of the archive at `path`, which must have this sha256 when it is read (it is what was
 * verified) and break no rule; what was fed before a refusal must be thrown away. Throws archive_unsafe, and whatever
 * the sink throws.
 */
export async function readArchive(
  { path, sha256, plugin }: { path: string; sha256: string; plugin: string },
  sink: ArchiveSink,
): Promise<void> {
  const { extract: createExtract } = await import("tar-stream");
  const judge = new TarJudge();
  const extract = createExtract(NAMES_AS_BYTES);
  const drained = feedSink(extract, judge, sink);
  const hash = new Bun.CryptoHasher("sha256");
  const gunzip = createGunzip({ chunkSize: UNPACKED_CHUNK });
  const compressed = feed(path, gunzip, hash);
  compressed.catch((error) => gunzip.destroy(error));
  try {
    for await (const chunk of gunzip) {
      judge.push(chunk);
      await drained.write(chunk);
    }
    judge.end();
    if (gunzip.bytesWritten !== (await compressed)) throw new ArchiveRefused("trailing");
    await drained.end();
    if (hash.digest("hex") !== sha256) throw new ArchiveRefused("changed");
  } catch (cause) {
    extract.destroy();
    gunzip.destroy();
    throw asFailure(plugin, cause);
  }
}

/** Reads the file through one buffer into `gunzip` and the hash; returns its length. Ends early when gunzip is destroyed. */
async function feed(path: string, gunzip: Gunzip, hash: Bun.CryptoHasher): Promise<number> {
  const file = openSync(path, "r");
  const buffer = Buffer.allocUnsafe(READ_CHUNK);
  let total = 0;
  try {
    for (let read = readSync(file, buffer); read > 0 && !gunzip.destroyed; read = readSync(file, buffer)) {
      const chunk = buffer.subarray(0, read);
      total += read;
      hash.update(chunk);
      await new Promise<void>((resolve) => {
        gunzip.once("close", resolve);
        gunzip.write(chunk, () => {
          gunzip.off("close", resolve);
          resolve();
        });
      });
    }
    gunzip.end();
    return total;
  } finally {
    closeSync(file);
  }
}

/** Wires the library to the sink; `write` resolves when it can take more, and rejects with what went wrong in it. */
function feedSink(
  extract: Extract,
  judge: TarJudge,
  sink: ArchiveSink,
): { write: (chunk: Uint8Array) => Promise<void>; end: () => Promise<void> } {
  let failure: unknown;
  const closed = Promise.withResolvers<void>();
  extract.on("error", (error) => {
    failure ??= new ArchiveRefused("not_tar", undefined, { cause: error });
  });
  extract.on("close", () => closed.resolve());
  extract.on("entry", (header, stream, next) => {
    const guard = (work: () => unknown): void => {
      try {
        if (failure === undefined) work();
      } catch (error) {
        failure = error;
        extract.destroy();
      }
    };
    let file: FileSink | undefined;
    guard(() => {
      file = sink.entry(agreed(judge.accepted.shift(), header));
    });
    stream.on("data", (chunk) => guard(() => chunk instanceof Uint8Array && file?.write(chunk)));
    stream.on("end", () => {
      guard(() => file?.end());
      next();
    });
    stream.on("error", () => undefined);
  });
  const check = (): void => {
    if (failure !== undefined) throw failure;
  };
  return {
    async write(chunk) {
      if (!extract.write(chunk)) await Promise.race([once(extract, "drain"), closed.promise]);
      check();
    },
    async end() {
      extract.end(undefined);
      await closed.promise;
      check();
      if (judge.accepted.length > 0) throw new ArchiveRefused("not_tar");
    },
  };
}

function once(extract: Extract, event: "drain"): Promise<void> {
  return new Promise((resolve) => extract.once(event, () => resolve()));
}

/** The entry, when the library read the same name, kind and size as the judge. */
function agreed(judged: JudgedEntry | undefined, header: Header): JudgedEntry {
  const kind = header.type === "directory" ? "folder" : header.type;
  if (judged === undefined || kind !== judged.kind || header.size !== judged.bytes || header.name !== judged.spelling) {
    throw new ArchiveRefused("not_tar", header.name);
  }
  return judged;
}

function asFailure(plugin: string, cause: unknown): unknown {
  if (cause instanceof ArchiveRefused) {
    return new FermixError("archive_unsafe", { plugin, entry: cause.entry, rule: cause.rule }, { cause });
  }
  if (hasErrno(cause, "Z_BUF_ERROR")) {
    return new FermixError("archive_unsafe", { plugin, entry: undefined, rule: "truncated" }, { cause });
  }
  if (hasErrno(cause, "Z_DATA_ERROR")) {
    return new FermixError("archive_unsafe", { plugin, entry: undefined, rule: "not_gzip" }, { cause });
  }
  return cause;
}
