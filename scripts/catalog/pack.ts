/** Packs a plugin's files into one archive whose bytes depend on names and contents alone. */
import { gzipSync } from "node:zlib";
import { pack } from "tar-stream";

/** Plain files, readable by all and never executable (spec 2.1). */
const FILE_MODE = 0o644;
const GZIP_LEVEL = 9;

/** A ustar archive of the files, sorted bytewise by path, owned by nobody and dated 1970. */
export async function packTar(files: ReadonlyMap<string, Uint8Array>): Promise<Buffer> {
  const archive = pack();
  for (const [name, bytes] of [...files].toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))) {
    const header = { name, mode: FILE_MODE, uid: 0, gid: 0, uname: "", gname: "", mtime: new Date(0) };
    archive.entry({ ...header, type: "file", size: bytes.byteLength }, Buffer.from(bytes));
  }
  archive.finalize();
  const chunks: Uint8Array[] = [];
  for await (const chunk of archive) if (chunk instanceof Uint8Array) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** The archive compressed; the header carries no name and no time. Its bytes are of this Bun's zlib (DECISIONS 1). */
export function gzip(tar: Uint8Array): Buffer {
  return gzipSync(tar, { level: GZIP_LEVEL });
}
