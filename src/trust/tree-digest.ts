/** tree_digest_v2: one hash over every file of a plugin's tree, names and contents, length-prefixed (spec 2.3). */
import { closeSync, fstatSync, lstatSync, openSync, readdirSync, readSync } from "node:fs";
import { join } from "node:path";
import { FermixError, hasErrno } from "../kernel/error.ts";
import type { Sha256 } from "../kernel/names.ts";
import type { TreeHashes } from "./proof.ts";

const DOMAIN = Buffer.from("fermix-plugin-tree-v2\0", "latin1");
const READ_CHUNK = 1 << 20;

/** A file of a tree: its path as spelled, and either its content or where to read it. */
export interface DigestFile {
  readonly path: string;
  readonly content: Uint8Array | { readonly at: string };
}

/**
 * The digest of a folder on disk, streamed. Folders, modes and times do not count; dotfiles do. Throws tree_unsafe for
 * a link or special file, a name that is not UTF-8, two names that are one in NFC, or a folder that is not there.
 */
export async function treeDigestV2(dir: string): Promise<Sha256> {
  return digestFiles(listFiles(dir).map((path) => ({ path, content: { at: join(dir, path) } })));
}

/**
 * treeDigestV2, and with it `h1`, the ecosystem's first tree hash: SHA-256 over path and content of each file in path
 * order without separators, which installed.json carries for its readers and nobody trusts (spec 2.3). Each file is
 * read once, unless a name that is not NFC makes the two orders differ.
 */
export async function treeHashes(dir: string): Promise<TreeHashes> {
  const paths = listFiles(dir);
  const files = paths.map((path) => ({ path, content: { at: `${dir}/${path}` } }));
  const h1 = new Bun.CryptoHasher("sha256");
  if (paths.every((path) => path.normalize("NFC") === path)) {
    return { treeDigestV2: digestFiles(files, h1), h1: h1.digest("hex") };
  }
  const buffer = new Uint8Array(READ_CHUNK);
  for (const { path, content } of files.toSorted((a, b) => Buffer.compare(Buffer.from(a.path), Buffer.from(b.path)))) {
    const file = { at: content.at, path, key: Buffer.from(path) };
    hashFile(new Bun.CryptoHasher("sha256"), file, buffer, h1.update(path));
  }
  return { treeDigestV2: digestFiles(files), h1: h1.digest("hex") };
}

/**
 * The digest of files that are listed by the caller, in any order; `beside` is fed with path and content alone, in the
 * digest's order. Throws tree_unsafe as treeDigestV2 does.
 */
export function digestFiles(files: readonly DigestFile[], beside?: Bun.CryptoHasher): Sha256 {
  const sorted = files
    .map((file) => ({ ...file, key: Buffer.from(file.path.normalize("NFC"), "utf8") }))
    .sort((a, b) => Buffer.compare(a.key, b.key));
  const hash = new Bun.CryptoHasher("sha256");
  hash.update(DOMAIN);
  hash.update(u32(sorted.length));
  const buffer = new Uint8Array(READ_CHUNK);
  let previous: Buffer | undefined;
  for (const { path, key, content } of sorted) {
    if (previous?.equals(key)) throw new FermixError("tree_unsafe", { path, reason: "is there twice" });
    previous = key;
    beside?.update(key);
    if (content instanceof Uint8Array) hash.update(heading(key, content.byteLength)).update(content);
    else hashFile(hash, { at: content.at, path, key }, buffer, beside);
  }
  return hash.digest("hex") as Sha256;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

/** What stands before a file's content: the length of its name, the name, and the length of the content. */
function heading(key: Buffer, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(4 + key.byteLength + 8);
  bytes.writeUInt32BE(key.byteLength);
  key.copy(bytes, 4);
  bytes.writeBigUInt64BE(BigInt(size), 4 + key.byteLength);
  return bytes;
}

/**
 * A file that fits the buffer is read before its length is hashed, which saves asking for it; of a larger one the
 * length that is hashed is the one that is read: when it grows or shrinks meanwhile it is refused.
 */
function hashFile(
  hash: Bun.CryptoHasher,
  { at, path, key }: { readonly at: string; readonly path: string; readonly key: Buffer },
  buffer: Uint8Array,
  beside: Bun.CryptoHasher | undefined,
): void {
  const file = openSync(at, "r");
  try {
    let read = readSync(file, buffer);
    const size = read < buffer.byteLength ? read : fstatSync(file).size;
    hash.update(heading(key, size));
    let done = 0;
    for (; read > 0; read = readSync(file, buffer)) {
      done += read;
      const chunk = buffer.subarray(0, read);
      hash.update(chunk);
      beside?.update(chunk);
    }
    if (done !== size) throw new FermixError("tree_unsafe", { path, reason: "changed while it was read" });
  } finally {
    closeSync(file);
  }
}

/** Every file below a folder, relative with `/`. */
function listFiles(dir: string): readonly string[] {
  const files: string[] = [];
  const walk = (folder: string, prefix: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = `${prefix}${entry.name}`;
      if (entry.name.includes(REPLACEMENT)) assertUtf8Names(folder, prefix);
      // Some file systems do not say in the listing what an entry is.
      const kind = entry.isDirectory() || entry.isFile() ? entry : lstatSync(join(dir, path));
      if (kind.isDirectory()) walk(join(dir, path), `${path}/`);
      else if (kind.isFile()) files.push(path);
      else throw new FermixError("tree_unsafe", { path, reason: "is a link or a special file" });
    }
  };
  try {
    walk(dir, "");
  } catch (cause) {
    if (hasErrno(cause, "ENOENT", "ENOTDIR")) {
      throw new FermixError("tree_unsafe", { path: dir, reason: "is not a folder" }, { cause });
    }
    throw cause;
  }
  return files;
}

/** Bytes that are not UTF-8 read as this character, which may also be there in earnest. */
const REPLACEMENT = "\ufffd";

function assertUtf8Names(folder: string, prefix: string): void {
  const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  for (const name of readdirSync(folder, { encoding: "buffer" })) {
    try {
      utf8.decode(name);
    } catch (cause) {
      const path = `${prefix}${Buffer.from(name).toString("latin1")}`;
      throw new FermixError("tree_unsafe", { path, reason: "has a name that is not UTF-8" }, { cause });
    }
  }
}
